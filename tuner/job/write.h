/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.h - jobs as JSON: the format that write.c writes and read.c reads.
 *
 * A job is an object; the program verify and the sequences finish and verify are left out if there are none.
 * To keep it small, its many parts are arrays: buffers
 *     ["x", "float", extent, "in", "uniform", a, b]        (extent null: known only when a step allocates it)
 * steps, which begin with their kind
 *     ["launch", kernel, [gx, gy, gz], [bx, by, bz], shared, [argument, ...], statement]
 *     ["symbol", symbol, source, first, count]        ["copy", target, source, target_first, first, count]
 *     ["fill", target, "00000000"]                    ["repeat", target, rounds, [step, ...]]
 *     ["wait", stream, awaited]                       ["while", rounds, [step, ...]]
 *     ["read", source, first, most]                   ["let"]
 *     ["if", [step, ...], [step, ...]]                ["for", [step, ...]]
 *     ["swap", buffer, other]                         ["allocate", target]
 * and end with their attributes if any is given: {"stream": 1, "cooperative": true, "cluster": [cx, cy, cz],
 * "launches": n, "late": what is known only when the step runs (late_json.h)};
 * arguments
 *     ["buffer", buffer, offset]  ["reference", buffer, offset]  ["magnitude", buffer, offset]  ["int", "2a000000"]
 *     ["texture", buffer, 0, dimensions, [width, height, depth], linear, normalized, address mode]
 *     ["surface", ...], likewise;
 * checks [buffer, exact, bound, absolute, nonfinite, file, line, column, [first, count] (or as
 * late_json.h has it) or null, unordered,
 * below, name or null], and statements [place, place of each argument, ...] of places [line, column, length, "the
 * line" or null]. Keys, seeds, and other integers above 2^63 - 1 are strings of hexadecimal digits.
 */
#ifndef TUNE_JOB_WRITE_H
#define TUNE_JOB_WRITE_H

#include "tuner/job/job.h"

extern const char *const role_names[];    /* by enum buffer_role */
extern const char *const array_names[];   /* by enum matrix_array */
extern const char *const initial_names[]; /* by enum initial_kind */
enum { ROLE_COUNT = 5, INITIAL_COUNT = 5 };

/*
 * Everything that determines a case's inputs and expected outputs, as a text to be hashed: the seed, the buffers
 * (except temp and scratch ones that neither setup nor reference use), both sequences, the programs that they run,
 * and the ranges of partial and unordered checks. Allocated; NULL: out of memory.
 */
char *write_inputs(const struct job *job, const struct job_case *one, const char *template_hash);

#endif
