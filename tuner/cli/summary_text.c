/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a sweep as people read it. */
#include "tuner/cli/summary.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/front.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/metric_columns.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/error/visible.h"

#include <stdlib.h>
#include <string.h>

/* ---- the best ---- */

/* Marks and footnotes: why a row may stand below one with a larger value. */
static const struct {
    const char *mark, *footnote, *by_metric; /* by_metric: the footnote for a template's objective */
} ranks[] = {
    [RANK_WINNER] = {"", NULL, NULL},
    [RANK_TIED] = {"=", "tied with the winner in the finals, which uses fewer resources",
                   "tied with the winner in the finals, which uses fewer resources"},
    [RANK_LOST] = {"<", "slower than the winner in the rounds of the finals that both played",
                   "worse than the winner in the rounds of the finals that both played"},
    [RANK_SINGLE] = {"~",
                     "measured only once, not in turns with the finalists: this time does not compare with theirs",
                     "measured only once, not in turns with the finalists: this value does not compare with theirs"},
};

/* A tie is always marked, the others only where the order would puzzle. */
static bool is_marked(const struct result_summary *summary, size_t i)
{
    const struct summary_row *row = &summary->best[i];
    bool smaller = false;
    for (size_t j = 0; j < i; j++)
        smaller = smaller || summary->best[j].value > row->value;
    return row->rank == RANK_TIED || (smaller && ranks[row->rank].footnote);
}

static bool has_energy(const struct result_summary *summary)
{
    for (size_t i = 0; i < summary->best_count; i++) {
        if (summary->best[i].energy_j > 0)
            return true;
    }
    return false;
}

enum { COLUMNS_MOST = 11 + METRICS_MOST };

static struct table *create_table(const struct result_summary *summary, bool energy)
{
    static const char *const before[] = {">#", ">time", ">rate", "of limit"};
    static const char *const of_energy[] = {">energy", ">per watt"};
    static const char *const after[] = {">registers", ">spill", ">shared B", ">occup.", "_configuration"};
    const char *headings[COLUMNS_MOST];
    char names[METRICS_MOST][METRIC_NAME_LIMIT + 2];
    size_t count = 0;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        headings[count++] = before[i];
    for (size_t i = 0; i < summary->template->metric_count; i++) {
        metric_heading(summary->template->metrics[i].name, names[i]);
        headings[count++] = names[i];
    }
    for (size_t i = 0; energy && i < sizeof of_energy / sizeof *of_energy; i++)
        headings[count++] = of_energy[i];
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        headings[count++] = after[i];
    return table_create(headings, count);
}

static void add_metrics(struct table *table, const struct result_summary *summary, const struct summary_row *row)
{
    json_t *values = json_loads(row->metrics, 0, NULL);
    for (size_t i = 0; i < summary->template->metric_count; i++) {
        char text[FIGURE_TEXT];
        metric_text(json_object_get(values, summary->template->metrics[i].name), text);
        table_cell(table, "%s", text);
    }
    json_decref(values);
}

static void add_count(struct table *table, int64_t count)
{
    if (count < 0)
        table_cell(table, "-");
    else
        table_cell(table, "%lld", (long long)count);
}

static void add_energy(struct table *table, const struct summary_row *row)
{
    char energy[FIGURE_TEXT], per_watt[FIGURE_TEXT];
    figure_energy(row->energy_j, energy, sizeof energy);
    figure_per_watt(row->energy_j, row->work.flops, row->work.bytes, per_watt, sizeof per_watt);
    table_cell(table, "%s", energy);
    table_cell(table, "%s", per_watt);
}

static void add_figures(struct table *table, const struct result_summary *summary, const struct summary_row *row,
                        bool energy)
{
    char time[FIGURE_TEXT], rate[FIGURE_TEXT], of_limit[FIGURE_TEXT];
    figure_time(row->time_ns, time, sizeof time);
    figure_rate(row->time_ns, row->work.flops, row->work.bytes, rate, sizeof rate);
    const struct share share = ceilings_share(&summary->ceilings, &row->work, row->time_ns);
    figure_share(&share, of_limit, sizeof of_limit);
    table_cell(table, "%s", time);
    table_cell(table, "%s", rate);
    table_cell(table, "%s", of_limit);
    add_metrics(table, summary, row);
    if (energy)
        add_energy(table, row);
    add_count(table, row->registers);
    add_count(table, row->spill_bytes);
    add_count(table, row->shared_bytes);
    table_cell(table, row->occupancy < 0 ? "-" : "%.0f %%", 100 * row->occupancy);
}

/* The configurations as JSON; false: memory ran out. */
static bool read_configurations(const struct result_summary *summary, json_t *configurations[SUMMARY_BEST])
{
    bool done = true;
    for (size_t i = 0; i < summary->best_count; i++) {
        configurations[i] = json_of_text(summary->best[i].configuration);
        done = done && configurations[i];
    }
    return done;
}

static bool print_table(const struct result_summary *summary, json_t *const *configurations, json_t *shared,
                        const struct terminal *out, struct error *error)
{
    bool energy = has_energy(summary), done = true;
    struct table *table = create_table(summary, energy);
    for (size_t i = 0; i < summary->best_count; i++) {
        const struct summary_row *row = &summary->best[i];
        char *configuration = parameters_text(configurations[i], shared);
        if (row->rank == RANK_WINNER)
            table_mark_best(table);
        table_cell(table, "%s%zu", is_marked(summary, i) ? ranks[row->rank].mark : "", i + 1);
        add_figures(table, summary, row, energy);
        table_cell(table, "%s", configuration ? configuration : "");
        done = done && configuration;
        free(configuration);
    }
    return table_print(table, out, error) && (done || error_out_of_memory(error));
}

static bool goes_by_data_sheet(const struct result_summary *summary)
{
    bool any = false;
    for (size_t i = 0; i < summary->best_count; i++) {
        const struct summary_row *row = &summary->best[i];
        const struct share share = ceilings_share(&summary->ceilings, &row->work, row->time_ns);
        any = any || (share.percent >= 0 && !share.ceiling.measured);
    }
    return any;
}

static void print_footnotes(const struct result_summary *summary, const struct terminal *out)
{
    bool said[sizeof ranks / sizeof *ranks] = {false};
    for (size_t i = 0; i < summary->best_count; i++) {
        enum summary_rank rank = summary->best[i].rank;
        if (!is_marked(summary, i) || said[rank])
            continue;
        said[rank] = true;
        fprintf(out->stream, "%s%s %s%s\n", style_on(out, STYLE_FAINT), ranks[rank].mark,
                summary->objective->is_metric ? ranks[rank].by_metric : ranks[rank].footnote, style_off(out));
    }
    if (goes_by_data_sheet(summary))
        fprintf(out->stream, "%s%s%s\n", style_on(out, STYLE_FAINT), FIGURE_FOOTNOTE, style_off(out));
}

static bool print_best(const struct result_summary *summary, const struct terminal *out, struct error *error)
{
    json_t *configurations[SUMMARY_BEST] = {NULL};
    json_t *shared = NULL;
    bool done = read_configurations(summary, configurations);
    if (done) /* in a pipe each row stands for itself */
        shared = parameters_shared(configurations, out->width ? summary->best_count : 0);
    done = shared ? parameters_print_shared(shared, out, error) : error_out_of_memory(error);
    done = done && print_table(summary, configurations, shared, out, error);
    if (done)
        print_footnotes(summary, out);
    json_decref(shared);
    for (size_t i = 0; i < summary->best_count; i++)
        json_decref(configurations[i]);
    return done;
}

/* ---- failures ---- */

/* "         such as BLOCK=64: k.cu:3:5: error: ..." and the command that would explain it. */
static bool print_example(const struct result_summary *summary, enum outcome kind, const struct terminal *out)
{
    const struct summary_example *example = &summary->example[kind];
    const struct failure failure = {kind, example->configuration, example->message, example->awkward};
    char *line = failure_line(example->message, summary->folder), *command = NULL;
    char *configuration = parameters_text_of(example->configuration, NULL);
    bool done =
        line && configuration && (!summary->check || failure_check_command(summary->check, &failure, &command));
    if (done)
        visible_printf(out->stream, "         such as %s%s%s\n", configuration, *line ? ": " : "", line);
    size_t length = 0;
    const char *note = failure_note(example->message, &length);
    if (done && note)
        visible_printf(out->stream, "         %.*s\n", (int)length, note);
    if (done && command)
        visible_printf(out->stream, "         to see why: %s\n", command);
    free(line);
    free(configuration);
    free(command);
    return done;
}

static bool print_failures(const struct result_summary *summary, const struct terminal *out, struct error *error)
{
    bool any = false, done = true;
    for (int kind = OUTCOME_OK + 1; kind < OUTCOME_COUNT && done; kind++) {
        if (!summary->failed[kind])
            continue;
        if (!any)
            fprintf(out->stream, "\n%sfailed:%s\n", style_on(out, STYLE_ERROR), style_off(out));
        any = true;
        visible_printf(out->stream, "  %5zu  %s: %s\n", summary->failed[kind], outcome_name((enum outcome)kind),
                       outcome_meaning((enum outcome)kind));
        done = print_example(summary, (enum outcome)kind, out);
    }
    return done || error_out_of_memory(error);
}

/* ---- the winner ---- */

/* "        won against 4 others in 9 rounds; tied with 2 that need more registers" */
static void print_finals(const struct sweep_finals *finals, FILE *stream)
{
    if (finals->lost + finals->tied == 0)
        return;
    fputs("        ", stream);
    if (finals->lost > 0)
        visible_printf(stream, "won against %zu other%s in %zu rounds%s", finals->lost, finals->lost == 1 ? "" : "s",
                       finals->rounds, finals->tied > 0 ? "; " : "");
    if (finals->tied > 0)
        visible_printf(stream, "tied with %zu%s", finals->tied,
                       finals->lost > 0    ? ""
                       : finals->tied == 1 ? " other"
                                           : " others");
    if (finals->tied > 0 && finals->needs_less_of)
        visible_printf(stream, " that need%s more %s", finals->tied == 1 ? "s" : "", finals->needs_less_of);
    if (finals->lost == 0)
        fprintf(stream, " after %zu rounds", finals->rounds);
    fputc('\n', stream);
}

static bool print_winner(const struct result_summary *summary, const struct sweep_finals *finals,
                         const struct terminal *out, struct error *error)
{
    const struct summary_row *best = &summary->best[0];
    const struct share share = ceilings_share(&summary->ceilings, &best->work, best->time_ns);
    char of_limit[FIGURE_SENTENCE];
    figure_share_sentence(&share, of_limit, sizeof of_limit);
    char time[FIGURE_TEXT], rate[FIGURE_TEXT], energy[FIGURE_TEXT], per_watt[FIGURE_TEXT];
    figure_time(best->time_ns, time, sizeof time);
    figure_rate(best->time_ns, best->work.flops, best->work.bytes, rate, sizeof rate);
    figure_energy(best->energy_j, energy, sizeof energy);
    figure_per_watt(best->energy_j, best->work.flops, best->work.bytes, per_watt, sizeof per_watt);
    char *configuration = parameters_text_of(best->configuration, NULL);
    if (!configuration)
        return error_out_of_memory(error);
    fputc('\n', out->stream);
    terminal_print_folded("best:   ", configuration, STYLE_BEST, out);
    visible_printf(out->stream, "        %s, %s%s%s", time, rate, of_limit[0] ? ", " : "", of_limit);
    if (best->energy_j > 0)
        visible_printf(out->stream, "; %s per run, %s", energy, per_watt);
    fputc('\n', out->stream);
    if (best->device_ns > 0 && best->device_ns < best->time_ns) {
        figure_time(best->device_ns, time, sizeof time);
        visible_printf(out->stream, "        %s without the host's latency\n", time);
    }
    if (summary->objective->is_metric)
        visible_printf(out->stream, "        %.4g %s\n", objective_value_of(summary->objective, best->value),
                       summary->objective->name);
    print_finals(finals, out->stream);
    free(configuration);
    return true;
}

/* ---- the front ---- */

static bool print_front(const struct result_summary *summary, const struct sweep_finals *finals,
                        const struct terminal *out, struct error *error)
{
    const json_t *front = json_array_get(summary->fronts, 0);
    if (front && !fronts_table(summary->fronts, false, out, error))
        return false;
    if (!print_failures(summary, out, error))
        return false;
    if (!front)
        return true;
    fputc('\n', out->stream);
    front_print_volume(front, out->stream);
    fputc('\n', out->stream);
    if (finals->finalists > 0)
        visible_printf(out->stream, "finals: %zu configurations in %zu rounds, %zu of them not on the front\n",
                       finals->finalists, finals->rounds, finals->lost);
    return true;
}

bool summary_print(const struct result_summary *summary, const struct sweep_finals *finals,
                   const struct terminal *out, struct error *error)
{
    if (summary->fronts)
        return print_front(summary, finals, out, error);
    if (summary->best_count && !print_best(summary, out, error))
        return false;
    if (!print_failures(summary, out, error))
        return false;
    return summary->best_count == 0 || print_winner(summary, finals, out, error);
}
