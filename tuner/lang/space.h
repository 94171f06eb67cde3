/* SPDX-License-Identifier: Apache-2.0 */
/*
 * space.h - a search space as written: parameters, fixed choices, constraints, defaults.
 *
 *     space joint_reg_smem of gemm "one operand in registers, the other in shared memory"
 *     set     VARIANT = "joint"
 *     param   TILE_M = pow2(32, 256)
 *     let     threads = TILE_M * TILE_N // REG_N
 *     where   32 <= threads <= device.max_threads_per_block
 *     default TILE_M = 64, TILE_N = 16
 *
 * or the union of other spaces in the same folder:
 *
 *     space full of gemm "every variant"
 *     union naive, smem_tiling, thread_coarsening, joint_reg_smem
 *
 * A space is read against its template, whose sizes, parameters, lets and device fields it may use; `param` and `set`
 * name parameters that the template declares. Only the parser writes to these structs.
 */
#ifndef TUNE_LANG_SPACE_H
#define TUNE_LANG_SPACE_H

#include "tuner/lang/template.h"

struct space_setting {
    size_t slot;
    const struct expr *value;
};

struct space_parameter {
    size_t slot;
    const struct expr *values; /* a list expression; may use device fields and sizes */
};

struct space_constraint {
    const struct expr *condition;
};

struct space {
    const char *name;
    const char *title;
    const char *path;
    const char *text;    /* of the whole file */
    struct scope *scope; /* the template's slots, followed by this space's lets */

    const struct space_setting *settings;
    size_t setting_count;
    const struct space_parameter *parameters;
    size_t parameter_count;
    const struct let_declaration *lets; /* in order; they are evaluated lazily, after the template's */
    size_t let_count;
    const struct space_constraint *constraints;
    size_t constraint_count;
    const struct space_setting *defaults;
    size_t default_count;

    struct space *const *members; /* a union has these and none of the above */
    size_t member_count;

    char hash[17]; /* XXH3 of the tokens and of the members' hashes */
};

/* Read a space; members of a union are read from `<member>.space` in the same folder. */
bool space_read(const char *path, const struct template *template, struct space **result, struct error *error);

/* The same from memory; members of a union are read from the folder of `path`. */
bool space_parse(const char *path, const char *text, size_t length, const struct template *template,
                 struct space **result, struct error *error);

void space_free(struct space *space);

#endif
