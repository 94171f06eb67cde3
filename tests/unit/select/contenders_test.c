/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may try: in the order of what is to be lost, without what it has tried and what does not fit. */
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"
#include "tuner/select/contenders.h"

#include <stdio.h>

static bool fits(const char *configuration, bool *is_valid, void *context, struct error *error)
{
    if (strcmp(configuration, "{\"A\":666}") == 0)
        return error_set(error, ERROR_WORK, "no answer");
    *is_valid = !context || strcmp(configuration, context) != 0;
    return true;
}

static struct selection_request request_of(const struct fixture *f, const char *refused)
{
    return (struct selection_request){.template_name = "gemm",
                                      .template_hash = "aaaa",
                                      .device = &f->device,
                                      .size = "M=64,N=64,K=64",
                                      .inputs = "",
                                      .fits = fits,
                                      .context = (void *)(uintptr_t)refused};
}

static void put(struct fixture *f, struct store *store, const char *size, const char *configuration, double time_ns)
{
    f->problem.size = size;
    const int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, configuration, fixture_success(time_ns));
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
}

/* At our size 1 is 20 % slower than 2; two octaves away 3 is the fastest, and 1 close to it. */
static void fill(struct fixture *f, struct store *store)
{
    put(f, store, "M=64,N=64,K=64", "{\"A\":1}", 120);
    put(f, store, "M=64,N=64,K=64", "{\"A\":2}", 100);
    put(f, store, "M=64,N=128,K=128", "{\"A\":3}", 500);
    put(f, store, "M=64,N=128,K=128", "{\"A\":1}", 505);
    put(f, store, "M=64,N=128,K=128", "{\"A\":4}", 1000);
}

static void expect(struct fixture *f, struct store *store, const char *refused, const char *incumbent, size_t most,
                   const char *expected)
{
    struct contenders contenders = {0};
    const struct selection_request request = request_of(f, refused);
    char text[200] = "";
    assert_success(contenders_add(&contenders, store, &request, &f->error), &f->error);
    assert_success(contenders_choose(&contenders, &request, incumbent, most, &f->error), &f->error);
    for (size_t i = 0; i < contenders.count; i++)
        sprintf(text + strlen(text), "%s ", contenders.list[i].configuration);
    assert_string_equal(text, expected);
    contenders_clear(&contenders);
}

static void the_likeliest_comes_first(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    expect(f, store, NULL, "{}", 9, "");
    fill(f, store);
    expect(f, store, NULL, "{}", 9, "{\"A\":2} {\"A\":3} {\"A\":1} {\"A\":4} ");
    expect(f, store, NULL, "{\"A\":2}", 2, "{\"A\":3} {\"A\":1} ");
    expect(f, store, "{\"A\":3}", "{\"A\":2}", 9, "{\"A\":1} {\"A\":4} ");
    store_close(store);
}

static void what_was_tried_is_not_tried_again(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct store_online online = {
        "{\"A\":2}", "{\"A\":1}", 0.5, 1000, 50, 7, "[\"{\\\"A\\\":3}\",\"{\\\"A\\\":1}\"]"};
    fill(f, store);
    assert_success(store_online_put(store, &f->problem, &online, &f->error), &f->error); /* at another size */
    expect(f, store, NULL, "{\"A\":2}", 9, "{\"A\":3} {\"A\":1} {\"A\":4} ");
    f->problem.size = "M=64,N=64,K=64";
    assert_success(store_online_put(store, &f->problem, &online, &f->error), &f->error);
    expect(f, store, NULL, "{\"A\":2}", 9, "{\"A\":4} ");
    online.tried = "[1, {}"; /* damaged */
    assert_success(store_online_put(store, &f->problem, &online, &f->error), &f->error);
    expect(f, store, NULL, "{\"A\":2}", 9, "{\"A\":3} {\"A\":1} {\"A\":4} ");
    store_close(store);
}

static void a_failure_is_told(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct contenders contenders = {0};
    const struct selection_request request = request_of(f, NULL);
    put(f, store, "M=64,N=64,K=64", "{\"A\":666}", 120);
    put(f, store, "M=64,N=64,K=64", "{\"A\":5}", 130);
    assert_success(contenders_add(&contenders, store, &request, &f->error), &f->error);
    assert_false(contenders_choose(&contenders, &request, "{}", 9, &f->error));
    assert_int_equal(f->error.code, ERROR_WORK);
    contenders_clear(&contenders);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_likeliest_comes_first, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_was_tried_is_not_tried_again, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_failure_is_told, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
