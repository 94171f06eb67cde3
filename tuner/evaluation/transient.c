/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/transient.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* What a program brings on itself: faults, traps, aborts, and the limits that were set for it. */
static const int own_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGXCPU, SIGXFSZ};

static const int shortages[] = {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT, EIO, EINTR, ETXTBSY, ESTALE, ENOLCK};

/* Besides the texts of `shortages`. Signals are named as strsignal and the compilers do. */
static const char *const words[] = {
    "Killed",         "Terminated",
    "Hangup",         "Interrupt",
    "out of memory",  "memory exhausted",
    "bad_alloc",      "error while loading shared libraries",
    "cannot execute", "unable to execute command",
};

bool transient_signal(int signal)
{
    for (size_t i = 0; i < sizeof own_signals / sizeof *own_signals; i++) {
        if (own_signals[i] == signal)
            return false;
    }
    return signal > 0;
}

bool transient_status(int exit_status)
{
    int signal = exit_status - 128;
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

bool transient_errno(int number)
{
    for (size_t i = 0; i < sizeof shortages / sizeof *shortages; i++) {
        if (shortages[i] == number)
            return true;
    }
    return false;
}

bool transient_text(const char *messages)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(messages, words[i]))
            return true;
    }
    for (size_t i = 0; i < sizeof shortages / sizeof *shortages; i++) {
        if (strstr(messages, strerrordesc_np(shortages[i])))
            return true;
    }
    return false;
}

bool transient_error(const struct error *error)
{
    return error_is_of_machine(error) || error->code == ERROR_DOES_NOT_FIT;
}
