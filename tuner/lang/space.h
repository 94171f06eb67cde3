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
 * or the union of others, from files beside this one:
 *
 *     space full of gemm "every variant"
 *     union naive, smem_tiling, thread_coarsening, joint_reg_smem
 *
 * A space is read against its template: it may use the template's sizes, parameters and device fields; a `param` or
 * `set` names a parameter that the template declares. All members are read-only for everyone but the parser.
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
    const struct expr *values; /* a list expression; may read device.* and sizes */
};

struct space_constraint {
    const struct expr *condition;
};

struct space {
    const char *name;
    const char *title;
    const char *path;
    const char *text;    /* of the whole file */
    struct scope *scope; /* the template's scope, slot for slot, followed by this space's lets */

    const struct space_setting *settings;
    size_t setting_count;
    const struct space_parameter *parameters;
    size_t parameter_count;
    const struct let_declaration *lets; /* of the space; evaluated in order, after the template's, lazily */
    size_t let_count;
    const struct space_constraint *constraints;
    size_t constraint_count;
    const struct space_setting *defaults;
    size_t default_count;

    struct space *const *members; /* a union has members and nothing else of the above */
    size_t member_count;

    char hash[17]; /* XXH3 of the tokens (and of the members' hashes), comments and white space left out */
};

/* Read a space file. Members of a union are read from the same folder, `<member>.space`. */
bool space_read(const char *path, const struct template *template, struct space **result, struct error *error);

/* The same from memory; members of a union are looked for in the folder of `path`. */
bool space_parse(const char *path, const char *text, size_t length, const struct template *template,
                 struct space **result, struct error *error);

void space_free(struct space *space);

#endif
