#include "tuner/cli/closing.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/table.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void clear_row(struct closing_row *row)
{
    free(row->configuration);
    *row = (struct closing_row){0};
}

static void insert_best(struct closing *closing, const struct store_row *row)
{
    size_t at = closing->best_count;
    while (at > 0 && closing->best[at - 1].time_ns > row->time_ns)
        at--;
    if (at == CLOSING_BEST)
        return;
    if (closing->best_count == CLOSING_BEST)
        clear_row(&closing->best[CLOSING_BEST - 1]);
    else
        closing->best_count++;
    memmove(&closing->best[at + 1], &closing->best[at], (closing->best_count - 1 - at) * sizeof *closing->best);
    closing->best[at] = (struct closing_row){
        .configuration = strdup(row->configuration),
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

static bool visit(const struct store_row *row, void *context)
{
    struct closing *closing = context;
    size_t index;
    if (!problem_configuration_find(closing->problem, row->configuration, &index))
        return true; /* of another space of the same template */
    if (row->outcome == OUTCOME_OK) {
        insert_best(closing, row);
        return true;
    }
    closing->failed[row->outcome]++;
    if (!closing->example[row->outcome])
        closing->example[row->outcome] = strdup(row->message);
    return true;
}

bool closing_gather(const struct problem *problem, struct store *store, struct closing *closing, struct error *error)
{
    *closing = (struct closing){.problem = problem};
    struct store_problem identity;
    return sweep_identity(problem, &identity, error) && store_finished(store, &identity, visit, closing, error);
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

static void print_best(const struct closing *closing, FILE *stream)
{
    static const char *const headings[] = {">#",     ">time",     ">rate",   ">of peak",     ">registers",
                                           ">spill", ">shared B", ">occup.", "configuration"};
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    json_t *fixed = fixed_parameters(closing->problem);
    for (size_t i = 0; table && i < closing->best_count; i++) {
        const struct closing_row *row = &closing->best[i];
        char time[FIGURE_TEXT], rate[FIGURE_TEXT];
        figure_time(row->time_ns, time, sizeof time);
        figure_rate(row->time_ns, row->flops, row->bytes, rate, sizeof rate);
        double percent =
            figure_percent_of_peak(row->time_ns, row->flops, row->bytes, row->peak_flops, row->peak_bandwidth);
        char *configuration = figure_configuration(row->configuration, fixed);
        table_cell(table, "%zu", i + 1);
        table_cell(table, "%s", time);
        table_cell(table, "%s", rate);
        table_cell(table, percent < 0 ? "-" : "%.1f %%", percent);
        count_cell(table, row->registers);
        count_cell(table, row->spill_bytes);
        count_cell(table, row->shared_bytes);
        table_cell(table, row->occupancy < 0 ? "-" : "%.0f %%", 100 * row->occupancy);
        table_cell(table, "%s", configuration ? configuration : "?");
        free(configuration);
    }
    json_decref(fixed);
    if (table)
        table_print(table, stream);
    table_free(table);
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

struct json_t *closing_json(const struct closing *closing)
{
    json_t *best = json_array(), *failed = json_object();
    for (size_t i = 0; i < closing->best_count; i++) {
        const struct closing_row *row = &closing->best[i];
        json_array_append_new(
            best, json_pack("{s:o, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:f}", "configuration",
                            json_loads(row->configuration, 0, NULL), "time_ns", row->time_ns, "low_ns", row->low_ns,
                            "high_ns", row->high_ns, "gflops", row->flops / row->time_ns, "percent_of_peak",
                            figure_percent_of_peak(row->time_ns, row->flops, row->bytes, row->peak_flops,
                                                   row->peak_bandwidth),
                            "registers", (json_int_t)row->registers, "spill_bytes", (json_int_t)row->spill_bytes,
                            "shared_bytes", (json_int_t)row->shared_bytes, "occupancy", row->occupancy));
    }
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
