/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_model_sweep.h - what size_model sweeps: sizes like those of sizes.py, or of a recording, what is true there by
 * gemm_model.h, or as recorded, and a sweep of one of them.
 */
#ifndef TUNE_TESTS_BENCH_SIZE_MODEL_SWEEP_H
#define TUNE_TESTS_BENCH_SIZE_MODEL_SWEEP_H

#include "tests/bench/size_recording.h"
#include "tuner/engine/set_stages.h"

struct judge {
    size_t sizes, each, configurations, every, folds;
    uint64_t seed;
    int part;
    bool verbose;
    struct size_recording recording; /* no sizes: gemm_model.h */
    struct template *template;
    struct space *space;
    struct size_set set; /* what is swept */
    struct problem **problems;
    double *optimum;
    struct cost_table table;
    size_t evaluations;
    size_t beside;           /* visits under way while another begins */
    struct cost_table later; /* their results, also of those that are over */
    size_t *open, open_count;
};

/* As a text for size_set_parse: those of the part, or with `others` the rest; of part 2, as many more. */
char *write_sizes(const struct judge *judge, bool others);

/* Problems of these sizes, and the optimum of each. */
bool make_problems(const struct judge *judge, const struct size_set *set, struct problem ***problems,
                   double **optimum, struct error *error);

/* Nanoseconds of a configuration, without noise. */
double true_time(const struct judge *judge, const struct problem *problem, const char *configuration);

/* What a sweep would find that measured everything everywhere, without noise. */
bool know_everything(const struct judge *judge, struct cost_table *table, struct error *error);

/* A search of one size, and how it ends later than the next begins, as the set_task of a judge asks for it. */
bool sweep_size(void *context, const struct set_visit *visit, struct error *error);
bool sweep_is_open(void *context, size_t size);
bool sweep_settle(void *context, size_t size, struct error *error);

#endif
