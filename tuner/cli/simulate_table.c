/* SPDX-License-Identifier: Apache-2.0 */
/* The scores of `tune simulate` as a table: one line per strategy, overall and then by recording. */
#include "tuner/cli/figures.h"
#include "tuner/cli/simulate_result.h"
#include "tuner/cli/table.h"
#include "tuner/error/visible.h"

#include <stdlib.h>

static void value_cell(struct table *table, const struct simulated_space *space, double value)
{
    char text[FIGURE_TEXT];
    figure_objective(space->values.objective, value, text, sizeof text);
    table_cell(table, "%s", text);
}

static bool print_spaces(const struct simulate_result *result, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"recording", ">configurations", ">valid", "objective",    ">optimum",
                                           ">median",   ">from s",         ">to s",  ">random draws"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < result->space_count; i++) {
        const struct simulated_space *space = result->spaces[i];
        table_cell(table, "%s", result->space_names[i]);
        table_cell(table, "%zu", space->count);
        table_cell(table, "%zu", space->valid);
        table_cell(table, "%s", space->values.objective);
        value_cell(table, space, space->objectives[0]);
        value_cell(table, space, space->median);
        table_cell(table, "%.4g", space->begin);
        table_cell(table, "%.4g", space->end);
        table_cell(table, "%.4g", space->draws);
    }
    return table_print(table, out, error);
}

static void free_headings(char **headings)
{
    for (size_t i = 0; headings[i]; i++)
        free(headings[i]);
    free(headings);
}

static void score_cell(struct table *table, const struct score *score)
{
    table_cell(table, "%.3f [%.3f, %.3f]", score->p, score->low, score->high);
}

static bool print_scores(const struct simulate_result *result, const char *const *headings,
                         const struct terminal *out, struct error *error)
{
    struct table *table = table_create(headings, result->space_count + 2);
    for (size_t i = 0; i < result->strategy_count; i++) {
        if (i == 0)
            table_mark_best(table);
        table_cell(table, "%s", result->names[i]);
        score_cell(table, &result->means[i]);
        for (size_t j = 0; j < result->space_count; j++)
            score_cell(table, &result->scores[i][j]);
    }
    return table_print(table, out, error);
}

/* "strategy", "overall" and the recordings, ended by NULL; the array and its strings are allocated. */
static char **score_headings(const struct simulate_result *result, struct error *error)
{
    static const char *const first[] = {"strategy", "overall"};
    enum { FIRST = sizeof first / sizeof *first };
    char **headings = calloc(FIRST + result->space_count + 1, sizeof *headings);
    for (size_t i = 0; headings && i < FIRST + result->space_count; i++) {
        const char *text = i < FIRST ? first[i] : result->space_names[i - FIRST];
        char *shown = visible_text(text, VISIBLE_ONE_LINE);
        bool made = shown && asprintf(&headings[i], "<%s", shown) >= 0;
        free(shown);
        if (made)
            continue;
        headings[i] = NULL;
        free_headings(headings);
        headings = NULL;
    }
    if (!headings)
        error_out_of_memory(error);
    return headings;
}

static void until_cells(struct table *table, const struct score_until *until)
{
    table_cell(table, "%.1f %%", 100 * until->stopped);
    table_cell(table, until->stopped > 0 ? "%.1f %%" : "-", 100 * until->right / until->stopped);
    table_cell(table, "%.1f %%", 100 * until->saved);
    table_cell(table, "%.0f", until->evaluations);
}

/* How often searches stopped by themselves, and were right. Traces of others' searches do not say. */
static bool print_until(const struct simulate_result *result, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"strategy", "recording", ">stopped", ">right", ">saved", ">evaluations"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < result->strategy_count; i++) {
        table_cell(table, "%s", result->names[i]);
        table_cell(table, "overall");
        until_cells(table, &result->means[i].until);
        for (size_t j = 0; result->space_count > 1 && j < result->space_count; j++) {
            table_cell(table, "%s", result->names[i]);
            table_cell(table, "%s", result->space_names[j]);
            until_cells(table, &result->scores[i][j].until);
        }
    }
    return table_print(table, out, error);
}

static void within_cells(struct table *table, const struct score_within *within)
{
    table_cell(table, "%.1f", within->median);
    table_cell(table, "%.1f", within->most);
    table_cell(table, "%.0f %%", 100 * within->early);
}

/* When searches came near the optimum. Traces of others' searches do not say. */
static bool print_within(const struct simulate_result *result, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"strategy", "recording", ">median", ">nine in ten", ">after 15"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < result->strategy_count; i++) {
        if (result->means[i].within.median == 0)
            continue;
        table_cell(table, "%s", result->names[i]);
        table_cell(table, "overall");
        within_cells(table, &result->means[i].within);
        for (size_t j = 0; result->space_count > 1 && j < result->space_count; j++) {
            table_cell(table, "%s", result->names[i]);
            table_cell(table, "%s", result->space_names[j]);
            within_cells(table, &result->scores[i][j].within);
        }
    }
    return table_print(table, out, error);
}

bool simulate_table(const struct simulate_result *result, const struct options *options, const struct terminal *out,
                    struct error *error)
{
    double until = options->until;
    char **headings = score_headings(result, error);
    if (!headings)
        return false;
    bool done = print_spaces(result, out, error);
    if (done)
        fputs("\nScore P: 0 is random search, 1 finds the optimum at once; with 95 % confidence intervals.\n\n",
              out->stream);
    done = done && print_scores(result, (const char *const *)headings, out, error);
    free_headings(headings);
    if (done && until > 0)
        fprintf(out->stream,
                "\nUntil %g %%: searches that stopped before all was evaluated; those of them whose best was "
                "within %g %% of the\noptimum; configurations that were not evaluated.\n\n",
                100 * until, 100 * until);
    done = done && (until <= 0 || print_until(result, out, error));
    if (done && options->within > 0)
        fprintf(out->stream,
                "\nWithin %g %% of the optimum: evaluations that it took half of the searches and nine in ten of "
                "them, and the share\nthat was there after %d.\n\n",
                100 * options->within, SCORE_EARLY);
    return done && (options->within <= 0 || print_within(result, out, error));
}
