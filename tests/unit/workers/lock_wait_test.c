/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a lock, by a clock of the test's own: who is named, and when it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/workers/lock_wait.h"

static const struct lock_holder bob = {.pid = 42, .user = "bob", .command = "sleep"};
static const struct lock_holder eve = {.pid = 43, .user = "eve", .command = "tune"};
static char text[512];

static enum lock_step step(struct lock_wait *wait, const struct lock_holder *holder, double now)
{
    return lock_wait_step(wait, holder, "GPU", 100, now, text, sizeof text);
}

static void test_the_holder_is_named_once_after_a_while(void **state)
{
    (void)state;
    struct lock_wait wait = {0};
    lock_wait_begin(&wait, 1000);
    assert_true(lock_wait_wants_look(&wait, 1000));
    assert_int_equal(step(&wait, &bob, 1000), LOCK_WAIT);
    assert_string_equal(text, "");
    assert_false(lock_wait_wants_look(&wait, 1000.5));
    assert_true(lock_wait_wants_look(&wait, 1002));
    assert_int_equal(step(&wait, &bob, 1006), LOCK_TELL);
    assert_mentions(text, "process 42 (sleep, user bob)");
    assert_mentions(text, "GPU");
    assert_int_equal(step(&wait, &bob, 1010), LOCK_WAIT);
    assert_string_equal(text, "");
}

static void test_nobody_is_waited_for_beyond_the_patience(void **state)
{
    (void)state;
    struct lock_wait wait = {0};
    lock_wait_begin(&wait, 1000);
    (void)step(&wait, &bob, 1000);
    assert_int_equal(step(&wait, &bob, 1099), LOCK_TELL);
    assert_int_equal(step(&wait, &bob, 1100), LOCK_GO_ON);
    assert_mentions(text, "process 42 (sleep, user bob)");
    assert_mentions(text, "without it");
    lock_wait_begin(&wait, 1200); /* the next evaluation: at once, and told once only */
    assert_int_equal(step(&wait, &bob, 1200), LOCK_GO_ON);
    assert_string_equal(text, "");
    assert_int_equal(step(&wait, &eve, 1201), LOCK_WAIT); /* another one is waited for */
    assert_int_equal(step(&wait, &eve, 1300), LOCK_TELL);
    assert_int_equal(step(&wait, &eve, 1301), LOCK_GO_ON);
}

/* Those that measure, too, hold it for one evaluation at a time. */
static void test_holders_that_take_turns_are_waited_for(void **state)
{
    (void)state;
    struct lock_wait wait = {0};
    lock_wait_begin(&wait, 0);
    for (int now = 0; now < 5000; now += 90)
        assert_int_not_equal(step(&wait, now / 90 % 2 ? &bob : &eve, now), LOCK_GO_ON);
}

static void test_a_holder_that_cannot_be_seen(void **state)
{
    (void)state;
    const struct lock_holder unknown = {0};
    struct lock_wait wait = {0};
    lock_wait_begin(&wait, 1000);
    assert_int_equal(step(&wait, &unknown, 1000), LOCK_WAIT);
    assert_int_equal(step(&wait, &unknown, 1010), LOCK_TELL);
    assert_mentions(text, "cannot be seen");
    assert_int_equal(step(&wait, &unknown, 1100), LOCK_GO_ON);
}

static void test_standstills_add_up(void **state)
{
    (void)state;
    struct lock_toll toll = {0};
    assert_true(lock_toll_seconds(&toll, 1000) == 0);
    lock_toll_note(&toll, false, 1000);
    lock_toll_note(&toll, true, 1010);
    assert_true(lock_toll_seconds(&toll, 1012) == 2);
    lock_toll_note(&toll, true, 1013); /* it goes on */
    assert_true(lock_toll_seconds(&toll, 1014) == 4);
    lock_toll_note(&toll, false, 1015);
    assert_true(lock_toll_seconds(&toll, 1100) == 5);
    lock_toll_note(&toll, true, 1100);
    lock_toll_note(&toll, false, 1101);
    assert_true(lock_toll_seconds(&toll, 1200) == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_holder_is_named_once_after_a_while),
        cmocka_unit_test(test_nobody_is_waited_for_beyond_the_patience),
        cmocka_unit_test(test_holders_that_take_turns_are_waited_for),
        cmocka_unit_test(test_a_holder_that_cannot_be_seen),
        cmocka_unit_test(test_standstills_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
