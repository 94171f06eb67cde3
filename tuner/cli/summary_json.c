/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a sweep for --json. */
#include "tuner/cli/summary.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/json/json_text.h"

static json_t *row_json(const struct summary_row *row, const struct ceilings *ceilings)
{
    const struct share share = ceilings_share(ceilings, &row->work, row->time_ns);
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:b, s:b}", "configuration",
        json_of_text(row->configuration), "time_ns", json_finite(row->time_ns), "low_ns", json_finite(row->low_ns),
        "high_ns", json_finite(row->high_ns), "gflops", json_finite(row->work.flops / row->time_ns),
        "percent_of_peak", json_finite(share.percent), "registers", (json_int_t)row->registers, "spill_bytes",
        (json_int_t)row->spill_bytes, "shared_bytes", (json_int_t)row->shared_bytes, "occupancy",
        json_finite(row->occupancy), "tied", (int)(row->rank == RANK_TIED), "finalist", (int)row->was_final);
    json_put_limit(&object, &share);
    if (row->metrics[0])
        json_put(&object, "metrics", json_of_text(row->metrics));
    if (row->device_ns > 0)
        json_put(&object, "device_ns", json_finite(row->device_ns));
    if (row->energy_j > 0) {
        json_put(&object, "energy_j", json_finite(row->energy_j));
        json_put(&object, "energy_error_j", json_finite(row->energy_error_j));
        json_put(&object, "gflops_per_watt", json_finite(row->work.flops / row->energy_j * 1e-9));
    }
    return object;
}

json_t *summary_json(const struct result_summary *summary)
{
    json_t *best = json_array(), *failed = json_object();
    for (size_t i = 0; i < summary->best_count; i++)
        json_append(&best, row_json(&summary->best[i], &summary->ceilings));
    for (int kind = OUTCOME_OK + 1; kind < OUTCOME_COUNT; kind++) {
        if (summary->failed[kind])
            json_put(&failed, outcome_name((enum outcome)kind), json_integer((json_int_t)summary->failed[kind]));
    }
    return json_pack("{s:o, s:o}", "best", best, "failed", failed);
}
