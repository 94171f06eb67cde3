/* SPDX-License-Identifier: Apache-2.0 */
/* The watch for races, driven as the CPU device and an instrumented module would. */
#include "tests/unit/check/handmade.h"

#include "tuner/check/races.h"

static struct handmade *h;
static struct races *races;
static const struct block_watch *watch;
static struct error error;

static int begin(void **state)
{
    (void)state;
    h = handmade_create();
    h->watched.variables.context = 0; /* the context comes first */
    handmade_variable(h, "tile", offsetof(struct handmade, tls.shared) - offsetof(struct handmade, tls), 64, true,
                      true);
    handmade_variable(h, "room", offsetof(struct handmade, tls.shared) - offsetof(struct handmade, tls) + 64, 8, true,
                      false);
    handmade_variable(h, "tune_binding_of_room", 128, 8, false, false);
    handmade_variable(h, "counter", 64, 4, false, false);
    handmade_variable(h, "fixed", 96, 4, false, true); /* a constant of a function */
    assert_success(races_create(&h->watched, &races, &error), &error);
    watch = races_watch(races);
    return 0;
}

static int end(void **state)
{
    (void)state;
    races_free(races);
    handmade_free(h);
    return 0;
}

static void launch(void)
{
    watch->launch(watch->context, &h->tls.context, h->dynamic, 32, sizeof h->dynamic);
    watch->block(watch->context, &h->tls.context.block);
}

static void touch(uint32_t thread, const void *address, unsigned kind, unsigned code)
{
    h->tls.context.thread.x = thread;
    watch->accesses->access(watch->accesses->context, address, 4, kind, handmade_code(h, code));
}

/* The kinds and variables that were found, in order: "race tile, uninitialised read out". */
static void assert_found(const char *expected)
{
    char text[512] = "";
    size_t count, used = 0;
    struct raw_diagnostic *list = handmade_diagnostics(&count);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", i ? ", " : "",
                                 diagnostic_kind_names[list[i].kind], list[i].variable);
    free(list);
    assert_string_equal(text, expected);
    assert_true(races_complete(races));
}

static void a_race_names_both_accesses(void **state)
{
    (void)state;
    launch();
    touch(3, handmade_buffer(h, 1) + 8, TUNE_WRITE, 0x10);
    touch(40, handmade_buffer(h, 1) + 8, TUNE_READ, 0x20);
    assert_found("race out");
    size_t count;
    struct raw_diagnostic *list = handmade_diagnostics(&count);
    assert_int_equal(list[0].code, 0x20);
    assert_int_equal(list[0].other, 0x10);
    assert_string_equal(list[0].text,
                        "thread (40, 0, 0) reads out (global memory), byte 8, which thread (3, 0, 0) writes "
                        "at " DIAGNOSTIC_OTHER " without synchronisation");
    free(list);
}

static void barriers_and_exchanges_order(void **state)
{
    (void)state;
    char *tile = h->tls.shared;
    launch();
    touch(0, tile, TUNE_WRITE, 0x10);
    watch->barrier(watch->context);
    touch(33, tile, TUNE_READ, 0x14);
    touch(33, tile, TUNE_WRITE, 0x18);
    watch->exchange(watch->context, 1, 0x3); /* lanes 0 and 1 of warp 1 */
    touch(32, tile, TUNE_READ, 0x1c);
    assert_found("");
    touch(34, tile, TUNE_READ, 0x20); /* lane 2 did not take part */
    assert_found("race tile");
}

static void inputs_are_written_and_outputs_are_not(void **state)
{
    (void)state;
    launch();
    touch(0, handmade_buffer(h, 0), TUNE_READ, 0x10);
    assert_found("");
    touch(0, handmade_buffer(h, 1), TUNE_READ, 0x14);
    watch->written(watch->context, (uintptr_t)handmade_buffer(h, 1) + 4, 4); /* a copy by the host */
    touch(0, handmade_buffer(h, 1) + 4, TUNE_READ, 0x18);
    assert_found("uninitialised read out");
}

static void shared_memory_is_static_and_dynamic(void **state)
{
    (void)state;
    launch();
    touch(0, h->tls.shared + 60, TUNE_READ, 0x10);
    touch(0, h->dynamic + 28, TUNE_READ, 0x14);
    touch(0, h->dynamic + 32, TUNE_READ, 0x18);    /* beyond what the launch has: the other check's matter */
    touch(0, h->tls.shared + 64, TUNE_READ, 0x1c); /* the pointer to dynamic memory is private */
    assert_found("uninitialised read tile, uninitialised read room");
    watch->launched(watch->context);
    launch();
    touch(0, h->dynamic + 28, TUNE_WRITE, 0x20);
    touch(40, h->dynamic + 28, TUNE_WRITE, 0x24);
    assert_found("uninitialised read tile, uninitialised read room, race room");
}

static void variables_of_the_module_are_shared(void **state)
{
    (void)state;
    launch();
    touch(0, h->data + 64, TUNE_WRITE, 0x10);
    touch(0, h->data + 96, TUNE_WRITE, 0x14);
    touch(40, h->data + 64, TUNE_READ, 0x18);
    touch(40, h->data + 96, TUNE_READ, 0x1c); /* not global: ignored */
    assert_found("race counter");
}

static void nothing_is_watched_between_launches(void **state)
{
    (void)state;
    touch(0, handmade_buffer(h, 1), TUNE_READ, 0x10);
    launch();
    touch(0, handmade_buffer(h, 1), TUNE_WRITE, 0x14);
    watch->launched(watch->context);
    touch(40, handmade_buffer(h, 1), TUNE_WRITE, 0x18);
    assert_found("");
    launch(); /* a launch is over before the next one */
    touch(40, handmade_buffer(h, 1), TUNE_READ, 0x1c);
    assert_found("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_race_names_both_accesses, begin, end),
        cmocka_unit_test_setup_teardown(barriers_and_exchanges_order, begin, end),
        cmocka_unit_test_setup_teardown(inputs_are_written_and_outputs_are_not, begin, end),
        cmocka_unit_test_setup_teardown(shared_memory_is_static_and_dynamic, begin, end),
        cmocka_unit_test_setup_teardown(variables_of_the_module_are_shared, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_watched_between_launches, begin, end),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
