/* SPDX-License-Identifier: Apache-2.0 */
/* tune best [TEMPLATE]: what answers here, and the best known configuration of each device and size. */
#include "tuner/cli/best.h"
#include "tuner/cli/cluster.h"
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/front.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/ladder.h"
#include "tuner/cli/row_cost.h"
#include "tuner/cli/row_filter.h"
#include "tuner/cli/subject.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"
#include "tuner/space/limits.h"

#include <string.h>

static json_t *row_json(const struct store_row *row, const struct share *share)
{
    char rate[FIGURE_TEXT];
    figure_rate(row->time_ns, row->work.flops, row->work.bytes, rate, sizeof rate);
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:b, s:o, s:o, s:o, s:s}",
        "template", json_string_of_bytes(row->template_name), "template_hash",
        json_string_of_bytes(row->template_hash), "size", json_string_of_bytes(row->size), "device",
        json_string_of_bytes(row->device_name), "device_kind", json_string_of_bytes(row->device_kind), "architecture",
        json_string_of_bytes(row->architecture), "configuration", json_of_text(row->configuration), "time_ns",
        json_finite(row->time_ns), "low_ns", json_finite(row->time_low_ns), "high_ns", json_finite(row->time_high_ns),
        "gflops", json_finite(row->work.flops / row->time_ns), "percent_of_peak", json_finite(share->percent),
        "registers", (json_int_t)row->registers, "shared_bytes", (json_int_t)row->shared_bytes, "evaluation",
        (json_int_t)row->id, "origin", json_string_of_bytes(row->origin), "finals", (int)row->was_final,
        "measured_at", json_string_of_bytes(row->measured_at), "driver", json_string_of_bytes(row->driver),
        "compiler", json_string_of_bytes(row->compiler), "rate", rate);
    json_put_limit(&object, share);
    if (row->metrics[0])
        json_put(&object, "metrics", json_of_text(row->metrics));
    if (row->inputs[0]) {
        json_put(&object, "inputs", json_string_of_bytes(row->inputs));
        json_put(&object, "data", json_string_of_bytes(row->input_files));
    }
    if (row->device_ns > 0)
        json_put(&object, "device_ns", json_finite(row->device_ns));
    if (row->energy_j > 0) {
        json_put(&object, "energy_j", json_finite(row->energy_j));
        json_put(&object, "energy_error_j", json_finite(row->energy_error_j));
    }
    return object;
}

/* The rows so far, and what the device of the latest can do. */
struct gathering {
    struct store *store;
    const struct objective *objective; /* its name is NULL without a template */
    json_t *rows;                      /* NULL: memory ran out */
    int64_t device;
    struct ceilings ceilings;
    struct error *error;
    bool failed;
};

static bool gather(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    if (row->device != gathering->device &&
        !store_ceilings(gathering->store, row->device, &gathering->ceilings, gathering->error)) {
        gathering->failed = true;
        return false;
    }
    gathering->device = row->device;
    const struct share share = ceilings_share(&gathering->ceilings, &row->work, row->time_ns);
    json_t *json = row_json(row, &share);
    const struct objective *objective = gathering->objective;
    if (objective->name && strcmp(objective->name, objectives[0].name) != 0) {
        double cost = row_cost(objective, row);
        json_put(&json, "objective", json_string(objective->name));
        json_put(&json, "value", json_finite(objective_value_of(objective, cost)));
        json_put(&json, "cost", json_finite(cost));
    }
    json_append(&gathering->rows, json);
    return gathering->rows != NULL;
}

/* ---- the command ---- */

/* What answers here, ahead of the rows. Why there is no answer, such as a missing data file, is told and does not
 * keep the rows back. */
static bool show_answer(const struct options *options, const struct subject *subject, struct store *store)
{
    struct error trouble = {0};
    bool known = false;
    bool is_table = !subject->limits && subject->template && !options->header && !options->ladder;
    if (is_table && strcmp(subject->template->name, STORE_PROBES) != 0 &&
        !best_answer(options, store, &known, &trouble))
        error_print(&trouble, stderr);
    return known;
}

/* Nothing matches: what would make it. */
static void suggest_sweep(const struct options *options, const struct store_filter *filter)
{
    const char *subject = options->subject;
    if (filter->limits) {
        visible_printf(stderr, "tune: nothing that is known about %s%s%s is within the limits: %s\n",
                       subject ? subject : "any template", filter->size ? " at " : "",
                       filter->size ? filter->size : "", filter->limits);
        return;
    }
    visible_printf(stderr, "tune: nothing is known about %s%s%s yet; 'tune %s' runs a sweep\n",
                   subject ? subject : "any template", filter->size ? " at " : "", filter->size ? filter->size : "",
                   subject ? subject : "TEMPLATE");
}

static bool show_ladder(const struct options *options, const struct ladder *ladder, const json_t *rows,
                        struct error *error)
{
    json_t *ladders = ladder_arrange(ladder, rows);
    if (options->json || !ladders)
        return json_output(ladders, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
    bool done = ladder_table(ladders, error);
    json_decref(ladders);
    return done;
}

static bool show(const struct options *options, const struct subject *subject, const struct ladder *ladder,
                 struct store *store, struct store_filter *filter, json_t *rows, int *status, struct error *error)
{
    if (options->json && options->ladder)
        return show_ladder(options, ladder, rows, error);
    if (options->json)
        return json_output(json_incref(rows), JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
    bool known = show_answer(options, subject, store);
    if (json_array_size(rows) == 0) {
        if (!known)
            suggest_sweep(options, filter);
        *status = known ? 0 : 1;
        return true;
    }
    if (options->header)
        return best_header(options, subject->template, rows, error);
    bool done = options->ladder ? show_ladder(options, ladder, rows, error) : best_table(rows, error);
    if (done && filter->limits)
        visible_printf(stdout, "within the limits: %s\n", filter->limits);
    return done;
}

/* Results that were imported may be of a kernel that is no template here: then its name is all there is of it, and
 * `absent` says so should nothing be stored under that name either. */
static bool is_only_stored(const struct options *options, const struct error *absent)
{
    return absent->code == ERROR_INPUT && !absent->file[0] && !strchr(options->subject, '/') &&
           !options->size_count && !options->input_count && !options->header && !options->ladder;
}

/* What a list of objectives does not go with. */
static bool choose_aims(const struct options *options, struct subject *subject, struct error *error)
{
    if (!subject_aims(subject, options, error))
        return false;
    if (subject->aims.count == 1 || !(options->header || options->ladder))
        return true;
    error_set(error, ERROR_INPUT, "--%s takes one objective, not several", options->header ? "header" : "ladder");
    return error_hint(error, "without it 'tune best' lists the front");
}

static bool choose_template(const struct options *options, struct subject *subject, struct store_filter *filter,
                            struct error *absent, struct error *error)
{
    const struct objective *built_in = options->objective ? objective_find(options->objective) : NULL;
    bool several = aims_are_several(NULL, options->objective);
    if (built_in)
        subject->objective = *built_in;
    if (!options->subject && several && !choose_aims(options, subject, error))
        return false;
    if (!options->subject)
        return (!options->size_count && !options->input_count && !options->header && !options->ladder) ||
               error_set(error, ERROR_INPUT, "--size, --input, --header and --ladder need a template");
    if (options->header && options->ladder)
        return error_set(error, ERROR_INPUT, "--header is of the best configuration, not of a ladder");
    if (!subject_template(subject, options->subject, absent)) {
        filter->template_name = options->subject;
        *error = *absent;
        return is_only_stored(options, absent) && (!several || choose_aims(options, subject, error));
    }
    filter->template_name = subject->template->name;
    filter->template_hash = subject->template->hash;
    if (!choose_aims(options, subject, error))
        return false;
    filter->objective = subject->aims.name;
    return true;
}

/* ---- the front by several objectives ---- */

struct measured_rows {
    struct store *store;
    const struct store_filter *filter;
};

static bool visit_measured(const void *from, store_visitor *visit, void *context, struct error *error)
{
    const struct measured_rows *rows = from;
    return store_measured(rows->store, rows->filter, visit, context, error);
}

static bool print_fronts(const json_t *fronts, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    const json_t *front;
    size_t i;
    if (!fronts_table(fronts, true, &out, error))
        return false;
    json_array_foreach(fronts, i, front)
    {
        if (!out.width) /* in a pipe there are only rows */
            break;
        visible_printf(stdout, "%s%s, %s: ", i == 0 ? "\n" : "", json_string_at(front, "template"),
                       json_string_at(front, "size"));
        front_print_volume(front, stdout);
        fputc('\n', stdout);
    }
    return true;
}

static bool list_fronts(const struct options *options, const struct subject *subject, struct store *store,
                        const struct store_filter *filter, const struct error *absent, int *status,
                        struct error *error)
{
    const struct measured_rows rows = {store, filter};
    json_t *fronts = fronts_find(&subject->aims, subject->limits, visit_measured, &rows, error);
    size_t count = json_array_size(fronts);
    bool done = fronts != NULL;
    if (done && count == 0 && absent->code) {
        *error = *absent;
        done = false;
    } else if (done && options->json) {
        done = json_output(json_incref(fronts), JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
    } else if (done && count == 0) {
        suggest_sweep(options, filter);
        *status = 1;
    } else if (done) {
        done = print_fronts(fronts, error);
    }
    json_decref(fronts);
    return done;
}

static bool explain(const struct options *options, struct error *error)
{
    if (options->header || options->ladder || options->limits.count > 0)
        return error_set(error, ERROR_INPUT, "--explain does not go with --header, --ladder or --limit");
    return best_explain(options, error);
}

static bool list_best(const struct options *options, int *status, struct error *error)
{
    struct subject subject = {0};
    struct ladder ladder = {0};
    struct store *store = NULL;
    struct store_filter filter = {.objective = options->objective};
    struct gathering gathering = {.rows = json_array(), .device = -1, .error = error};
    struct error absent = {0};
    bool done = choose_template(options, &subject, &filter, &absent, error) &&
                subject_limits(&subject, options, error) &&
                row_filter_rungs(options, &subject, &ladder, &filter, error) &&
                row_filter_device(options, options->header, &subject, &filter, error) &&
                (!subject.template || row_filter_size(options, options->header, &subject, &filter, error)) &&
                knowledge_open_for(subject.template, options->database, &store, error);
    filter.limits = limits_condition(subject.limits);
    filter.objective = subject.aims.count > 1 ? subject.aims.name : filter.objective;
    if (done && subject.aims.count > 1) {
        done = list_fronts(options, &subject, store, &filter, &absent, status, error);
        goto out;
    }
    gathering.store = store;
    gathering.objective = &subject.objective;
    done = done && store_best(store, &filter, gather, &gathering, error) && !gathering.failed;
    done = done && (gathering.rows || error_out_of_memory(error));
    if (done && absent.code && json_array_size(gathering.rows) == 0) {
        *error = absent;
        done = false;
    }
    done = done && show(options, &subject, &ladder, store, &filter, gathering.rows, status, error);
out:
    json_decref(gathering.rows);
    store_close(store);
    subject_clear(&subject);
    return done;
}

static bool write_dispatch(const struct options *options, struct error *error)
{
    if (options->explain || options->header || options->ladder || options->json || options->output ||
        options->limits.count > 0)
        return error_set(error, ERROR_INPUT,
                         "--c does not go with --explain, --header, --json, --ladder, --limit or --output");
    if (options->size_count || options->input_count) {
        error_set(error, ERROR_INPUT, "--c does not go with %s", options->size_count ? "--size" : "--input");
        return error_hint(error, "what it writes answers for any size; --header is for one");
    }
    return best_dispatch(options, error);
}

static bool answer(struct cluster *cluster, const void *context, int *status, struct error *error)
{
    (void)cluster;
    const struct options *options = context;
    if (options->dispatch)
        return write_dispatch(options, error);
    return options->explain ? explain(options, error) : list_best(options, status, error);
}

bool command_best(const struct options *options, int *status, struct error *error)
{
    return options->agree ? cluster_agree(answer, options, status, error) : answer(NULL, options, status, error);
}
