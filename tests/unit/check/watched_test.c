/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics of a running launch: each place once, threads by number and text. */
#include "tests/unit/fixture.h"

#include "tests/unit/scratch_folder.h"
#include "tuner/check/watched.h"

#include <fcntl.h>

static struct watched watched;
static struct error error;

static int begin(void **state)
{
    (void)state;
    unlink(scratch_path("diagnostics"));
    watched = (struct watched){.base = 0x10000};
    watched.file = open(scratch_path("diagnostics"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    return watched.file >= 0 ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    return close(watched.file);
}

static struct raw_diagnostic *read_back(size_t *count)
{
    struct raw_diagnostic *list;
    assert_success(raw_diagnostics_read(scratch_path("diagnostics"), &list, count, &error), &error);
    return list;
}

static void each_place_is_reported_once(void **state)
{
    (void)state;
    const struct raw_diagnostic seven[] = {
        {DIAGNOSTIC_RACE, .code = 1, .other = 2},
        {DIAGNOSTIC_RACE, .code = 1, .other = 2},          /* again */
        {DIAGNOSTIC_RACE, .code = 1, .other = 3},          /* another partner */
        {DIAGNOSTIC_UNINITIALISED, .code = 1},             /* another kind */
        {DIAGNOSTIC_UNINITIALISED, .code = 1, .other = 5}, /* only races have partners */
        {DIAGNOSTIC_RACE, .code = 4, .other = 2},
        {DIAGNOSTIC_RACE, .line = 9},
    };
    for (size_t i = 0; i < 7; i++)
        watched_report(&watched, &seven[i]);
    size_t count;
    free(read_back(&count));
    assert_int_equal(count, 5);
}

static void the_number_of_diagnostics_is_bounded(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= DIAGNOSTICS_MOST + 10; i++)
        watched_report(&watched, &(struct raw_diagnostic){DIAGNOSTIC_RACE, .code = i});
    size_t count;
    free(read_back(&count));
    assert_int_equal(count, DIAGNOSTICS_MOST);
}

/* A block of 4 x 3 x 2: thread (3, 2, 1) is the last, 3 + 4 * (2 + 3 * 1) = 23. */
static void threads_are_numbered_x_first(void **state)
{
    (void)state;
    const struct tune_context context = {.thread = {3, 2, 1}, .block_size = {4, 3, 2}};
    char text[64];
    watched.thread = &context;
    assert_int_equal(watched_thread(&watched), 23);
    watched_thread_text(&watched, 23, text, sizeof text);
    assert_string_equal(text, "thread (3, 2, 1)");
    watched_thread_text(&watched, 4, text, sizeof text);
    assert_string_equal(text, "thread (0, 1, 0)");
}

static void codes_are_offsets_into_the_module(void **state)
{
    (void)state;
    assert_int_equal(watched_code(&watched, (const void *)(uintptr_t)0x10123), 0x123);
    assert_int_equal(watched_code(&watched, (const void *)(uintptr_t)0x0ffff), 0);
    assert_int_equal(watched_code(&watched, NULL), 0);
}

static void barriers_and_faults_have_texts(void **state)
{
    (void)state;
    const struct watched_place at = {.line = 12, .code = (const void *)(uintptr_t)0x10040};
    const struct watched_place elsewhere = {.line = 13}, third = {.line = 14}, fourth = {.line = 15};
    watched_diverged(&watched, &at, 20, 0);
    watched_diverged(&watched, &elsewhere, 0, 31);
    watched_fault(&watched, &third, "divergent barrier: 3 threads wait for ever");
    watched_fault(&watched, &fourth, "__trap()");
    size_t count;
    struct raw_diagnostic *list = read_back(&count);
    assert_int_equal(count, 4);
    assert_int_equal(list[0].kind, DIAGNOSTIC_DIVERGENT_BARRIER);
    assert_int_equal(list[0].code, 0x40);
    assert_mentions(list[0].text, "in line 12 and line 20");
    assert_int_equal(list[1].kind, DIAGNOSTIC_DIVERGENT_BARRIER);
    assert_mentions(list[1].text, "31 threads of the block exited");
    assert_int_equal(list[2].kind, DIAGNOSTIC_DIVERGENT_BARRIER);
    assert_string_equal(list[2].text, "3 threads wait for ever");
    assert_int_equal(list[3].kind, DIAGNOSTIC_FAULT);
    assert_string_equal(list[3].text, "__trap()");
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_place_is_reported_once, begin, end),
        cmocka_unit_test_setup_teardown(the_number_of_diagnostics_is_bounded, begin, end),
        cmocka_unit_test_setup_teardown(threads_are_numbered_x_first, begin, end),
        cmocka_unit_test_setup_teardown(codes_are_offsets_into_the_module, begin, end),
        cmocka_unit_test_setup_teardown(barriers_and_faults_have_texts, begin, end),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
