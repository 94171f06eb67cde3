/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/simulate_result.h"

#include <stdlib.h>
#include <string.h>

bool simulate_name_spaces(struct simulate_result *result, struct error *error)
{
    char **names = calloc(result->space_count, sizeof *names);
    result->space_names = names;
    if (!names)
        return error_out_of_memory(error);
    for (size_t i = 0; i < result->space_count; i++) {
        const char *name = result->spaces[i]->recording->name;
        size_t before = 0;
        for (size_t j = 0; j < i; j++)
            before += strcmp(result->spaces[j]->recording->name, name) == 0;
        int length = before ? asprintf(&names[i], "%s (%zu)", name, before + 1) : asprintf(&names[i], "%s", name);
        if (length < 0) {
            names[i] = NULL;
            return error_out_of_memory(error);
        }
    }
    return true;
}

bool simulate_allocate(struct simulate_result *result, size_t strategies, struct error *error)
{
    result->names = calloc(strategies + 1, sizeof(char *));
    result->scores = calloc(strategies + 1, sizeof(struct score *));
    result->means = calloc(strategies + 1, sizeof *result->means);
    return (result->names && result->scores && result->means) || error_out_of_memory(error);
}

void simulate_insert(struct simulate_result *result, const char *name, const struct score *scores)
{
    struct score mean;
    score_mean(scores, result->space_count, &mean);
    size_t at = result->strategy_count++;
    for (; at > 0 && result->means[at - 1].p < mean.p; at--) {
        result->means[at] = result->means[at - 1];
        result->names[at] = result->names[at - 1];
        result->scores[at] = result->scores[at - 1];
    }
    result->means[at] = mean;
    result->names[at] = name;
    result->scores[at] = scores;
}

void simulate_result_clear(struct simulate_result *result)
{
    for (size_t i = 0; result->space_names && i < result->space_count; i++)
        free(result->space_names[i]);
    free(result->space_names);
    free(result->means);
    free(result->scores);
    free(result->names);
    *result = (struct simulate_result){0};
}
