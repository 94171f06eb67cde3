/* SPDX-License-Identifier: Apache-2.0 */
/* Where no thread can be started, what is to be tried online is not, and all else goes on. */
#include "online_program.h"

#include <errno.h>
#include <pthread.h>

static bool refuses;

/* The linker dictates the names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *argument)
{
    return refuses ? EAGAIN : __real_pthread_create(thread, how, run, argument);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void a_kernel_is_loaded_without_online_tuning(void **state)
{
    (void)state;
    struct user program;
    open_program(&program, "no_thread.db", 0);
    tune_kernel_free(program.kernel);
    refuses = true;
    load(&program, 0.5);
    refuses = false;
    const struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_REFUSED);
    assert_string_equal(info.why, "no thread can be started for it");
    for (int i = 0; i < 20; i++)
        launch(&program, program.kernel);
    assert_int_equal(state_of(program.kernel).tries, 0);
    close_program(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_is_loaded_without_online_tuning),
    };
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
