/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - what is to be done on each level of a diagram's construction, worked out once.
 *
 * When a level's variable has got a value, its program evaluates the terms that have become known, tests the
 * requirements among them, and narrows the ranges of terms that are known in part, whose requirements it tests as far
 * as their ranges decide them; where a test that fails for one value fails for those behind or before it as well,
 * these are left out. Its key then says what the levels below still depend on: two prefixes of assignments with the
 * same key have the same ways on. A requirement that its range has decided is not in the key, nor is an operand that
 * no longer matters.
 */
#ifndef TUNE_SPACE_PLAN_H
#define TUNE_SPACE_PLAN_H

#include "tuner/space/model.h"

enum step_kind {
    STEP_VALUE,   /* evaluate `term` */
    STEP_REQUIRE, /* test `term` */
    STEP_KNOWN,   /* the value of `term` as a range, into slot `slot` */
    STEP_RANGE,   /* the range of `term` from those of its operands, whose slots are at `sources`, into slot `slot` */
    STEP_EXPECT,  /* test the range in `slot` of a requirement */
};

/* What a test that fails for one value tells about the others. */
enum step_trend {
    TREND_NONE,
    TREND_ENDS,      /* it fails for all values behind */
    TREND_BEGINS,    /* it fails for all values before */
    TREND_RISES,     /* an equality whose left side, less the right, grows along the values: behind or before */
    TREND_FALLS,     /* the same the other way round */
    TREND_MULTIPLES, /* it wants multiples of something known: until the next one */
    TREND_DIVISORS,  /* it wants divisors of something known: until the next one is possible */
};

struct plan_step {
    uint8_t kind, trend;
    term_id term;
    uint32_t slot;
    uint32_t sources; /* of STEP_EXPECT: of the two sides of an equality with a trend */
    term_id modulo;   /* of TREND_MULTIPLES and TREND_DIVISORS: what should be zero */
};

enum key_kind {
    KEY_INTEGER, /* the value of `term`, which is an integer or a boolean */
    KEY_VALUE,   /* the value of `term`, of any kind */
    KEY_UNLESS,  /* skip to `target` if the range in `slot` is decided */
    KEY_BRANCH,  /* skip to `target` if `term` is false */
    KEY_JUMP,    /* skip to `target` */
};

struct key_step {
    uint8_t kind;
    term_id term;
    uint32_t slot, target;
};

struct plan_level {
    size_t variable;
    bool memoise;              /* may different prefixes have the same key? */
    size_t tables, tables_end; /* of plan->tabulated: terms whose values are read from tables */
    size_t steps, steps_end;
    size_t keys, keys_end;
};

struct plan {
    const struct model *model;
    struct plan_level *levels;
    size_t level_count;
    term_id *tabulated;
    struct plan_step *steps;
    struct key_step *keys;
    uint32_t *sources; /* slots of ranges */
    size_t tabulated_count, step_count, key_count, source_count;
    size_t tabulated_capacity, step_capacity, key_capacity, source_capacity;
    size_t slot_count; /* of ranges; the first are the terms' own */
    size_t key_width;  /* the most words of a key */
};

/* False when out of memory. */
bool plan_create(struct plan *plan, const struct model *model, const size_t *order, const size_t *group_of);
void plan_clear(struct plan *plan);

#endif
