/* SPDX-License-Identifier: Apache-2.0 */
/* Import results of other tools, in one transaction. */
#include "db/evaluations.h"

#include <stdlib.h>

static bool import_row(struct store *store, int64_t problem, size_t index, store_import_reader *read, void *context,
                       struct error *error)
{
    struct store_import_row row = {.configuration = NULL};
    int64_t id;
    return read(index, &row, context, error) && evaluation_write(store, problem, row.configuration, &row.evaluation,
                                                                 ORIGIN_IMPORTED, row.measured_at, &id, error);
}

bool store_import(struct store *store, const struct store_import *import, size_t count, store_import_reader *read,
                  void *context, struct error *error)
{
    int64_t id;
    char *hash;
    struct device_description device = {.kind = "imported"};
    struct store_problem problem = {
        .template_name = import->kernel,
        .template_path = import->path,
        .template_metrics = import->definitions,
        .template_objective = import->objective && import->objective[0] ? import->objective : NULL,
        .size = import->size,
        .device = &device,
    };
    snprintf(device.name, sizeof device.name, "%s", import->device_name);
    if (asprintf(&hash, "imported:%s", import->kernel) < 0)
        return error_out_of_memory(error);
    problem.template_hash = hash;
    bool done = transaction_begin(store, error);
    if (done) {
        done = problem_ensure(store, &problem, ORIGIN_IMPORTED, &id, error);
        for (size_t i = 0; done && i < count; i++)
            done = import_row(store, id, i, read, context, error);
        done = transaction_end(store, done, error);
    }
    free(hash);
    return done;
}
