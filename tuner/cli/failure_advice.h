/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure_advice.h - a failed configuration in a line, and the command that would explain it.
 */
#ifndef TUNE_CLI_FAILURE_ADVICE_H
#define TUNE_CLI_FAILURE_ADVICE_H

#include "tuner/data/inputs.h"
#include "tuner/evaluation/outcome.h"

#include <stddef.h>

/*
 * The line of a message that says what is wrong: a compiler's first error with the file and line of the user's
 * source, else the first line. `folder` is the template's: an error in a file that is not the user's is placed at the
 * line of his that led there, if the message names one. Allocated; NULL: out of memory.
 */
char *failure_line(const char *message, const char *folder);

/* The line of a message with which tune itself explains it, "note: ..." or "hint: ..."; NULL: there is none. */
const char *failure_note(const char *message, size_t *length);

/* What `tune check` is given to look at a configuration as a sweep did. */
struct failure_check {
    const char *program, *subject, *space; /* as the user wrote them; space NULL: the default */
    const char *device;                    /* NULL: the user named none */
    const char *size;                      /* the tuned one */
    const struct input_setting *inputs;    /* --input, as the user gave it */
    size_t input_count;
};

/* A failed configuration. */
struct failure {
    enum outcome outcome;
    const char *configuration, *message, *awkward; /* as stored */
};

/*
 * The command, for a shell, under which the sanitizers would show why; `*text` is NULL where they could not. It names
 * the size that the message names, else the awkward one, which was validated first, else the tuned one. False: out of
 * memory.
 */
bool failure_check_command(const struct failure_check *check, const struct failure *failure, char **text);

#endif
