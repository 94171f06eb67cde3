/* SPDX-License-Identifier: Apache-2.0 */
/* tune list runs: the sweeps of the database, newest first. */
#include "tuner/cli/listing.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/json/json_text.h"

static bool add_run(const struct store_run_row *run, void *context)
{
    json_t **rows = context;
    char best[FIGURE_TEXT];
    figure_objective(run->objective, run->best_value, best, sizeof best);
    json_t *row =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "run",
                  (json_int_t)run->id, "template", json_string_of_bytes(run->template_name), "space",
                  json_string_of_bytes(run->space_name), "size", json_string_of_bytes(run->size), "device",
                  json_string_of_bytes(run->device_name), "strategy", json_string_of_bytes(run->strategy),
                  "objective", json_string_of_bytes(run->objective), "status", json_string_of_bytes(run->status),
                  "best", best, "evaluations", (json_int_t)run->evaluations, "failures", (json_int_t)run->failures,
                  "started", json_string_of_bytes(run->started_at), "ended", json_string_of_bytes(run->ended_at),
                  "seen", json_string_of_bytes(run->seen_at), "host", json_string_of_bytes(run->host));
    if (run->best_value > 0)
        json_put(&row, "best_value", json_finite(run->best_value));
    if (run->input_files[0])
        json_put(&row, "data", json_string_of_bytes(run->input_files));
    if (run->limits[0])
        json_put(&row, "limits", json_string_of_bytes(run->limits));
    json_append(rows, row);
    return *rows != NULL;
}

json_t *list_runs(const struct options *options, struct error *error)
{
    struct store *store = NULL;
    json_t *rows = json_array();
    bool listed = knowledge_open(options->database, &store, error) && store_runs(store, add_run, &rows, error);
    store_close(store);
    if (listed && !rows)
        error_out_of_memory(error);
    if (listed)
        return rows;
    json_decref(rows);
    return NULL;
}
