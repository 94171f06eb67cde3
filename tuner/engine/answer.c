/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/answer.h"

#include "tuner/space/limits.h"

#include <string.h>

/* Sizes are equal if their texts are: both are canonical. */
static bool validated_alike(const struct store_row *row, const char *awkward)
{
    if (strcmp(row->awkward, STORE_AWKWARD_UNKNOWN) == 0)
        return false;
    const char *least = row->outcome == OUTCOME_OK ? awkward : row->awkward;
    return *least == '\0' || strcmp(row->awkward, awkward) == 0;
}

/* It has no figures but those of its image. */
static bool is_outside(const struct limits *limits, const struct store_row *row)
{
    struct evaluation evaluation;
    if (!limits)
        return false;
    store_row_evaluation(row, &evaluation);
    return !limits_hold_of_image(limits, &evaluation, NULL);
}

bool answers(const struct answer_demand *demand, const struct store_row *row, const char *awkward)
{
    if (row->outcome == OUTCOME_LIMIT)
        return is_outside(demand->objective->limits, row);
    if (row->transient || !validated_alike(row, awkward))
        return false;
    switch (row->outcome) {
    case OUTCOME_OK:
        return !demand->objective->needs_energy || row->energy_j > 0;
    case OUTCOME_COMPILE_TIMEOUT:
        return row->deadline_seconds >= demand->compile_deadline;
    case OUTCOME_TIMEOUT:
        return row->deadline_seconds >= demand->measure_deadline;
    default:
        return true;
    }
}

bool answer_stands(const struct problem *problem, size_t index, const struct store_row *row, bool *stands,
                   struct error *error)
{
    const char *awkward;
    *stands = false;
    if (!problem_awkward_text(problem, index, &awkward, error))
        return false;
    *stands = validated_alike(row, awkward);
    return true;
}
