/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passed.h - which buffers of a template a program passes, and where their memory goes in a configuration.
 *
 * The list depends on the template alone: all inputs and outputs that its prepare, launch and finish blocks mention,
 * and what of their own buffers its verify block judges, since the results are there. A configuration may use fewer,
 * and leave results in another buffer than the one that they are called by, where its launches swap buffers an odd
 * number of times.
 */
#ifndef TUNE_LIBRARY_PASSED_H
#define TUNE_LIBRARY_PASSED_H

#include "tuner/job/job.h"
#include "tuner/library/tune.h"

struct passed_buffer {
    size_t buffer; /* of the template, and of the case: its own */
    size_t result; /* of the case: what the launches leave its values in */
    size_t memory; /* of the case: what has the program's memory. If that is `buffer` and not `result`, the values are
                    * copied back. */
    enum tune_role role;
    uint64_t bytes, alignment;
};

/* A vector load takes so many bytes, and any configuration may have some: what is as large must be aligned for it. */
enum { PASSED_VECTOR = 16 };

struct passed {
    struct passed_buffer *list;
    size_t count;
    size_t *of; /* of each buffer of the case: which of the list it is the memory of; PASSED_NONE: it has its own */
};
#define PASSED_NONE SIZE_MAX

/* Does a program pass the template's buffer, and as what? */
bool passed_is(const struct template *template, size_t buffer, enum tune_role *role);

/* ERROR_INPUT: the launches swap what a program passes in a way that its buffers cannot follow. Clear it in any case.
 */
bool passed_find(const struct template *template, const struct job_case *one, struct passed *passed,
                 struct error *error);
void passed_clear(struct passed *passed);

#endif
