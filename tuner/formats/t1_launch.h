/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_launch.h - grid and block of a T1 kernel.
 *
 * LocalSize may name block_size_x, block_size_y and block_size_z where there are no such parameters; they are then
 * 256, 1 and 1, as in Kernel Tuner. The grid is ProblemSize over GridDivX, GridDivY, GridDivZ where the file has
 * them; otherwise it is GlobalSize, in blocks (CUDA) or threads (OpenCL).
 */
#ifndef TUNE_FORMATS_T1_LAUNCH_H
#define TUNE_FORMATS_T1_LAUNCH_H

#include "tuner/formats/t1_members.h"

struct t1_launch {
    const char *grid[T1_DIMENSIONS], *block[T1_DIMENSIONS];
};

/* LocalSize into t1->local. After the parameters. */
bool t1_read_local(struct t1 *t1, const json_t *kernel, struct error *error);

/*
 * The launch, after everything else: once with parameters by name (`fixed` NULL), for the template, and once with the
 * value of each parameter in its place, for the reference.
 */
bool t1_read_launch(const json_t *document, struct t1 *t1, const struct value *fixed, struct t1_launch *launch,
                    struct error *error);

#endif
