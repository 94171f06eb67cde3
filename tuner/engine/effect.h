/* SPDX-License-Identifier: Apache-2.0 */
/*
 * effect.h - parameters that had no effect on what a sweep compiled and launched.
 *
 * Such a parameter multiplies the space and measures the same program again and again; usually its macro is
 * misspelt in a source, shadowed by a constant of the same meaning, or read only by code that is left out. Two
 * findings are told apart:
 *
 *   - No source mentions the parameter, nor does an expression of the template. That is known without compiling
 *     anything, and is what `tune show` reports, too.
 *   - The template's expressions (launches, extents, conditions of sources and options, lets, work) do not use it, so
 *     it can act only through the image; and wherever the sweep knows the images of configurations that differ in
 *     nothing else, these are the same, byte by byte (XXH3-64). One different image clears a parameter, as does a
 *     configuration that compiles beside one that is a compile error. So that no parameter is blamed for what a short
 *     sweep happened to try, this takes EFFECT_PAIRS_LEAST pairs, or the images of all valid configurations.
 *
 * Images may agree on one device and differ on another: the CPU device ignores `#pragma unroll` and
 * `__launch_bounds__`, since neither says anything to a host's compiler. There the note says so. The reverse, an
 * image that differs without cause, only keeps a note from being made.
 *
 * Rows that the database had are not compiled and thus have no image. A configuration takes 16 bytes, in a table that
 * is at most half full; images are not kept.
 */
#ifndef TUNE_ENGINE_EFFECT_H
#define TUNE_ENGINE_EFFECT_H

#include "tuner/space/index_map.h"
#include "tuner/workers/candidate.h"

enum { EFFECT_PAIRS_LEAST = 3 };

/* What a sweep learns, configuration by configuration. All zero: nothing yet. */
struct effects {
    struct index_map images; /* from configuration to the hash of its image */
};
void effects_clear(struct effects *effects);

/* Note the image of a finished candidate, or that it does not compile. False: out of memory. */
bool effects_note(struct effects *effects, const struct candidate *candidate);

/* A parameter without effect. */
struct idle_parameter {
    const char *name; /* the template's */
    size_t pairs;     /* of configurations that differ only in it and have the same image; 0: nothing mentions it */
};

struct idle_parameters {
    struct idle_parameter *list;
    size_t count;
};

/* The parameters without effect, in the template's order. False: out of memory. */
bool effects_find(const struct effects *effects, const struct problem *problem, struct idle_parameters *idle,
                  struct error *error);
void idle_parameters_clear(struct idle_parameters *idle);

/* "UNROLL had no effect: ..." Allocated; NULL: out of memory. */
char *idle_parameter_text(const struct idle_parameter *idle, const struct problem *problem);

#endif
