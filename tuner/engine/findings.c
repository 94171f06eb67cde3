/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/findings.h"

#include "tuner/space/limits.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };

struct loading {
    struct findings *findings;
    struct error *error;
    bool failed;
};

struct finding *findings_number(const struct findings *findings, size_t number)
{
    return &findings->chunks[number / CHUNK][number % CHUNK];
}

struct finding *findings_of(const struct findings *findings, size_t index)
{
    size_t number = 0;
    bool known = index_map_get(&findings->places, index, &number);
    assert(known);
    (void)known;
    return findings_number(findings, number);
}

static bool add_chunk(struct findings *findings)
{
    struct finding **chunks = realloc(findings->chunks, (findings->chunk_count + 1) * sizeof *chunks);
    struct finding *chunk = calloc(CHUNK, sizeof *chunk);
    if (chunks)
        findings->chunks = chunks;
    if (!chunks || !chunk) {
        free(chunk);
        return false;
    }
    chunks[findings->chunk_count++] = chunk;
    return true;
}

struct finding *findings_ensure(struct findings *findings, size_t index, struct error *error)
{
    size_t number;
    if (index_map_get(&findings->places, index, &number))
        return findings_number(findings, number);
    if ((findings->known == CHUNK * findings->chunk_count && !add_chunk(findings)) ||
        !index_map_put(&findings->places, index, findings->known)) {
        error_out_of_memory(error);
        return NULL;
    }
    struct finding *finding = findings_number(findings, findings->known++);
    finding->index = index;
    return finding;
}

void findings_make(const struct findings *findings, struct finding *finding, const struct evaluation *evaluation,
                   const char *configuration)
{
    struct judgement judgement = {0};
    bool ok = evaluation->outcome == OUTCOME_OK;
    struct error *why = findings->demand.why;
    if (ok)
        judgement = objective_judge(findings->demand.objective, findings->demand.metrics, configuration, evaluation,
                                    why && why->code == ERROR_NONE ? why : NULL);
    if (ok && findings->demand.aims &&
        !aims_costs(findings->demand.aims, findings->demand.metrics, configuration, evaluation, finding->costs,
                    why && why->code == ERROR_NONE ? why : NULL))
        judgement = (struct judgement){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    finding->outcome = evaluation->outcome;
    finding->transient = evaluation->transient > 0;
    finding->time_ns = ok ? evaluation->time_ns : 0;
    finding->value = judgement.cost;
    finding->energy_j = evaluation->energy_j;
    finding->energy_error_j = evaluation->energy_error_j;
    finding->work = evaluation->work;
    finding->low = (float)judgement.low;
    finding->high = (float)judgement.high;
    finding->seconds =
        (float)(evaluation->compile_seconds + evaluation->validate_seconds + evaluation->measure_seconds);
}

static void fill(struct findings *findings, struct finding *finding, const struct store_row *row)
{
    struct evaluation evaluation;
    store_row_evaluation(row, &evaluation);
    evaluation.validate_seconds = 0; /* rows of a resumed sweep cost what compiling and measuring did */
    findings->stored += finding->state == FINDING_NONE;
    finding->state = FINDING_STORED;
    finding->evaluation_id = row->id;
    finding->has_won = row->verdict == VERDICT_WINNER;
    finding->beaten = row->verdict >= VERDICT_TIED;
    findings_make(findings, finding, &evaluation, row->configuration);
}

bool findings_load(struct findings *findings, size_t index, const struct store_row *row, struct error *error)
{
    const char *awkward;
    if (!problem_awkward_text(findings->problem, index, &awkward, error))
        return false;
    if (!answers(&findings->demand, row, awkward))
        return true;
    struct finding *finding = findings_ensure(findings, index, error);
    if (finding)
        fill(findings, finding, row);
    return finding != NULL;
}

bool finding_has_value(const struct finding *finding)
{
    return finding->state == FINDING_MADE && finding->outcome == OUTCOME_OK && isfinite(finding->value);
}

bool findings_better(const struct findings *findings, size_t a, size_t b)
{
    const struct finding *first = findings_of(findings, a), *second = findings_of(findings, b);
    if (first->beaten != second->beaten)
        return second->beaten;
    return first->value < second->value;
}

static bool load(const struct store_row *row, void *context)
{
    struct loading *loading = context;
    size_t index;
    if (!problem_configuration_find(loading->findings->problem, row->configuration, &index))
        return true; /* of another space */
    loading->failed = !findings_load(loading->findings, index, row, loading->error);
    return !loading->failed;
}

bool findings_create(const struct problem *problem, struct store *store, const struct store_problem *identity,
                     const struct answer_demand *demand, struct findings *findings, struct error *error)
{
    *findings =
        (struct findings){.problem = problem, .demand = *demand, .count = problem_configuration_count(problem)};
    struct loading loading = {.findings = findings, .error = error};
    const char *by = demand->aims ? demand->aims->name : demand->objective->name;
    if (!store ||
        (store_finished(store, identity, by, limits_condition(demand->objective->limits), load, &loading, error) &&
         !loading.failed))
        return true;
    findings_clear(findings);
    return false;
}

void findings_clear(struct findings *findings)
{
    for (size_t i = 0; i < findings->chunk_count; i++)
        free(findings->chunks[i]);
    free(findings->chunks);
    index_map_clear(&findings->places);
    *findings = (struct findings){0};
}
