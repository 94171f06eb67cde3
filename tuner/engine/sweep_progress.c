/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_progress.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/sweep_budget.h"

#include <math.h>

/* From the rate of evaluations so far; rows that the database has cost nothing. */
static double seconds_left(const struct sweep *sweep, double elapsed)
{
    const struct sweep_progress *progress = &sweep->summary->progress;
    size_t left = progress->total - progress->done;
    if (sweep->options->budget_evaluations == 0)
        left = left > sweep->findings.stored ? left - sweep->findings.stored : 0;
    double seconds = left == 0 ? 0 : sweep->made > 0 ? elapsed / (double)sweep->made * (double)left : -1;
    double budget = sweep->options->budget_seconds, unspent = fmax(0, budget - sweep_seconds_spent(sweep));
    return budget > 0 && (seconds < 0 || seconds > unspent) ? unspent : seconds;
}

void sweep_report(struct sweep *sweep, const struct evaluation *evaluation, const char *configuration)
{
    struct sweep_progress *progress = &sweep->summary->progress;
    progress->total = sweep_total(sweep);
    progress->seconds = monotonic_seconds() - sweep->started;
    progress->seconds_left = seconds_left(sweep, progress->seconds);
    progress->load = fleet_load(sweep->kept->fleet);
    if (sweep->observe)
        sweep->observe(progress, evaluation, configuration, sweep->context);
}

void sweep_report_row(struct sweep *sweep, const struct evaluation *evaluation, const char *configuration)
{
    struct sweep_progress *progress = &sweep->summary->progress;
    progress->done++;
    if (evaluation->outcome != OUTCOME_OK)
        progress->failed[evaluation->outcome]++;
    sweep_report(sweep, evaluation, configuration);
}

void sweep_count_undefined(struct sweep *sweep, const struct finding *finding)
{
    sweep->summary->progress.undefined += finding->outcome == OUTCOME_OK && !isfinite(finding->value);
}
