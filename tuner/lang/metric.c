/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/metric.h"

#include "tuner/evaluation/objective.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/measured_name.h"

#include <string.h>

bool metric_name_is_built_in(const char *name)
{
    return objective_find(name) != NULL;
}

/* The names of what is measured get slots with the first statement that may read them. */
static bool add_measured(struct builder *builder)
{
    return builder->metrics.count > 0 || scope_add_measured(builder->parser.scope) ||
           parser_out_of_memory(&builder->parser);
}

static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c == 127)
            return false;
    }
    return *name && strlen(name) <= METRIC_NAME_LIMIT;
}

/* A name, or any short text in quotes. */
static bool parse_label(struct parser *parser, const char *what, const char **label, struct place *place)
{
    *place = parser_place(parser);
    if (!parser_at(parser, TOKEN_STRING))
        return parser_name(parser, what, label, NULL);
    return parser_string(parser, what, label) &&
           (is_plain(*label) ||
            error_at(parser->error, ERROR_INPUT, *place,
                     "a name has 1 to %d bytes, without quotes, backslashes and control characters",
                     METRIC_NAME_LIMIT));
}

static const struct metric_declaration *find(const struct builder *builder, const char *name)
{
    const struct metric_declaration *metrics = builder->metrics.items;
    for (size_t i = 0; i < builder->metrics.count; i++) {
        if (metrics[i].name && strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    }
    return NULL;
}

static struct metric_declaration *begin(struct builder *builder, const char *what)
{
    struct parser *parser = &builder->parser;
    if (builder->metrics.count == METRICS_MOST) {
        parser_fail(parser, "there are more than %d metrics and objectives", METRICS_MOST);
        return NULL;
    }
    const char *name;
    struct place place;
    if (!add_measured(builder) || !parse_label(parser, what, &name, &place))
        return NULL;
    if (metric_name_is_built_in(name)) {
        error_at(parser->error, ERROR_INPUT, place, "%s is an objective that every template has", name);
        error_hint(parser->error, "give it another name");
        return NULL;
    }
    if (find(builder, name)) {
        error_at(parser->error, ERROR_INPUT, place, "there is already a metric or an objective \"%s\"", name);
        return NULL;
    }
    struct metric_declaration *metric = parser_append(parser, &builder->metrics, sizeof *metric);
    if (!metric || !parser_expect(parser, TOKEN_ASSIGN))
        return NULL;
    metric->name = name;
    metric->place = place;
    return metric;
}

static bool parse_value(struct parser *parser, struct metric_declaration *metric)
{
    parser->measured = true;
    bool parsed = parse_expression(parser, &metric->value);
    parser->measured = false;
    if (!parsed)
        return false;
    unsigned traits = condition_traits(parser, metric->value->root);
    if (traits & TRAIT_STRING)
        return error_at(parser->error, ERROR_INPUT, expr_place(metric->value), "this is a text, not a number");
    if (metric->sense == METRIC_SHOWN || !(traits & TRAIT_CONSTANT))
        return true;
    error_at(parser->error, ERROR_INPUT, expr_place(metric->value),
             "this objective is the same for all configurations");
    return error_hint(parser->error, "it should read what is measured, for example flops / time");
}

bool parse_metric(struct builder *builder)
{
    struct metric_declaration *metric = begin(builder, "the name of a metric");
    return metric && parse_value(&builder->parser, metric);
}

bool parse_objective(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct metric_declaration *metric = begin(builder, "the name of an objective");
    if (!metric)
        return false;
    bool maximize = parser_at_word(parser, "maximize");
    if (!maximize && !parser_at_word(parser, "minimize")) {
        parser_expected(parser, "'maximize' or 'minimize'");
        return error_hint(parser->error, "objective \"GFLOP/s\" = maximize flops / time * 1e-9");
    }
    metric->sense = maximize ? METRIC_MAXIMIZED : METRIC_MINIMIZED;
    return parser_advance(parser) && parse_value(parser, metric);
}

bool parse_default_objective(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    if (builder->template->default_objective)
        return parser_fail(parser, "the default objective is named twice");
    return parse_label(parser, "the name of an objective", &builder->template->default_objective,
                       &builder->default_objective);
}

/* ---- the whole */

static bool reads_slot(const struct node *node, const void *context)
{
    const size_t *slot = context;
    return node->kind == NODE_NAME && node->slot == *slot;
}

static bool check_work(struct builder *builder, const struct metric_declaration *metric)
{
    struct parser *parser = &builder->parser;
    for (size_t i = 0; i < measured_figure_count; i++) {
        const struct measured_figure *figure = &measured_figures[i];
        char name[64];
        size_t slot;
        snprintf(name, sizeof name, MEASURED_PREFIX "%s", figure->name);
        if (figure->work < 0 || builder->template->work[figure->work] || !scope_find(parser->scope, name, &slot))
            continue;
        const struct node *node = node_find(metric->value->root, reads_slot, &slot);
        if (!node)
            continue;
        error_at(parser->error, ERROR_INPUT, text_place(parser->text, node->offset, node->length),
                 "the template does not count %s", figure->name);
        return error_hint(parser->error, "say what one launch does: work %s = ...", figure->name);
    }
    return true;
}

static bool check_default(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    const char *name = builder->template->default_objective, *names[METRICS_MOST];
    const struct metric_declaration *metrics = builder->metrics.items, *metric = name ? find(builder, name) : NULL;
    size_t count = 0;
    if (!name || metric_name_is_built_in(name) || (metric && metric->sense != METRIC_SHOWN))
        return true;
    if (metric) {
        error_at(parser->error, ERROR_INPUT, builder->default_objective, "%s is a metric, not an objective", name);
        return error_hint(parser->error, "write objective \"%s\" = maximize ..., or minimize", name);
    }
    for (size_t i = 0; i < builder->metrics.count; i++) {
        if (metrics[i].sense != METRIC_SHOWN)
            names[count++] = metrics[i].name;
    }
    error_at(parser->error, ERROR_INPUT, builder->default_objective, "there is no objective \"%s\"", name);
    const char *nearest = error_nearest(name, names, count);
    return nearest ? error_hint(parser->error, "did you mean \"%s\"?", nearest)
                   : error_hint(parser->error, "declare it: objective \"%s\" = maximize ..., or minimize", name);
}

bool check_metrics(struct builder *builder)
{
    const struct metric_declaration *metrics = builder->metrics.items;
    for (size_t i = 0; i < builder->metrics.count; i++) {
        if (!check_work(builder, &metrics[i]))
            return false;
    }
    return check_default(builder);
}
