/* SPDX-License-Identifier: Apache-2.0 */
/* A dispatch answers for sizes that have no result of their own; nothing else does as long as its answer fits. */
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"
#include "tests/unit/select/recalled.h"
#include "tuner/select/selection.h"

#include <jansson.h>

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

static struct selection_request request_of(const struct fixture *f, const char *size, char *refused)
{
    return (struct selection_request){.template_name = "gemm",
                                      .template_hash = "aaaa",
                                      .device = &f->device,
                                      .size = size,
                                      .inputs = "",
                                      .objective = "time",
                                      .fits = fits,
                                      .context = refused};
}

static struct site *known_site; /* that is asked as well; NULL: none */

static void expect(struct fixture *f, struct store *store, const char *size, char *refused, enum selection_rule rule,
                   const char *configuration, const char *words)
{
    struct selection_request request = request_of(f, size, refused);
    request.site = known_site;
    struct selection selection;
    assert_success(selection_make(store, &request, &selection, &f->error), &f->error);
    assert_recalled(store, &request, &selection);
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

static void what_is_known_close_by_comes_before_trees(void **state)
{
    struct fixture *f = *state;
    char refused[] = "{\"A\":1}";
    struct store *store = fixture_open(f);
    put(f, store, "M=600,N=64", DOCUMENT);
    expect(f, store, "M=616,N=64", NULL, SELECTION_SIZE, "{\"A\":1}",
           "database at M=600,N=64, 0.0 octaves from here");
    expect(f, store, "M=616,N=64", refused, SELECTION_TREE, "{\"A\":8}", "dispatch tree");
    expect(f, store, "M=648,N=48", NULL, SELECTION_TREE, "{\"A\":8}", "dispatch tree"); /* 0.8 octaves */
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
    char other[] = "{\"A\":7}"; /* the tree's: here the other was good nearby, above it was not */
    expect(f, store, "M=1030,N=64", other, SELECTION_TREE, "{\"A\":8}", "dispatch tree");
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

/* A file of known results without any, but with a tree whose answer is {"A":a} everywhere. */
static void write_known(struct fixture *f, const char *path, int a)
{
    char text[8192];
    json_t *device = device_description_json(&f->device);
    char *described = json_dumps(device, 0);
    snprintf(
        text, sizeof text,
        "{\"format\":1,\"template\":\"gemm\",\"template_hash\":\"aaaa\",\"device\":%s,\"problems\":[],\"dispatches\":"
        "[{\"driver\":\"d\",\"compiler\":\"c\",\"objective\":\"time\",\"made_at\":\"2026-01-02\",\"document\":{"
        "\"format\":1,"
        "\"sizes\":[\"M\"],\"configurations\":[{\"A\":%d}],\"tree\":[{\"configuration\":0}],\"cases\":[{\"size\":["
        "512],"
        "\"weight\":1,\"best\":3,\"costs\":[4],\"held_out\":1}]}}]}",
        described, a);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    free(described);
    json_decref(device);
}

/* The layers in their order: an earlier one's tree answers, unless it does not fit. */
static void trees_of_others_answer_after_ones_own(void **state)
{
    struct fixture *f = *state;
    char shipped[160], of_site[160];
    struct site site;
    struct store *store = fixture_open(f);
    snprintf(shipped, sizeof shipped, "%s/shipped.json", f->folder);
    snprintf(of_site, sizeof of_site, "%s/site.json", f->folder);
    write_known(f, shipped, 31);
    write_known(f, of_site, 32);
    assert_success(store_known_load(store, shipped, &f->error), &f->error);
    expect(f, store, "M=513,N=64", NULL, SELECTION_TREE, "{\"A\":31}",
           "shipped knowledge: dispatch tree over 1 size, the nearest M=512");
    assert_success(site_open(of_site, &site, &f->error), &f->error);
    known_site = &site;
    expect(f, store, "M=513,N=64", NULL, SELECTION_TREE, "{\"A\":32}", "site.json: dispatch tree over 1 size");
    char refused[] = "{\"A\":32}";
    expect(f, store, "M=513,N=64", refused, SELECTION_TREE, "{\"A\":31}", "shipped knowledge: ");
    put(f, store, "M=512,N=64", DOCUMENT);
    expect(f, store, "M=513,N=64", NULL, SELECTION_TREE, "{\"A\":8}", "database: dispatch tree over 2 sizes");
    known_site = NULL;
    site_close(&site);
    store_close(store);
}

/* A database that no sweep by this objective was stored in can still be asked. */
static void an_objective_may_be_new_to_the_database(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct selection selection;
    struct selection_request request = request_of(f, "M=1,N=1", NULL);
    request.objective = "points a second";
    assert_success(selection_make(store, &request, &selection, &f->error), &f->error);
    assert_recalled(store, &request, &selection);
    assert_int_equal(selection.rule, SELECTION_NONE);
    selection_clear(&selection);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tree_comes_after_the_size_itself, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_passed_over, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_is_known_close_by_comes_before_trees, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_damaged_tree_is_none, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(only_our_own_tree_answers, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(trees_of_others_answer_after_ones_own, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(an_objective_may_be_new_to_the_database, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
