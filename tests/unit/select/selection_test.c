/* SPDX-License-Identifier: Apache-2.0 */
/* Which stored result answers, with rows of several sizes, devices, data and versions of a kernel. */
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"
#include "tests/unit/select/recalled.h"
#include "tuner/select/selection.h"

#include <stdio.h>

#define HERE "M=1024,N=1024,K=1024"

struct fits {
    const char *refused; /* a configuration that is not valid here */
    size_t asked;
};

static bool fits(const char *configuration, bool *is_valid, void *context, struct error *error)
{
    struct fits *own = context;
    own->asked++;
    if (strcmp(configuration, "{\"A\":666}") == 0)
        return error_set(error, ERROR_WORK, "no answer");
    *is_valid = !own->refused || strcmp(configuration, own->refused) != 0;
    return true;
}

/* One configuration {"A":a} of the problem as it is, stored as its best. */
static void put(struct fixture *f, struct store *store, int a)
{
    int64_t run, id;
    char text[32];
    char message[] = "";
    struct evaluation evaluation = fixture_success(1e6);
    evaluation.message = message;
    snprintf(text, sizeof text, "{\"A\":%d}", a);
    assert_success(store_run_begin(store, &f->problem, &f->run, &run, &f->error), &f->error);
    assert_success(store_put(store, run, text, &evaluation, &id, &f->error), &f->error);
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
}

static struct selection_request request_of(const struct device_description *device, struct site *site,
                                           struct fits *context)
{
    return (struct selection_request){.template_name = "gemm",
                                      .template_hash = "aaaa",
                                      .device = device,
                                      .size = HERE,
                                      .inputs = "",
                                      .objective = "time",
                                      .site = site,
                                      .fits = fits,
                                      .context = context};
}

static void expect_in_words(struct fixture *f, struct store *store, struct fits *context, enum selection_rule rule,
                            const char *configuration, const char *words)
{
    struct device_description device = f->device;
    const struct selection_request request = request_of(&device, NULL, context);
    struct selection selection;
    strcpy(device.name, "Imaginary 100");
    strcpy(device.architecture, "sm_90");
    assert_success(selection_make(store, &request, &selection, &f->error), &f->error);
    struct fits again = {.refused = context->refused};
    struct selection_request repeated = request;
    repeated.context = &again;
    assert_recalled(store, &repeated, &selection);
    assert_string_equal(selection_rule_name(selection.rule), selection_rule_name(rule));
    if (rule == SELECTION_NONE) {
        assert_null(selection.configuration);
    } else {
        assert_string_equal(selection.configuration, configuration);
        char *text = selection_text(&selection, &request);
        assert_non_null(text);
        assert_mentions(text, words);
        free(text);
    }
    selection_clear(&selection);
}

static void expect(struct fixture *f, struct store *store, enum selection_rule rule, const char *configuration,
                   const char *words)
{
    expect_in_words(f, store, &(struct fits){0}, rule, configuration, words);
}

static void each_rule_gives_way_to_the_one_before(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    expect(f, store, SELECTION_NONE, NULL, NULL);

    strcpy(f->device.name, "Older");
    strcpy(f->device.architecture, "sm_80");
    f->problem.size = HERE;
    put(f, store, 1);
    expect(f, store, SELECTION_ARCHITECTURE, "{\"A\":1}", "database of Older, 3.0 octaves from here, measured 20");

    strcpy(f->device.name, "Sibling");
    strcpy(f->device.architecture, "sm_90");
    put(f, store, 2);
    expect(f, store, SELECTION_DEVICE, "{\"A\":2}", "database of Sibling, 1.0 octave from here, measured 20");

    strcpy(f->device.name, "Imaginary 100");
    f->problem.size = "M=1024,N=1536,K=1024";
    put(f, store, 3);
    expect(f, store, SELECTION_SIZE, "{\"A\":3}", "database at M=1024,N=1536,K=1024, 0.6 octaves from here");

    f->problem.size = HERE;
    f->problem.inputs = "x=0123";
    f->problem.input_files = "x = x.npy";
    put(f, store, 4);
    expect(f, store, SELECTION_DATA, "{\"A\":4}", "database, for other data, measured 20");

    f->problem.inputs = f->problem.input_files = NULL;
    put(f, store, 5);
    expect(f, store, SELECTION_EXACT, "{\"A\":5}", "database, measured 20");
    store_close(store);
}

static void put_online(struct fixture *f, struct store *store, const char *configuration)
{
    const struct store_online online = {configuration, "{\"A\":1}", 0.5, 1000, 50, 7, "[]"};
    assert_success(store_online_put(store, &f->problem, &online, &f->error), &f->error);
}

/* What programs found answers for the very problem alone, and until a sweep measures it again. */
static void what_programs_found_answers_until_a_sweep_does(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->problem.size = "M=1024,N=1536,K=1024";
    put_online(f, store, "{\"A\":9}");
    expect(f, store, SELECTION_NONE, NULL, NULL);
    f->problem.size = HERE;
    put_online(f, store, "{\"A\":8}");
    expect(f, store, SELECTION_EXACT, "{\"A\":8}", "database, found online 20");
    expect_in_words(f, store, &(struct fits){.refused = "{\"A\":8}"}, SELECTION_NONE, NULL, NULL);
    put(f, store, 5);
    fixture_ask(f->path, "UPDATE online SET found_at = '1999-01-01T00:00:00.000Z'");
    expect(f, store, SELECTION_EXACT, "{\"A\":5}", "database, measured 20");
    put_online(f, store, "{\"A\":8}");
    fixture_ask(f->path, "UPDATE online SET found_at = '2999-01-01T00:00:00.000Z'");
    expect(f, store, SELECTION_EXACT, "{\"A\":8}", "database, found online 2999-01-01 with NVRTC");

    struct selection_request energy = request_of(&f->device, NULL, &(struct fits){0});
    struct selection selection;
    energy.objective = "energy"; /* which it does not speak of */
    assert_success(selection_make(store, &energy, &selection, &f->error), &f->error);
    assert_int_equal(selection.rule, SELECTION_NONE);
    selection_clear(&selection);
    store_close(store);
}

/* A size far away on our device is worse than the size itself on a device like ours. */
static void the_nearest_wins_whatever_its_rule(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->problem.size = "M=64,N=64,K=64";
    put(f, store, 1);
    expect(f, store, SELECTION_SIZE, "{\"A\":1}", "12.0 octaves");
    strcpy(f->device.name, "Sibling");
    f->problem.size = HERE;
    put(f, store, 2);
    expect(f, store, SELECTION_DEVICE, "{\"A\":2}", "of Sibling, 1.0 octave from");
    store_close(store);
}

static void what_is_not_valid_here_is_passed_over(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct fits context = {.refused = "{\"A\":2}"};
    f->problem.size = "M=4096,N=4096,K=4096";
    put(f, store, 1);
    f->problem.size = "M=1024,N=2048,K=1024";
    put(f, store, 2);
    expect_in_words(f, store, &context, SELECTION_SIZE, "{\"A\":1}", "at M=4096,N=4096,K=4096, 6.0 octaves");
    assert_int_equal(context.asked, 2);
    context.refused = "{\"A\":1}";
    expect_in_words(f, store, &context, SELECTION_SIZE, "{\"A\":2}", "1.0 octave from");

    /* Its own result was validated here: nobody is asked. */
    f->problem.size = HERE;
    put(f, store, 666);
    expect_in_words(f, store, &context, SELECTION_EXACT, "{\"A\":666}", "database, measured");
    store_close(store);
}

static void another_version_of_the_kernel_never_answers(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->problem.template_hash = "older";
    put(f, store, 1);
    expect(f, store, SELECTION_NONE, NULL, NULL);
    store_close(store);
}

static void an_error_of_the_question_is_passed_on(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct selection selection;
    struct fits context = {0};
    f->problem.size = "M=1,N=1,K=1";
    put(f, store, 666);
    const struct selection_request request = request_of(&f->device, NULL, &context);
    assert_false(selection_make(store, &request, &selection, &f->error));
    assert_mentions(f->error.text, "no answer");
    selection_clear(&selection);
    store_close(store);
}

/* The site's only store is one of the fixture's own, closed by the test. */
static enum selection_layer layer_of(struct fixture *f, struct store *own, struct store *of_site, const char *refused,
                                     const char *configuration)
{
    struct fits context = {.refused = refused};
    struct site site = {.stores = &of_site, .count = 1};
    const struct selection_request request = request_of(&f->device, &site, &context);
    struct selection selection;
    assert_success(selection_make(own, &request, &selection, &f->error), &f->error);
    assert_recalled(own, &request, &selection);
    assert_string_equal(selection.configuration, configuration);
    enum selection_layer layer = selection.layer;
    assert_int_equal(layer == LAYER_SITE, selection.place[0] != '\0');
    assert_int_equal(site.refused, 0);
    selection_clear(&selection);
    return layer;
}

static void layers_answer_together(void **state)
{
    struct fixture *f = *state;
    char path[sizeof f->path], other[160];
    strcpy(path, f->path);
    snprintf(other, sizeof other, "%s/site.db", f->folder);
    struct store *own = fixture_open(f);
    strcpy(f->path, other);
    struct store *of_site = fixture_open(f);
    f->problem.size = "M=1024,N=1024,K=2048";
    put(f, own, 1);
    f->problem.size = "M=1024,N=1024,K=1536";
    put(f, of_site, 2);
    assert_int_equal(layer_of(f, own, of_site, NULL, "{\"A\":2}"), LAYER_SITE); /* nearer */
    assert_int_equal(layer_of(f, own, of_site, "{\"A\":2}", "{\"A\":1}"), LAYER_DATABASE);
    f->problem.size = "M=1024,N=1024,K=1536";
    put(f, own, 3);
    assert_int_equal(layer_of(f, own, of_site, NULL, "{\"A\":3}"), LAYER_DATABASE); /* as near */

    f->problem.size = HERE;
    put(f, of_site, 4);
    assert_int_equal(layer_of(f, own, of_site, NULL, "{\"A\":4}"), LAYER_SITE);
    assert_int_equal(layer_of(f, own, of_site, "{\"A\":4}", "{\"A\":3}"), LAYER_DATABASE); /* not the user's word */
    put(f, own, 5);
    assert_int_equal(layer_of(f, own, of_site, NULL, "{\"A\":5}"), LAYER_DATABASE); /* as fast */
    sqlite3_exec(own->sqlite, "UPDATE evaluation SET time_ns = 2e6", NULL, NULL, NULL);
    assert_int_equal(layer_of(f, own, of_site, NULL, "{\"A\":4}"), LAYER_SITE); /* faster */
    sqlite3_exec(own->sqlite, "UPDATE evaluation SET time_ns = 1e5, origin = 'shipped'", NULL, NULL, NULL);
    assert_int_equal(layer_of(f, own, of_site, NULL, "{\"A\":5}"), LAYER_SHIPPED);
    store_close(of_site);
    store_close(own);
}

static void a_site_that_cannot_be_read_is_left_out(void **state)
{
    struct fixture *f = *state;
    char other[160];
    struct store *own = fixture_open(f);
    snprintf(other, sizeof other, "%s/site.db", f->folder);
    strcpy(f->path, other);
    struct store *of_site = fixture_open(f);
    f->problem.size = "M=1024,N=1024,K=2048";
    put(f, own, 1);
    f->problem.size = HERE;
    put(f, of_site, 2);
    sqlite3_exec(of_site->sqlite, "DROP TABLE toolchain", NULL, NULL, NULL);
    struct fits context = {0};
    struct site site = {.stores = &of_site, .count = 1};
    const struct selection_request request = request_of(&f->device, &site, &context);
    struct selection selection;
    assert_success(selection_make(own, &request, &selection, &f->error), &f->error);
    assert_recalled(own, &request, &selection);
    assert_string_equal(selection.configuration, "{\"A\":1}");
    assert_true(site.refused > 0);
    assert_mentions(site.trouble.text, "site.db");
    selection_clear(&selection);
    store_close(of_site);
    store_close(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_rule_gives_way_to_the_one_before, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_programs_found_answers_until_a_sweep_does, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(the_nearest_wins_whatever_its_rule, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_is_not_valid_here_is_passed_over, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(another_version_of_the_kernel_never_answers, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(an_error_of_the_question_is_passed_on, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(layers_answer_together, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_site_that_cannot_be_read_is_left_out, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
