/* SPDX-License-Identifier: Apache-2.0 */
/* A dispatch answers for sizes that have no result of their own; nothing else does as long as its answer fits. */
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"
#include "tuner/select/selection.h"

#define DOCUMENT                                                                                                     \
    "{\"format\":1,\"sizes\":[\"M\",\"N\"],\"configurations\":[{\"A\":7},{\"A\":8}],\"tree\":[{\"feature\":"         \
    "\"size\",\"a\":0,\"below\":1000,\"then\":1,\"otherwise\":2},{\"configuration\":1},{\"configuration\":0}],"      \
    "\"cases\":[{\"size\":[512,64],\"weight\":1,\"best\":3e6,\"costs\":[4e6,3e6],\"held_out\":1},"                   \
    "{\"size\":[2048,64],\"weight\":1,\"best\":5e6,\"costs\":[5e6,null],\"held_out\":1}]}"

static bool fits(const char *configuration, bool *is_valid, void *context, struct error *error)
{
    (void)error;
    *is_valid = !context || strcmp(configuration, context) != 0;
    return true;
}

/* A result of {"A":1}, and the dispatch. */
static void put(struct fixture *f, struct store *store, const char *size, const char *document)
{
    int64_t run, id;
    char message[] = "";
    struct evaluation evaluation = fixture_success(1e6);
    evaluation.message = message;
    f->problem.size = size;
    assert_success(store_run_begin(store, &f->problem, &f->run, &run, &f->error), &f->error);
    assert_success(store_put(store, run, "{\"A\":1}", &evaluation, &id, &f->error), &f->error);
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
    if (document)
        assert_success(store_dispatch_put(store, &f->problem, "time", document, &f->error), &f->error);
}

static void expect(struct fixture *f, struct store *store, const char *size, char *refused, enum selection_rule rule,
                   const char *configuration, const char *words)
{
    const struct selection_request request = {.template_name = "gemm",
                                              .template_hash = "aaaa",
                                              .device = &f->device,
                                              .size = size,
                                              .inputs = "",
                                              .objective = "time",
                                              .fits = fits,
                                              .context = refused};
    struct selection selection;
    assert_success(selection_make(store, &request, &selection, &f->error), &f->error);
    assert_string_equal(selection_rule_name(selection.rule), selection_rule_name(rule));
    assert_string_equal(selection.configuration, configuration);
    char *text = selection_text(&selection, &request);
    assert_mentions(text, words);
    free(text);
    if (rule == SELECTION_TREE && strcmp(size, "M=1024,N=64") == 0)
        assert_true(selection.octaves == 1 && selection.time_ns == 4e6); /* of its configuration at 512 */
    selection_clear(&selection);
}

static void a_tree_comes_after_the_size_itself(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put(f, store, "M=512,N=64", DOCUMENT);
    expect(f, store, "M=512,N=64", NULL, SELECTION_EXACT, "{\"A\":1}", "database, measured");
    expect(f, store, "M=513,N=64", NULL, SELECTION_TREE, "{\"A\":8}",
           "database: dispatch tree over 2 sizes, the nearest");
    expect(f, store, "M=1024,N=64", NULL, SELECTION_TREE, "{\"A\":7}", "M=512,N=64, 1.0 octave from here, made 20");
    store_close(store);
}

static void what_does_not_fit_is_passed_over(void **state)
{
    struct fixture *f = *state;
    char refused[] = "{\"A\":8}";
    struct store *store = fixture_open(f);
    put(f, store, "M=512,N=64", DOCUMENT);
    expect(f, store, "M=600,N=64", refused, SELECTION_SIZE, "{\"A\":1}", "database at M=512,N=64");
    expect(f, store, "M=6000,N=64", refused, SELECTION_TREE, "{\"A\":7}", "dispatch tree");
    expect(f, store, "M=6000", refused, SELECTION_SIZE, "{\"A\":1}", "database at M=512,N=64"); /* which N? */
    store_close(store);
}

static void a_damaged_tree_is_none(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put(f, store, "M=512,N=64", "{\"format\":1,");
    expect(f, store, "M=513,N=64", NULL, SELECTION_SIZE, "{\"A\":1}", "database at M=512,N=64");
    store_close(store);
}

/* Nor does a tree answer for another model or version. */
static void only_our_own_tree_answers(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put(f, store, "M=64,N=64", NULL);
    strcpy(f->device.name, "Sibling");
    put(f, store, "M=512,N=64", DOCUMENT);
    strcpy(f->device.name, "Imaginary 100");
    f->problem.template_hash = "older";
    put(f, store, "M=512,N=64", DOCUMENT);
    expect(f, store, "M=65,N=64", NULL, SELECTION_SIZE, "{\"A\":1}", "database at M=64,N=64");
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tree_comes_after_the_size_itself, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_passed_over, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_damaged_tree_is_none, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(only_our_own_tree_answers, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
