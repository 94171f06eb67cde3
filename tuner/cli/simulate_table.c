/* SPDX-License-Identifier: Apache-2.0 */
/* The scores of `tune simulate` as a table: a line a strategy, overall and then each recording. */
#include "tuner/cli/simulate_result.h"
#include "tuner/cli/table.h"

#include <stdlib.h>

static void print_spaces(const struct simulate_result *result, FILE *stream)
{
    static const char *const headings[] = {"recording",  ">configurations", ">valid", ">optimum ms",
                                           ">median ms", ">from s",         ">to s",  ">random draws"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    if (!table)
        return;
    for (size_t i = 0; i < result->space_count; i++) {
        const struct simulated_space *space = result->spaces[i];
        table_cell(table, "%s", result->space_names[i]);
        table_cell(table, "%zu", space->count);
        table_cell(table, "%zu", space->valid);
        table_cell(table, "%.4g", space->objectives[0] * 1e-6);
        table_cell(table, "%.4g", space->median * 1e-6);
        table_cell(table, "%.4g", space->begin);
        table_cell(table, "%.4g", space->end);
        table_cell(table, "%.4g", space->draws);
    }
    table_print(table, stream);
    table_free(table);
}

static void score_cell(struct table *table, const struct score *score)
{
    table_cell(table, "%.3f [%.3f, %.3f]", score->p, score->low, score->high);
}

void simulate_table(const struct simulate_result *result, FILE *stream)
{
    print_spaces(result, stream);
    fputs("\nScore P: 0 is random search, 1 the optimum from the start; with 95 % confidence intervals.\n\n", stream);
    size_t columns = result->space_count + 2;
    const char **headings = calloc(columns, sizeof *headings);
    struct table *table = headings ? table_create(headings, columns) : NULL;
    if (!table) {
        free(headings);
        return;
    }
    headings[0] = "strategy";
    headings[1] = "overall";
    for (size_t i = 0; i < result->space_count; i++)
        headings[2 + i] = result->space_names[i];
    for (size_t i = 0; i < result->strategy_count; i++) {
        table_cell(table, "%s", result->names[i]);
        score_cell(table, &result->means[i]);
        for (size_t j = 0; j < result->space_count; j++)
            score_cell(table, &result->scores[i][j]);
    }
    table_print(table, stream);
    table_free(table);
    free(headings);
}
