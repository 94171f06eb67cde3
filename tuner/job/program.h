/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - sources to compile: which file, the parameters as defines, options, and the names that will be asked
 * for.
 */
#ifndef TUNE_JOB_PROGRAM_H
#define TUNE_JOB_PROGRAM_H

#include "tuner/job/lowering.h"

/*
 * Fill in path, folder, defines and options. Without `file` it is the configuration's own source, the first choice
 * whose condition holds, with the parameters as defines and the template's options; a file of its own (a reference,
 * a setup) is independent of the configuration and gets neither.
 */
bool program_lower(const struct lowering *lowering, const char *file, struct job_program *program);

/* The index of a name in a list, which it is appended to if it is not there. False when out of memory. */
bool program_name(char ***names, size_t *count, const char *name, size_t *index);

#endif
