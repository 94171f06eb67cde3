#include "tuner/engine/findings.h"

#include <stdlib.h>
#include <string.h>

struct loading {
    const struct problem *problem;
    struct findings *findings;
};

static bool falls_short(const struct findings_demand *demand, const struct store_row *row)
{
    switch (row->outcome) {
    case OUTCOME_OK:
        return demand->objective->needs_energy && !(row->energy_j > 0);
    case OUTCOME_COMPILE_TIMEOUT:
        return row->compile_seconds < demand->compile_deadline;
    case OUTCOME_TIMEOUT:
        return row->measure_seconds < demand->measure_deadline;
    default:
        return false;
    }
}

void findings_make(struct findings *findings, size_t index, const struct evaluation *evaluation)
{
    struct finding *finding = &findings->of[index];
    const struct objective *objective = findings->demand.objective;
    double low = 0, high = 0;
    bool ok = evaluation->outcome == OUTCOME_OK;
    if (ok)
        objective_interval(objective, evaluation, &low, &high);
    finding->outcome = evaluation->outcome;
    finding->time_ns = ok ? evaluation->time_ns : 0;
    finding->value = ok ? objective->value(evaluation) : 0;
    finding->low = (float)low;
    finding->high = (float)high;
}

bool findings_load(struct findings *findings, size_t index, const struct store_row *row)
{
    if (falls_short(&findings->demand, row))
        return false;
    struct finding *finding = &findings->of[index];
    const struct evaluation evaluation = {
        .outcome = row->outcome,
        .time_ns = row->time_ns,
        .time_low_ns = row->time_low_ns,
        .time_high_ns = row->time_high_ns,
        .energy_j = row->energy_j,
        .energy_error_j = row->energy_error_j,
    };
    findings->stored += finding->state == FINDING_NONE;
    finding->state = FINDING_STORED;
    finding->evaluation_id = row->id;
    finding->was_final = row->was_final;
    finding->beaten = row->beaten && strcmp(row->lost_by, findings->demand.objective->name) == 0;
    findings_make(findings, index, &evaluation);
    return true;
}

bool findings_better(const struct findings *findings, size_t a, size_t b)
{
    const struct finding *first = &findings->of[a], *second = &findings->of[b];
    if (first->beaten != second->beaten)
        return second->beaten;
    return first->value < second->value;
}

static bool load(const struct store_row *row, void *context)
{
    const struct loading *loading = context;
    size_t index;
    if (problem_configuration_find(loading->problem, row->configuration, &index)) /* else of another space */
        findings_load(loading->findings, index, row);
    return true;
}

bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     const struct findings_demand *demand, struct findings *findings, struct error *error)
{
    *findings = (struct findings){.demand = *demand, .count = problem_configuration_count(problem)};
    findings->of = calloc(findings->count + 1, sizeof *findings->of);
    if (!findings->of)
        return error_set(error, ERROR_SYSTEM, "out of memory for %zu configurations", findings->count);
    struct loading loading = {problem, findings};
    if (store && !store_finished(store, identity, load, &loading, error)) {
        findings_clear(findings);
        return false;
    }
    return true;
}

void findings_clear(struct findings *findings)
{
    free(findings->of);
    *findings = (struct findings){0};
}
