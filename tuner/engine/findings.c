#include "tuner/engine/findings.h"

#include <stdlib.h>

struct loading {
    const struct problem *problem;
    struct findings *findings;
};

static bool load(const struct store_row *row, void *context)
{
    const struct loading *loading = context;
    size_t index;
    if (!problem_configuration_find(loading->problem, row->configuration, &index))
        return true; /* of another space of the template */
    struct finding *finding = &loading->findings->of[index];
    loading->findings->stored += finding->state == FINDING_NONE;
    *finding = (struct finding){
        .state = FINDING_STORED,
        .outcome = row->outcome,
        .evaluation_id = row->id,
        .time_ns = row->time_ns,
    };
    return true;
}

bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     struct findings *findings, struct error *error)
{
    *findings = (struct findings){.count = problem_configuration_count(problem)};
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
