/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - a source to compile: its file, the parameters as defines, options, and the names of its kernels and
 * symbols.
 */
#ifndef TUNE_JOB_PROGRAM_H
#define TUNE_JOB_PROGRAM_H

#include "tuner/job/lowering.h"

/*
 * Fill in path, folder, defines and options. Without `file` it is the configuration's source: the first one whose
 * condition holds, with the parameters as defines and the template's options. A `file` (a reference, a setup, a
 * verify block) does not depend on the configuration and gets neither. Both get the sizes that the template defines.
 */
bool program_lower(const struct lowering *lowering, const char *file, struct job_program *program);

/* The defines of the configuration's source alone: of the sizes and the parameters that have values in `slots`.
 * Allocated. */
char *program_defines(const struct template *template, struct value *slots, struct error *error);

/* The lowering is at the awkward size: note what differs there. */
bool program_lower_awkward(const struct lowering *lowering, const char *file, struct job_program *program);

/* The index of a name in a list, to which it is appended if missing. False: out of memory. */
bool program_name(char ***names, size_t *count, const char *name, size_t *index);

#endif
