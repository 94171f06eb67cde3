/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - what to do on each level while a diagram is constructed, worked out once in advance.
 *
 * After a level's variable has taken a value, the level's program evaluates the terms that have become known, tests
 * the requirements among them, narrows the ranges of terms known in part, and tests the requirements that those
 * ranges may decide. Where a test that fails for one value must fail for others too, the values it rules out are
 * skipped (plan_trends.h). The level's key says what the levels below still depend on: prefixes of assignments with
 * the same key have the same continuations (plan_keys.h). Plans are made by planner.h.
 */
#ifndef TUNE_SPACE_PLAN_H
#define TUNE_SPACE_PLAN_H

#include "tuner/space/model.h"

enum step_kind {
    STEP_VALUE,   /* evaluate `term` */
    STEP_REQUIRE, /* test `term` */
    STEP_KNOWN,   /* store the value of `term` as a range in `slot` */
    STEP_RANGE,   /* store the range of `term` in `slot`; the slots of its operands' ranges are at `sources` */
    STEP_EXPECT,  /* test the range in `slot`, which is that of a requirement */
};

/* What a test that fails for one value says about the others. */
enum step_trend {
    TREND_NONE,
    TREND_ENDS,      /* it fails for all later values */
    TREND_BEGINS,    /* it fails for all earlier values */
    TREND_RISES,     /* an equality whose left side minus the right grows along the values: one or the other */
    TREND_FALLS,     /* the same the other way round */
    TREND_MULTIPLES, /* it holds for multiples of something known: fails until the next multiple */
    TREND_DIVISORS,  /* it holds for divisors of something known: fails until the next possible divisor */
};

struct plan_step {
    uint8_t kind, trend;
    term_id term;
    uint32_t slot;
    uint32_t sources; /* STEP_EXPECT: the slots of an equality's two sides, where it has a trend */
    term_id modulo;   /* TREND_MULTIPLES and TREND_DIVISORS: the remainder that should be zero */
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
    bool memoise;              /* can different prefixes have the same key? */
    size_t tables, tables_end; /* in plan->tabulated: terms whose values are looked up */
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
    size_t slot_count; /* for ranges; the first model->terms.count hold the terms' ranges over all values */
    size_t key_width;  /* the most words that a key has */
};

void plan_clear(struct plan *plan);

#endif
