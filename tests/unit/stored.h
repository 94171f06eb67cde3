/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stored.h - results in a database, as if a sweep had found them.
 */
#ifndef TUNE_TESTS_STORED_H
#define TUNE_TESTS_STORED_H

#include "db/store.h"
#include "tuner/lang/template.h"

/* Of a template and its space "usual". */
static inline struct store_problem stored_problem(const struct template *template, const char *size,
                                                  const struct device_description *device)
{
    return (struct store_problem){.template_name = template->name,
                                  .template_path = template->path,
                                  .template_hash = template->hash,
                                  .space_name = "usual",
                                  .space_hash = "bbbb",
                                  .space_text = "a space of the test's",
                                  .size = size,
                                  .device = device};
}

/* A valid result, by a sweep of its own. */
static inline bool stored_put(struct store *store, const struct store_problem *problem, const char *configuration,
                              double time_ns, struct error *error)
{
    int64_t run, id;
    char message[] = "";
    const struct evaluation evaluation = {.outcome = OUTCOME_OK, .message = message, .time_ns = time_ns};
    const struct store_run sweep = {.strategy = "exhaustive",
                                    .budget = "",
                                    .objective = "time",
                                    .configurations = 8,
                                    .tune_version = "0.1.0",
                                    .host = "here"};
    return store_run_begin(store, problem, &sweep, &run, error) &&
           store_put(store, run, configuration, &evaluation, &id, error) && store_run_end(store, run, "done", error);
}

#endif
