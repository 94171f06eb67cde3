/* SPDX-License-Identifier: Apache-2.0 */
/* The front of a sweep: what is on it as results come, and who of it and near it takes part in the finals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/sweep_front.h"

#include <stdlib.h>

struct scene {
    struct aims aims;
    struct sweep_summary summary;
    struct sweep sweep;
    struct error error;
};

static void open_scene(struct scene *scene, size_t objectives)
{
    *scene = (struct scene){.aims.count = objectives};
    scene->sweep = (struct sweep){.summary = &scene->summary, .aims = objectives > 1 ? &scene->aims : NULL};
}

static void close_scene(struct scene *scene)
{
    findings_clear(&scene->sweep.findings);
    free(scene->sweep.front);
}

static struct finding *add(struct scene *scene, size_t index, double a, double b, bool expected)
{
    bool extends;
    struct finding *finding = findings_ensure(&scene->sweep.findings, index, &scene->error);
    assert_non_null(finding);
    finding->state = FINDING_MADE;
    finding->outcome = OUTCOME_OK;
    finding->is_new = true;
    finding->value = finding->costs[0] = a;
    finding->costs[1] = b;
    assert_true(sweep_front_add(&scene->sweep, finding, &extends, &scene->error));
    assert_true(extends == expected);
    return finding;
}

static size_t choose(struct scene *scene, size_t most, size_t *field)
{
    size_t count;
    assert_true(sweep_front_field(&scene->sweep, most, field, &count, &scene->error));
    return count;
}

static bool has(const size_t *field, size_t count, size_t index)
{
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found = found || field[i] == index;
    return found;
}

static void the_front_follows_results(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene, 2);
    add(&scene, 5, 10, 10, true);
    add(&scene, 6, 11, 10, false);
    add(&scene, 7, 10, 10, false); /* equal */
    add(&scene, 8, 20, 5, true);
    assert_int_equal(scene.summary.progress.front, 2);
    add(&scene, 9, 9, 4, true); /* better than both */
    assert_int_equal(scene.sweep.front_count, 1);
    assert_int_equal(scene.sweep.front[0], 9);
    size_t field[16];
    assert_int_equal(choose(&scene, 16, field), 0); /* alone, and nothing is near */
    close_scene(&scene);
    open_scene(&scene, 1);
    add(&scene, 1, 1, 1, false); /* one objective has no front */
    assert_int_equal(scene.summary.progress.front, 0);
    close_scene(&scene);
}

static void what_is_near_takes_part(void **state)
{
    (void)state;
    struct scene scene;
    size_t field[16];
    open_scene(&scene, 2);
    add(&scene, 1, 200, 50, true);
    add(&scene, 2, 100, 100, true);
    add(&scene, 3, 101, 101, false);                          /* within 2 % */
    add(&scene, 4, 101, 103, false);                          /* not by the second */
    add(&scene, 5, 100.5, 100.5, false)->beaten = true;       /* in earlier finals */
    add(&scene, 6, 100, 100, false)->outcome = OUTCOME_CRASH; /* failed when it was measured again */
    size_t count = choose(&scene, 16, field);
    assert_int_equal(count, 3);
    assert_int_equal(field[0], 2); /* the best by the first objective */
    assert_true(has(field, count, 1) && has(field, count, 3));
    findings_of(&scene.sweep.findings, 2)->costs[0] = 102; /* as its finals say */
    assert_true(sweep_front_renew(&scene.sweep, &scene.error));
    assert_int_equal(scene.sweep.front_count, 3); /* 3 is faster now */
    findings_of(&scene.sweep.findings, 2)->costs[0] = 100;
    assert_true(sweep_front_renew(&scene.sweep, &scene.error));
    assert_int_equal(choose(&scene, 2, field), 2); /* no room for what is only near */
    assert_true(has(field, 2, 1) && has(field, 2, 2));
    close_scene(&scene);
}

/* A crowd and a few far apart: the ends stay, and of the others those with room around them. */
static void too_many(void **state)
{
    (void)state;
    struct scene scene;
    size_t field[5];
    open_scene(&scene, 2);
    for (size_t i = 0; i < 12; i++)
        add(&scene, i, 100 + (double)i, 120 - (double)i, true);
    add(&scene, 20, 500, 90, true);
    add(&scene, 21, 1000, 70, true);
    add(&scene, 22, 3000, 10, true);
    assert_int_equal(choose(&scene, 5, field), 5);
    assert_int_equal(field[0], 0);
    assert_true(has(field, 5, 20) && has(field, 5, 21) && has(field, 5, 22));
    close_scene(&scene);
}

static void what_was_decided_is_not_repeated(void **state)
{
    (void)state;
    struct scene scene;
    size_t field[16];
    open_scene(&scene, 2);
    add(&scene, 1, 200, 50, true)->has_won = true;
    struct finding *second = add(&scene, 2, 100, 100, true);
    assert_int_equal(choose(&scene, 16, field), 2);
    second->has_won = true;
    assert_int_equal(choose(&scene, 16, field), 0);
    add(&scene, 3, 101, 101, false); /* new, and near */
    assert_int_equal(choose(&scene, 16, field), 3);
    close_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_front_follows_results),
        cmocka_unit_test(what_is_near_takes_part),
        cmocka_unit_test(too_many),
        cmocka_unit_test(what_was_decided_is_not_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
