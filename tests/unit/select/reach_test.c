/* SPDX-License-Identifier: Apache-2.0 */
/* How far an answer may come from, and what is said then. */
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"
#include "tuner/select/reach.h"

#include <stdio.h>

static void what_is_too_far(void **state)
{
    (void)state;
    static const struct {
        enum selection_rule rule;
        double octaves;
        bool exceeded;
    } cases[] = {
        {SELECTION_SIZE, REACH_OCTAVES, false},
        {SELECTION_SIZE, REACH_OCTAVES + 0.01, true},
        {SELECTION_DEVICE, 40, true},
        {SELECTION_ARCHITECTURE, 40, true},
        {SELECTION_TREE, 40, false},
        {SELECTION_EXACT, 0, false},
        {SELECTION_NONE, 0, false},
        {SELECTION_DATA, 0.25, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct selection selection = {.rule = cases[i].rule, .octaves = cases[i].octaves};
        assert_int_equal(reach_is_exceeded(&selection), cases[i].exceeded);
    }
}

static void expect(struct fixture *f, struct store *store, struct site *site, const char *configuration,
                   bool expected)
{
    const struct selection_request request = {
        .template_name = f->problem.template_name, .template_hash = f->problem.template_hash, .site = site};
    bool valid = !expected;
    assert_success(reach_was_valid(store, &request, configuration, &valid, &f->error), &f->error);
    assert_int_equal(valid, expected);
}

static void valid_in_any_database(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run, id;
    char message[] = "";
    struct evaluation evaluation = fixture_success(1e6);
    evaluation.message = message;
    assert_success(store_run_begin(store, &f->problem, &f->run, &run, &f->error), &f->error);
    assert_success(store_put(store, run, "{\"A\":1}", &evaluation, &id, &f->error), &f->error);
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
    expect(f, store, NULL, "{\"A\":1}", true);
    expect(f, store, NULL, "{\"A\":2}", false);
    store_close(store);

    struct site site;
    assert_success(site_open(f->path, &site, &f->error), &f->error);
    assert_int_equal(site.count, 1);
    char other[160];
    snprintf(other, sizeof other, "%s.other.db", f->path);
    assert_success(store_open(other, false, &store, &f->error), &f->error);
    expect(f, store, NULL, "{\"A\":1}", false);
    expect(f, store, &site, "{\"A\":1}", true);
    expect(f, store, &site, "{\"A\":2}", false);
    site_close(&site);
    store_close(store);
    unlink(other);
}

static void in_words(void **state)
{
    (void)state;
    char *texts[] = {reach_default_text(NULL, true, "full"), reach_default_text("far", false, "full"),
                     reach_distant_text("far")};
    assert_string_equal(texts[0],
                        "nothing is known that is valid for this device and size: the default of space full");
    assert_string_equal(texts[1], "the first valid configuration of space full; the nearest result is more than 12 "
                                  "octaves away: far");
    assert_string_equal(texts[2], "far; that is more than 12, but the default was never valid anywhere");
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_too_far),
        cmocka_unit_test_setup_teardown(valid_in_any_database, fixture_setup, fixture_teardown),
        cmocka_unit_test(in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
