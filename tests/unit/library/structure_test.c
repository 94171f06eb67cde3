/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/library/structure.h"

#include <string.h>

struct first {
    size_t bytes;
    int a;
    int b;
};

struct later {
    size_t bytes;
    int a, b, c, d;
};

static void what_an_older_caller_lacks_is_zero(void **state)
{
    (void)state;
    const struct first theirs = {sizeof theirs, 1, 2};
    struct later ours;
    memset(&ours, 0xff, sizeof ours);
    assert_true(structure_read(&theirs, &ours, sizeof ours, sizeof theirs));
    assert_true(ours.a == 1 && ours.b == 2 && ours.c == 0 && ours.d == 0);
    assert_false(structure_read(&theirs, &ours, sizeof ours, sizeof theirs + 1));
}

static void what_a_later_caller_asks_for_must_be_nothing(void **state)
{
    (void)state;
    struct later theirs = {sizeof theirs, 1, 2, 0, 0};
    struct first ours;
    assert_true(structure_read(&theirs, &ours, sizeof ours, sizeof ours));
    assert_true(ours.a == 1 && ours.b == 2);
    theirs.d = 1;
    assert_false(structure_read(&theirs, &ours, sizeof ours, sizeof ours));
    theirs.bytes = SIZE_MAX;
    assert_false(structure_read(&theirs, &ours, sizeof ours, sizeof ours));
}

static void no_more_is_written_than_both_know(void **state)
{
    (void)state;
    const struct later ours = {sizeof ours, 1, 2, 3, 4};
    struct later theirs = {sizeof(struct first), 9, 9, 9, 9};
    structure_write(&ours, sizeof ours, &theirs);
    assert_true(theirs.bytes == sizeof(struct first) && theirs.a == 1 && theirs.b == 2 && theirs.c == 9);
    theirs = (struct later){sizeof theirs, 9, 9, 9, 9};
    structure_write(&(struct first){sizeof(struct first), 1, 2}, sizeof(struct first), &theirs);
    assert_true(theirs.bytes == sizeof theirs && theirs.b == 2 && theirs.c == 9);
    theirs = (struct later){0, 9, 9, 9, 9};
    structure_write(&ours, sizeof ours, &theirs);
    assert_true(theirs.bytes == 0 && theirs.a == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_older_caller_lacks_is_zero),
        cmocka_unit_test(what_a_later_caller_asks_for_must_be_nothing),
        cmocka_unit_test(no_more_is_written_than_both_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
