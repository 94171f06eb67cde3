/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transient.h - may a failure have a passing cause, outside the configuration that it befell?
 *
 * This is the one rule that everything else follows. A failure is transient if another attempt may end differently
 * although nothing about the configuration has changed:
 *
 *   - A process was ended by a signal that programs do not bring on themselves: by a person, the out-of-memory
 *     killer, a shutdown. Signals of faults and of resource limits are the program's own.
 *   - The system was short of something (processes, memory, descriptors, disk space), or a program could not be
 *     loaded. It shows as an errno, or in the messages of a compiler.
 *   - The device failed or went away, or its memory was taken by others although it would have sufficed.
 *   - A process was stopped while its deadline passed (workers/stopped.h). A machine that sleeps needs no rule: the
 *     clock of deadlines does not run meanwhile.
 *
 * Such a configuration is tried once more, on a fresh worker. If it fails like this again, its row is marked
 * (evaluation.transient), the search learns nothing from it, it replaces no result, and the next sweep measures the
 * configuration again. When in doubt a failure is transient: that costs an attempt, while the opposite mistake would
 * discard a good configuration for ever.
 */
#ifndef TUNE_EVALUATION_TRANSIENT_H
#define TUNE_EVALUATION_TRANSIENT_H

#include "tuner/error/error.h"

/* Does a signal that ended a process come from outside it? */
bool transient_signal(int signal);

/* The same of an exit status, by the convention of shells: 128 plus the signal that ended a command. */
bool transient_status(int exit_status);

/* Does this errno say that the system is short of something? */
bool transient_errno(int number);

/* Do the messages of a program that failed (in English) say that it was killed, that the system was short of
 * something, or that a program could not be loaded? */
bool transient_text(const char *messages);

/* ERROR_SYSTEM, ERROR_OUT_OF_MEMORY, ERROR_DEVICE; ERROR_DOES_NOT_FIT, for what exceeds the whole device was refused
 * before it got that far. */
bool transient_error(const struct error *error);

#endif
