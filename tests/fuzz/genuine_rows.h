/* SPDX-License-Identifier: Apache-2.0 */
/*
 * genuine_rows.h - what stands in the database that database_fuzz.c changes.
 */
#ifndef TUNE_TESTS_FUZZ_GENUINE_ROWS_H
#define TUNE_TESTS_FUZZ_GENUINE_ROWS_H

#include "db/store.h"
#include "tests/fuzz/scratch.h"
#include "tests/unit/h100.h"

#include <sys/stat.h>

static const char definitions[] =
    "{\"rate\":{\"text\":\"N / time\",\"sense\":\"maximize\"},\"GB/s\":{\"text\":\"1\"}}";
static const struct store_problem problem = {.template_name = "gemm",
                                             .template_path = "/gemm.template",
                                             .template_hash = "aaaa",
                                             .space_name = "joint",
                                             .space_hash = "bbbb",
                                             .space_text = "space joint of gemm",
                                             .size = "M=64",
                                             .device = &h100,
                                             .template_metrics = definitions,
                                             .template_objective = "rate",
                                             .work.flops = 1e9,
                                             .work.bytes = 1e6,
                                             .work.special_ops = 1e7};
static const struct store_run run = {.strategy = "random",
                                     .budget = "9",
                                     .objective = "time",
                                     .seed = 1,
                                     .configurations = 3,
                                     .tune_version = "1",
                                     .host = "here"};

static inline void put_probe(struct store *store)
{
    struct error error;
    int64_t id, row;
    struct store_problem probes = problem;
    struct evaluation evaluation = evaluation_unmeasured;
    probes.template_name = STORE_PROBES;
    probes.size = "STEPS=1";
    evaluation.outcome = OUTCOME_OK;
    evaluation.time_ns = 10;
    evaluation.work.shared_traffic = 2000;
    fuzz_require(store_run_begin(store, &probes, &run, &id, &error));
    fuzz_require(store_put(store, id, "{\"PIPE\":\"shared\"}", &evaluation, &row, &error));
    fuzz_require(store_run_end(store, id, "done", &error));
}

static inline void put_online(struct store *store)
{
    static const struct store_online online = {.configuration = "{\"N\":2,\"V\":\"b\"}",
                                               .began_with = "{\"N\":1,\"V\":\"a\"}",
                                               .ratio = 0.5,
                                               .time_ns = 11,
                                               .calls = 100,
                                               .tries = 7,
                                               .tried = "[\"{\\\"N\\\":4}\"]"};
    struct error error;
    fuzz_require(store_online_put(store, &problem, &online, &error));
}

/* Shipped knowledge, a sweep with finals, what a program found, and a probe of the device. */
static inline void put_genuine_rows(struct store *store)
{
    struct error error;
    int64_t id, rows[3];
    double samples[] = {10, 11, 12}, rounds[] = {10, 10};
    static const char *const configurations[] = {"{\"N\":1,\"V\":\"a\"}", "{\"N\":2,\"V\":\"b\"}",
                                                 "{\"N\":4,\"V\":\"a\"}"};
    char known[PATH_MAX], file[PATH_MAX];
    scratch_path(known, "known");
    scratch_path(file, "known/reduction.json");
    fuzz_require(mkdir(known, 0700) == 0 && symlink(TUNE_SOURCE_FOLDER "/db/known/reduction-h100.json", file) == 0);
    fuzz_require(store_known_load(store, known, &error));
    fuzz_require(store_run_begin(store, &problem, &run, &id, &error));
    for (int i = 0; i < 3; i++) {
        struct evaluation evaluation = evaluation_unmeasured;
        evaluation.outcome = i == 2 ? OUTCOME_WRONG_RESULT : OUTCOME_OK;
        evaluation.message = (char *)(uintptr_t)(i == 2 ? "element 3 is wrong" : "");
        evaluation.time_ns = i == 2 ? 0 : 10 + i;
        evaluation.samples_ns = samples;
        evaluation.sample_count = 3;
        evaluation.energy_j = 2;
        evaluation.metrics = i == 0 ? (char[]){"{\"rate\":5,\"GB/s\":null}"} : NULL;
        evaluation.work = (struct work){.flops = 10, .shared_traffic = 1000};
        fuzz_require(store_put(store, id, configurations[i], &evaluation, &rows[i], &error));
    }
    struct store_final finals[] = {
        {.evaluation_id = rows[0], .time_ns = 10, .energy_j = -1, .ratio = 1, .rounds_ns = rounds, .round_count = 2},
        {.evaluation_id = rows[1],
         .time_ns = 11,
         .energy_j = -1,
         .ratio = 1.1,
         .rounds_ns = rounds,
         .round_count = 2}};
    fuzz_require(store_finals_put(store, id, finals, 2, &error));
    fuzz_require(store_run_end(store, id, "done", &error));
    put_probe(store);
    put_online(store);
}

#endif
