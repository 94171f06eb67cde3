/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_budget.h"

#include "tuner/device/monotonic.h"
#include "tuner/search/stopping.h"

#include <stdio.h>
#include <string.h>

size_t sweep_total(const struct sweep *sweep)
{
    size_t all = sweep->findings.count;
    uint64_t budget = sweep->options->budget_evaluations;
    size_t reused = sweep->summary->progress.reused;
    return budget > 0 && budget < all - reused ? reused + (size_t)budget : all;
}

double sweep_seconds_spent(const struct sweep *sweep)
{
    return monotonic_seconds() - sweep->started - sweep->held_up -
           (sweep->kept->fleet ? fleet_seconds_held_up(sweep->kept->fleet) : 0);
}

bool sweep_is_interrupted(const struct sweep *sweep)
{
    return sweep->options->interrupted && *sweep->options->interrupted;
}

bool sweep_is_impatient(const struct sweep *sweep)
{
    return sweep->options->interrupted && *sweep->options->interrupted > 1;
}

size_t sweep_results(const struct sweep *sweep)
{
    return sweep->made + sweep->summary->progress.reused;
}

bool sweep_all_made(const struct sweep *sweep)
{
    return sweep_results(sweep) >= sweep->findings.count;
}

bool sweep_all_asked(const struct sweep *sweep)
{
    return sweep->submitted + sweep->summary->progress.reused >= sweep->findings.count;
}

bool sweep_budget_spent(const struct sweep *sweep)
{
    uint64_t budget = sweep->options->budget_evaluations;
    return budget > 0 && sweep->submitted >= budget;
}

static bool is_late(const struct sweep *sweep)
{
    const struct sweep_options *options = sweep->options;
    double limit = options->budget_seconds, spent = sweep_seconds_spent(sweep);
    if (!(limit > 0) || spent < limit)
        return false;
    return sweep->made >= options->least_evaluations || spent >= limit + options->overtime_seconds;
}

/* What waits belongs to all that are under way: of one that stops alone, it is evaluated. */
static void drop_waiting(const struct sweep *sweep)
{
    for (const struct sweep *other = sweep->kept->sweeps; other; other = other->next) {
        if (!other->stopping)
            return;
    }
    fleet_drop_waiting(sweep->kept->fleet);
}

void sweep_look_around(struct sweep *sweep)
{
    const struct sweep_options *options = sweep->options;
    if (sweep->stopping)
        return;
    bool late = is_late(sweep);
    bool in_vain = options->patience > 0 && sweep->fruitless >= options->patience;
    if (sweep_is_interrupted(sweep))
        sweep->stopping = "interrupted";
    else if (late || in_vain)
        sweep->stopping = "budget";
    if (sweep->stopping)
        drop_waiting(sweep);
}

void sweep_expect(struct sweep *sweep)
{
    if (sweep->stopping || !sweep->until || !stopping_says(sweep->until))
        return;
    sweep->stopping = "budget";
    sweep->summary->expects_little = true;
    drop_waiting(sweep);
}

const char *sweep_status(const struct sweep *sweep)
{
    if (sweep->stopping)
        return sweep->stopping;
    return sweep_budget_spent(sweep) && !sweep_all_made(sweep) ? "budget" : "done";
}

char *sweep_budget_text(const struct sweep_options *options)
{
    char *text = NULL;
    int length;
    if (options->budget_text && options->budget_text[0])
        return strdup(options->budget_text);
    if (options->budget_evaluations > 0)
        length = asprintf(&text, "%llu", (unsigned long long)options->budget_evaluations);
    else if (options->budget_seconds > 0)
        length = asprintf(&text, "%gs", options->budget_seconds);
    else if (options->until > 0)
        length = asprintf(&text, "until %g%%", 100 * options->until);
    else
        return strdup("");
    return length < 0 ? NULL : text;
}

size_t sweep_evaluations_allowed(const struct sweep_options *options, const struct findings *findings)
{
    uint64_t budget = options->budget_evaluations;
    if (options->budget_seconds > 0 || options->patience > 0 || options->until > 0)
        return 0;
    bool limited = budget > 0 && budget < findings->count - findings->stored;
    return limited ? findings->stored + (size_t)budget : findings->count;
}
