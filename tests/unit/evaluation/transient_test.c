/* SPDX-License-Identifier: Apache-2.0 */
/* Which failures may have a passing cause: signals, statuses, errnos, messages of real compilers, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/transient.h"

#include <errno.h>
#include <signal.h>

static void signals_from_outside(void **state)
{
    (void)state;
    static const int outside[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1};
    static const int own[] = {0, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_true(transient_signal(outside[i]));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_false(transient_signal(own[i]));
    assert_true(transient_status(137));  /* killed */
    assert_true(transient_status(143));  /* terminated */
    assert_false(transient_status(139)); /* a segmentation fault */
    assert_false(transient_status(1));
    assert_false(transient_status(0));
}

static void shortages(void **state)
{
    (void)state;
    static const int short_of[] = {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT};
    static const int others[] = {0, ENOENT, EACCES, EINVAL, ENOEXEC};
    for (size_t i = 0; i < sizeof short_of / sizeof *short_of; i++)
        assert_true(transient_errno(short_of[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(transient_errno(others[i]));
}

/* As GCC, Clang, GNU ld and the dynamic loader print them. */
static void messages_of_compilers(void **state)
{
    (void)state;
    static const char *const passing[] = {
        "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n",
        "g++: fatal error: Terminated signal terminated program cc1plus\ncompilation terminated.\n",
        "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.\n",
        "the C++ compiler was killed by signal 9 (Killed)\n",
        "clang: error: unable to execute command: Killed\n",
        "g++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable\n",
        "cc1plus: out of memory allocating 65536 bytes after a total of 1024 bytes\n",
        "virtual memory exhausted: Cannot allocate memory\n",
        "cc1plus: error while loading shared libraries: libisl.so.23: failed to map segment from shared object\n",
        "/tmp/cc1.s: Fatal error: can't write 38 bytes: No space left on device\n",
        "cc1plus: fatal error: k.cu: Too many open files\n",
        "terminate called after throwing an instance of 'std::bad_alloc'\n",
    };
    static const char *const lasting[] = {
        "",
        "k.cu:6:22: error: 'no_such_name' was not declared in this scope\n",
        "k.cu:1:10: fatal error: x.h: No such file or directory\ncompilation terminated.\n",
        "g++: internal compiler error: Segmentation fault signal terminated program cc1plus\n",
        "the C++ compiler was killed by signal 11 (Segmentation fault)\n",
        "ptxas error : Entry function 'k' uses too much shared data (0x3a980 bytes, 0xc000 max)\n",
        "k.cu:(.text+0x1b): undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n",
    };
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        if (!transient_text(passing[i]))
            fail_msg("not transient: %s", passing[i]);
    }
    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++) {
        if (transient_text(lasting[i]))
            fail_msg("transient: %s", lasting[i]);
    }
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        enum error_code code;
        bool transient;
    } cases[] = {
        {ERROR_INPUT, false},        {ERROR_WORK, false},      {ERROR_SYSTEM, true},
        {ERROR_OUT_OF_MEMORY, true}, {ERROR_RESOURCES, false}, {ERROR_DOES_NOT_FIT, true},
        {ERROR_FAULT, false},        {ERROR_DEVICE, true},     {ERROR_MESSAGE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(transient_error(&(struct error){.code = cases[i].code}), cases[i].transient);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_from_outside),
        cmocka_unit_test(shortages),
        cmocka_unit_test(messages_of_compilers),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
