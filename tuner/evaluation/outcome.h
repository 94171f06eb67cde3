/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outcome.h - how an evaluation ended.
 */
#ifndef TUNE_EVALUATION_OUTCOME_H
#define TUNE_EVALUATION_OUTCOME_H

#include <stdbool.h>

/* The names are what the database and the tables show; see outcome_name. */
enum outcome {
    OUTCOME_OK,
    OUTCOME_HOST_ERROR,    /* an expression of the template fails for it: before anything is compiled, or because of a
                            * count that its launches have left */
    OUTCOME_COMPILE_ERROR, /* the compiler refused the source */
    OUTCOME_COMPILE_CRASH, /* the compiler died */
    OUTCOME_COMPILE_TIMEOUT, /* the compiler did not end in time */
    OUTCOME_RESOURCES,       /* needs more threads, registers or shared memory than the device has */
    OUTCOME_MEMORY,          /* buffers do not fit */
    OUTCOME_LAUNCH_ERROR,    /* the launch was refused for another reason */
    OUTCOME_FAULT,           /* illegal address, trap, assertion */
    OUTCOME_WRONG_RESULT,
    OUTCOME_NOT_FINITE,    /* NaN or infinity where a number belongs, or an element never written */
    OUTCOME_OUT_OF_BOUNDS, /* wrote into the guard bands or into an input, or depends on what is in the bands */
    OUTCOME_TIMEOUT,       /* did not end in time */
    OUTCOME_CRASH,         /* the worker process died */
    OUTCOME_LIMIT,         /* its image breaks a limit on results, so it was not launched */
    OUTCOME_COUNT,
};
const char *outcome_name(enum outcome outcome);    /* "ok", "compile_error", ... */
const char *outcome_meaning(enum outcome outcome); /* a few words for people */
bool outcome_find(const char *name, enum outcome *outcome);

#endif
