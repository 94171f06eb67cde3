/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/closing.h"
#include "tuner/engine/identity.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void clear_row(struct closing_row *row)
{
    free(row->configuration);
    *row = (struct closing_row){0};
}

static double value_of(const struct closing *closing, const struct store_row *row)
{
    const struct evaluation evaluation = {.time_ns = row->time_ns, .energy_j = row->energy_j};
    return closing->objective->value(&evaluation);
}

static bool is_beaten(const struct closing *closing, const struct store_row *row)
{
    return row->beaten && strcmp(row->lost_by, closing->objective->name) == 0;
}

static void insert_best(struct closing *closing, const struct store_row *row)
{
    size_t at = closing->best_count;
    double value = value_of(closing, row);
    bool wins = row->id == closing->winner;
    if (!isfinite(value))
        return;
    while (at > 0 && (wins || (closing->best[at - 1].value > value && closing->best[at - 1].id != closing->winner)))
        at--;
    if (at == CLOSING_BEST)
        return;
    if (closing->best_count == CLOSING_BEST)
        clear_row(&closing->best[CLOSING_BEST - 1]);
    else
        closing->best_count++;
    memmove(&closing->best[at + 1], &closing->best[at], (closing->best_count - 1 - at) * sizeof *closing->best);
    closing->best[at] = (struct closing_row){
        .id = row->id,
        .configuration = strdup(row->configuration),
        .tied = is_beaten(closing, row) && row->tied,
        .value = value,
        .energy_j = row->energy_j,
        .energy_error_j = row->energy_error_j,
        .time_ns = row->time_ns,
        .low_ns = row->time_low_ns,
        .high_ns = row->time_high_ns,
        .flops = row->flops,
        .bytes = row->bytes,
        .peak_flops = row->peak_flops,
        .peak_bandwidth = row->peak_bandwidth,
        .occupancy = row->occupancy,
        .registers = row->registers,
        .shared_bytes = row->shared_bytes,
        .spill_bytes = row->spill_bytes,
    };
}

/* Or of another space of the same template. */
static bool is_of_problem(const struct closing *closing, const struct store_row *row)
{
    size_t index;
    return problem_configuration_find(closing->problem, row->configuration, &index);
}

static bool find_winner(const struct store_row *row, void *context)
{
    struct closing *closing = context;
    if (row->outcome != OUTCOME_OK || is_beaten(closing, row) || !is_of_problem(closing, row))
        return true;
    double value = value_of(closing, row);
    if (isfinite(value) && (!closing->winner || value < closing->winner_value)) {
        closing->winner = row->id;
        closing->winner_value = value;
    }
    return true;
}

static bool visit(const struct store_row *row, void *context)
{
    struct closing *closing = context;
    if (!is_of_problem(closing, row))
        return true;
    if (row->outcome == OUTCOME_OK) {
        insert_best(closing, row);
        return true;
    }
    closing->failed[row->outcome]++;
    if (!closing->example[row->outcome])
        closing->example[row->outcome] = strdup(row->message);
    return true;
}

bool closing_gather(const struct problem *problem, const struct objective *objective, struct store *store,
                    struct closing *closing, struct error *error)
{
    *closing = (struct closing){.problem = problem, .objective = objective};
    struct store_problem identity;
    return problem_identity(problem, &identity, error) &&
           store_finished(store, &identity, find_winner, closing, error) &&
           store_finished(store, &identity, visit, closing, error);
}

/* "{"VARIANT": "joint"}": the parameters that have one value in the whole space; new reference. */
static json_t *fixed_parameters(const struct problem *problem)
{
    json_t *fixed = json_object();
    if (problem_space(problem)->member_count)
        return fixed;
    for (size_t i = 0; i < problem_parameter_count(problem); i++) {
        struct parameter_values parameter;
        problem_parameter(problem, i, &parameter);
        if (parameter.fixed || parameter.count == 1)
            json_object_set_new(fixed, parameter.declaration->name, json_true());
    }
    return fixed;
}

static void count_cell(struct table *table, int64_t count)
{
    if (count < 0)
        table_cell(table, "-");
    else
        table_cell(table, "%lld", (long long)count);
}

/* Columns for energy only where it was measured. */
static struct table *create_table(bool energy)
{
    static const char *const plain[] = {">#",     ">time",     ">rate",   ">of peak",     ">registers",
                                        ">spill", ">shared B", ">occup.", "configuration"};
    static const char *const with_energy[] = {">#",        ">time",     ">rate",        ">of peak",
                                              ">energy",   ">per watt", ">registers",   ">spill",
                                              ">shared B", ">occup.",   "configuration"};
    return energy ? table_create(with_energy, sizeof with_energy / sizeof *with_energy)
                  : table_create(plain, sizeof plain / sizeof *plain);
}

static void energy_cells(struct table *table, const struct closing_row *row)
{
    char energy[FIGURE_TEXT], per_watt[FIGURE_TEXT];
    figure_energy(row->energy_j, energy, sizeof energy);
    figure_per_watt(row->energy_j, row->flops, row->bytes, per_watt, sizeof per_watt);
    table_cell(table, "%s", energy);
    table_cell(table, "%s", per_watt);
}

static void print_row(struct table *table, size_t place, const struct closing_row *row, bool energy,
                      const json_t *fixed)
{
    char time[FIGURE_TEXT], rate[FIGURE_TEXT];
    figure_time(row->time_ns, time, sizeof time);
    figure_rate(row->time_ns, row->flops, row->bytes, rate, sizeof rate);
    double percent =
        figure_percent_of_peak(row->time_ns, row->flops, row->bytes, row->peak_flops, row->peak_bandwidth);
    char *configuration = figure_configuration(row->configuration, fixed);
    table_cell(table, "%s%zu", row->tied ? "=" : "", place);
    table_cell(table, "%s", time);
    table_cell(table, "%s", rate);
    table_cell(table, percent < 0 ? "-" : "%.1f %%", percent);
    if (energy)
        energy_cells(table, row);
    count_cell(table, row->registers);
    count_cell(table, row->spill_bytes);
    count_cell(table, row->shared_bytes);
    table_cell(table, row->occupancy < 0 ? "-" : "%.0f %%", 100 * row->occupancy);
    table_cell(table, "%s", configuration ? configuration : "?");
    free(configuration);
}

static void print_best(const struct closing *closing, FILE *stream)
{
    bool energy = false, ties = false;
    for (size_t i = 0; i < closing->best_count; i++) {
        energy = energy || closing->best[i].energy_j > 0;
        ties = ties || closing->best[i].tied;
    }
    struct table *table = create_table(energy);
    json_t *fixed = fixed_parameters(closing->problem);
    for (size_t i = 0; table && i < closing->best_count; i++)
        print_row(table, i + 1, &closing->best[i], energy, fixed);
    json_decref(fixed);
    if (table)
        table_print(table, stream);
    table_free(table);
    if (ties)
        fputs("= tied with the first in the finals\n", stream);
}

static void print_failures(const struct closing *closing, FILE *stream)
{
    bool any = false;
    for (int kind = OUTCOME_OK + 1; kind < OUTCOME_COUNT; kind++) {
        if (!closing->failed[kind])
            continue;
        if (!any)
            fputs("\nfailed:\n", stream);
        any = true;
        const char *example = closing->example[kind] ? closing->example[kind] : "";
        fprintf(stream, "  %5zu  %s: %s\n", closing->failed[kind], outcome_name((enum outcome)kind),
                outcome_meaning((enum outcome)kind));
        if (example[0])
            fprintf(stream, "         such as: %.*s\n", (int)strcspn(example, "\n"), example);
    }
}

void closing_print(const struct closing *closing, FILE *stream)
{
    if (closing->best_count)
        print_best(closing, stream);
    print_failures(closing, stream);
}

static json_t *row_json(const struct closing_row *row)
{
    json_t *object =
        json_pack("{s:o, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:f, s:b}", "configuration",
                  json_loads(row->configuration, 0, NULL), "time_ns", row->time_ns, "low_ns", row->low_ns, "high_ns",
                  row->high_ns, "gflops", row->flops / row->time_ns, "percent_of_peak",
                  figure_percent_of_peak(row->time_ns, row->flops, row->bytes, row->peak_flops, row->peak_bandwidth),
                  "registers", (json_int_t)row->registers, "spill_bytes", (json_int_t)row->spill_bytes,
                  "shared_bytes", (json_int_t)row->shared_bytes, "occupancy", row->occupancy, "tied", (int)row->tied);
    if (row->energy_j > 0) {
        json_object_set_new(object, "energy_j", json_real(row->energy_j));
        json_object_set_new(object, "energy_error_j", json_real(row->energy_error_j));
        json_object_set_new(object, "gflops_per_watt", json_real(row->flops / row->energy_j * 1e-9));
    }
    return object;
}

struct json_t *closing_json(const struct closing *closing)
{
    json_t *best = json_array(), *failed = json_object();
    for (size_t i = 0; i < closing->best_count; i++)
        json_array_append_new(best, row_json(&closing->best[i]));
    for (int kind = OUTCOME_OK + 1; kind < OUTCOME_COUNT; kind++) {
        if (closing->failed[kind])
            json_object_set_new(failed, outcome_name((enum outcome)kind),
                                json_integer((json_int_t)closing->failed[kind]));
    }
    return json_pack("{s:o, s:o}", "best", best, "failed", failed);
}

void closing_clear(struct closing *closing)
{
    for (size_t i = 0; i < closing->best_count; i++)
        clear_row(&closing->best[i]);
    for (int kind = 0; kind < OUTCOME_COUNT; kind++)
        free(closing->example[kind]);
}
