/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches in files of known results. */
#include "known_files.h"

#define TREE_DOCUMENT                                                                                                \
    "{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[{\"T\":16},{\"T\":64}],\"tree\":[{\"feature\":\"size\","    \
    "\"a\":0,"                                                                                                       \
    "\"below\":700.0,\"then\":1,\"otherwise\":2},{\"configuration\":0},{\"configuration\":1}],\"cases\":[{\"size\":" \
    "[512],"                                                                                                         \
    "\"weight\":1.0,\"best\":500.0,\"costs\":[500.0,700.0],\"held_out\":0.5},{\"size\":[1024],\"weight\":2.0,"       \
    "\"best\":1000.0,\"costs\":[null,1250.0],\"held_out\":0.25}]}"

/* A tree without data and one with them; a damaged one is left out. */
static void ship_trees(struct fixture *f, const struct known *k)
{
    struct store *store = fixture_open(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":64}", fixture_success(7));
    assert_true(store_dispatch_put(store, &f->problem, "energy", "{\"format\":1", &f->error));
    assert_true(store_dispatch_put(store, &f->problem, "time", TREE_DOCUMENT, &f->error));
    f->problem.inputs = "x=01";
    f->problem.input_files = "x = x.npy";
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":64}", fixture_success(7));
    assert_true(store_dispatch_put(store, &f->problem, "energy", TREE_DOCUMENT, &f->error));
    assert_true(store_known_write(store, &(struct store_filter){0}, k->file, &f->error));
    store_close(store);
}

static const char trees_sql[] =
    "SELECT group_concat(inputs || ' ' || objective || ' ' || origin || ' ' || driver || ' ' || "
    "(document = '" TREE_DOCUMENT "'), ';') FROM (SELECT * FROM dispatch ORDER BY inputs) "
    "JOIN toolchain ON toolchain.id = toolchain";

static void trees_go_along(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    struct refusals refusals;
    struct store_known_counts counts;
    ship_trees(f, &k);
    struct store *store = open_target(f, &k);
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path, trees_sql), " time shipped 580.1 1;x=01 energy shipped 580.1 1");
    assert_true(store_known_write(store, &(struct store_filter){0}, k.again, &f->error));
    json_t *first = json_load_file(k.file, 0, NULL), *second = json_load_file(k.again, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(first, "dispatches")), 2);
    assert_true(json_equal(json_object_get(first, "dispatches"), json_object_get(second, "dispatches")));
    json_decref(first);
    json_decref(second);
    /* of one size alone there is no tree */
    assert_true(store_known_write(store, &(struct store_filter){.size = "M=1024,N=1024,K=1024"}, k.again, &f->error));
    store_close(store);
    first = json_load_file(k.again, 0, NULL);
    assert_null(json_object_get(first, "dispatches"));
    json_decref(first);
    snprintf(f->path, sizeof f->path, "%s/third.db", f->folder);
    store = fixture_open(f);
    for (size_t i = 0; i < 2; i++) {
        assert_true(import_file(f, store, k.file, &refusals, &counts));
        assert_int_equal(counts.trees, 2);
        assert_int_equal(counts.refused, 0);
        assert_string_equal(fixture_ask(f->path, trees_sql), " time imported 580.1 1;x=01 energy imported 580.1 1");
    }
    store_close(store);
}

static void a_wrong_tree_is_refused_with_its_place_and_no_other(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    char file[160];
    static const struct {
        const char *path[6];
        size_t depth;
        const char *value, *text, *at;
    } cases[] = {
        {{"dispatches", "0"}, 2, "7", "\"objective\" must be a non-empty string", "7"},
        {{"dispatches", "0", "made_at"}, 3, "\"soon\"", "\"made_at\" must be a time of day", "\"soon\""},
        {{"dispatches", "0", "driver"}, 3, NULL, "\"driver\" must be a non-empty string", "{\"compiler"},
        {{"dispatches", "0", "document"}, 3, "[]", "this dispatch is damaged: its format is not 1", "[]"},
        {{"dispatches", "0", "document", "tree", "2"},
         5,
         "{\"configuration\": 2}",
         "node 3 of its tree",
         "{\"config"},
        {{"dispatches", "0", "document", "cases"}, 4, "[]", "it has 0 cases", "[]"},
        {{"dispatches", "0", "document", "configurations", "1"},
         5,
         "{\"T\": {}}",
         "configuration 2 is no",
         "{\"T\": {}}"},
        {{"dispatches", "0", "document", "cases", "1", "weight"}, 6, "-1", "case 2", "{\"size\": [1024]"},
    };
    snprintf(file, sizeof file, "%s/x.json", f->folder);
    ship_trees(f, &k);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[1 << 14];
        struct refusals refusals;
        struct store_known_counts counts;
        snprintf(f->path, sizeof f->path, "%s/%zu.db", f->folder, i);
        struct store *store = fixture_open(f);
        corrupt(&k, file, cases[i].path, cases[i].depth, cases[i].value);
        if (!import_file(f, store, file, &refusals, &counts))
            fail_msg("case %zu: %s", i, f->error.text);
        store_close(store);
        if (counts.taken != 2 || counts.trees != 1 || counts.refused != 1 || refusals.count != 1 ||
            !strstr(refusals.last.text, cases[i].text))
            fail_msg("case %zu: %zu trees, %zu refused: %s", i, counts.trees, counts.refused, refusals.last.text);
        size_t length = fixture_read(file, text, sizeof text - 1);
        text[length] = '\0';
        assert_in_range(refusals.last.column, 2, length);
        if (strncmp(text + refusals.last.column - 1, cases[i].at, strlen(cases[i].at)) != 0)
            fail_msg("case %zu is at %.40s", i, text + refusals.last.column - 1);
        assert_string_equal(fixture_ask(f->path, trees_sql), "x=01 energy imported 580.1 1");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trees_go_along, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_wrong_tree_is_refused_with_its_place_and_no_other, fixture_setup,
                                        fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
