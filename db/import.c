/* SPDX-License-Identifier: Apache-2.0 */
/* Import results of other tools, in one transaction. */
#include "db/evaluations.h"

#include "tuner/json/json_text.h"

#include <stdlib.h>

/* A text that is not a JSON object would spoil every document that quotes it. */
static bool check_configuration(const char *configuration, struct error *error)
{
    json_t *json;
    if (!json_try(configuration, JSON_REJECT_DUPLICATES, &json, error))
        return false;
    bool object = json_is_object(json);
    json_decref(json);
    return object || error_set(error, ERROR_INPUT, "the configuration %.200s is not a JSON object", configuration);
}

static bool import_row(struct store *store, int64_t problem, size_t index, store_import_reader *read, void *context,
                       struct error *error)
{
    struct store_import_row row = {.configuration = NULL};
    int64_t id;
    return read(index, &row, context, error) && check_configuration(row.configuration, error) &&
           evaluation_write(store, problem, row.configuration, &row.evaluation, ORIGIN_IMPORTED, row.measured_at, &id,
                            error);
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
