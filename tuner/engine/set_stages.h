/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_stages.h - the stages of a sweep over many sizes: which size is visited when, and what is measured there.
 *
 * set_plan.h has the order of the sizes and the stages' shares of the budget, set_opening.h what a size begins with.
 * The anchors are visited several times, so that what is found at one is tried at the others, and learnt from.
 * Where only time is limited, no visit ends before a few results are there, as compiling alone may take longer than
 * a size's share of a short time: then fewer sizes are visited.
 * Where the budget allows to try everything at a size, everything is tried. At the end the portfolio for all sizes is
 * chosen by what is known and expected; its members are measured wherever they may be the best of it, and where the
 * tree would answer with them; and it is chosen again, until nothing is missing or the budget is spent. Then, size by
 * size, come finals of those that compete (set_finals.h). As those of a sweep of one size they are no part of the
 * budget: they take at most a tenth of the time until then, or 2 s if that is more, and no size begins later.
 *
 * A visit may still be under way when the next begins, at another size, so that workers who would wait for the last
 * results of the one have work of the other. What it has asked for is then known to the model, its results are not.
 * The first visit of all is over before the second, as nothing is known before it, and so are all visits before what
 * they found is chosen from.
 *
 * Who measures is left to the caller: the sweep of set_sweep.h, or a model in a test.
 */
#ifndef TUNE_ENGINE_SET_STAGES_H
#define TUNE_ENGINE_SET_STAGES_H

#include "tuner/dispatch/size_set.h"
#include "tuner/engine/set_opening.h"

enum set_stage { SET_ANCHORS, SET_OTHERS, SET_MISSING, SET_FINALS };

#define SET_ALL SIZE_MAX

/* What is to be done at a size now. */
struct set_visit {
    enum set_stage stage;
    size_t number, count; /* the number-th size of the stage's */
    size_t size;
    uint64_t evaluations;              /* at most; 0: not limited, or in finals none but of these: */
    double seconds;                    /* likewise; of finals, beyond the rounds that they need at least */
    uint64_t least;                    /* the time waits for so many evaluations, */
    double overtime;                   /* for no longer than these seconds */
    const struct set_opening *opening; /* in finals, its first ones are the finalists, and that is all */
};

struct set_task {
    struct problem *const *problems; /* of the sizes of the set, in its order */
    const struct size_set *set;
    size_t configurations; /* at most so many in the end */
    uint64_t seed;         /* of what is random */
    uint64_t evaluations;  /* in all, with those that the table has at the start; 0: only time is limited */
    double seconds;        /* 0: not limited */
    struct cost_table *table;

    /* Measure, and put all that is known of the size into the table; finals only when nothing else is under way. The
     * visit may go on when this returns; the opening is then no longer there. False: an error that ends it all. */
    bool (*visit)(void *context, const struct set_visit *visit, struct error *error);
    /* Is the visit of a size, which had begun, still under way? NULL: none ever is. */
    bool (*is_under_way)(void *context, size_t size);
    /* Go on until the visit of a size is over, or of all sizes with SET_ALL. False as of `visit`. */
    bool (*settle)(void *context, size_t size, struct error *error);
    double (*seconds_spent)(void *context);
    bool (*must_stop)(void *context);      /* nothing more is to be searched */
    bool (*is_interrupted)(void *context); /* nor held */
    bool finals;                           /* hold finals */
    void *context;
};

/* Go through all stages, or until it must stop. False as of `visit`, or out of memory. */
bool set_stages_run(const struct set_task *task, struct error *error);

#endif
