/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/model.h"

#include "tuner/space/compile.h"
#include "tuner/space/term_make.h"
#include "tuner/space/term_range.h"
#include "tuner/space/term_value.h"

#include <stdlib.h>
#include <string.h>

static const struct domain_parameter *varied(const struct domain *domain, size_t variable)
{
    return &domain->parameters[domain->order[variable]];
}

static bool make_variables(struct model *model, const struct domain *domain)
{
    model->variables = calloc(domain->depth + 1, sizeof *model->variables);
    if (!model->variables)
        return false;
    model->variable_count = domain->depth;
    for (size_t v = 0; v < domain->depth; v++) {
        struct model_variable *variable = &model->variables[v];
        variable->values = varied(domain, v)->values;
        variable->count = variable->alive_count = varied(domain, v)->count;
        variable->term = TERM_NONE;
        variable->alive = malloc((variable->count + 1) * sizeof *variable->alive);
        if (!variable->alive)
            return false;
        for (size_t i = 0; i < variable->count; i++)
            variable->alive[i] = (uint16_t)i;
        if (variable->count > 1)
            variable->term = term_variable(&model->terms, v, variable->values, variable->count);
    }
    return !model->terms.failed;
}

/* Name the parameters of `domain` for expressions of its space or of another member of the union. */
static void name_parameters(struct compilation *c, struct model *model, const struct domain *domain)
{
    for (size_t i = 0; i < domain->parameter_count; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        if (parameter->count == 1)
            c->names[parameter->declaration->slot] = term_constant(&model->terms, parameter->values[0]);
    }
    for (size_t v = 0; v < model->variable_count; v++) {
        if (model->variables[v].term != TERM_NONE)
            c->names[varied(domain, v)->declaration->slot] = model->variables[v].term;
    }
}

static bool is_required(const struct model *model, term_id id)
{
    return id < model->required_capacity && model->required[id];
}

static void append_requirement(struct model *model, term_id id)
{
    if (is_required(model, id))
        return;
    if (id >= model->required_capacity) {
        size_t capacity = 2 * (size_t)id + 64;
        bool *required = realloc(model->required, capacity * sizeof *required);
        model->terms.failed = model->terms.failed || !required;
        if (!required)
            return;
        memset(required + model->required_capacity, 0, capacity - model->required_capacity);
        model->required = required;
        model->required_capacity = capacity;
    }
    if (model->requirement_count == model->requirement_capacity) {
        size_t capacity = model->requirement_capacity ? 2 * model->requirement_capacity : 16;
        term_id *grown = realloc(model->requirements, capacity * sizeof *grown);
        model->terms.failed = model->terms.failed || !grown;
        if (!grown)
            return;
        model->requirements = grown;
        model->requirement_capacity = capacity;
    }
    model->required[id] = true;
    model->requirements[model->requirement_count++] = id;
}

/* How many operands of a conjunction come before the first that can fail. */
static size_t safe_operands(const struct terms *terms, const struct term *term)
{
    size_t count = 0;
    while (count < term->count && !terms->items[term_operands(terms, term)[count]].range.fails)
        count++;
    return count;
}

/* Add a requirement. A conjunction is split after operands that cannot fail: if one that can were split off, what
 * comes after it could remove a configuration for which evaluation should fail. */
static void require(struct model *model, term_id id)
{
    if (model->terms.failed)
        return;
    const struct term term = model->terms.items[id];
    if (term.kind == TERM_CONSTANT) {
        bool fails = term.constant.kind == VALUE_UNSET;
        model->impossible = model->impossible || (!fails && !value_truth(term.constant));
        model->doubtful = model->doubtful || (fails && !model->lenient);
        return;
    }
    size_t safe = term.kind == TERM_AND ? safe_operands(&model->terms, &term) : 0;
    for (size_t i = 0; i < safe; i++)
        require(model, term_operands(&model->terms, &term)[i]);
    if (safe == 0) {
        append_requirement(model, id);
    } else if (safe < term.count) {
        size_t rest = term.count - safe;
        term_id *copy = malloc(rest * sizeof *copy); /* new terms may move the operands */
        if (copy)
            memcpy(copy, term_operands(&model->terms, &term) + safe, rest * sizeof *copy);
        else
            model->terms.failed = true;
        term_id id_of_rest = copy ? term_make(&model->terms, TERM_AND, 0, copy, rest) : 0;
        free(copy);
        require(model, id_of_rest);
    }
}

static bool add_constraints(struct model *model, const struct domain *domain, size_t count)
{
    struct compilation c;
    if (!compilation_start(&c, &model->terms, domain->template, domain->space, domain->base[SIZES_TUNED],
                           domain->slot_count)) {
        compilation_end(&c);
        return false;
    }
    name_parameters(&c, model, domain);
    for (size_t i = 0; i < count && !model->terms.failed; i++) {
        term_id id = compile_expression(&c, domain->space->constraints[i].condition);
        require(model, term_truth(&model->terms, id));
    }
    compilation_end(&c);
    return !model->terms.failed;
}

/* Is the parameter's value one of the former member's? */
static term_id among(struct model *model, const struct compilation *c, const struct domain_parameter *former)
{
    term_id *operands = malloc((former->count + 1) * sizeof *operands);
    if (!operands) {
        model->terms.failed = true;
        return 0;
    }
    operands[0] = (term_id)c->names[former->declaration->slot];
    for (size_t i = 0; i < former->count; i++)
        operands[i + 1] = term_constant(&model->terms, former->values[i]);
    term_id id = term_make(&model->terms, TERM_IN, 0, operands, former->count + 1);
    free(operands);
    return id;
}

/* Require not to be in a former member: some value is not one of its values, or some constraint does not hold. */
static bool exclude(struct model *model, const struct domain *domain, const struct domain *former)
{
    struct compilation c;
    size_t count = 0;
    term_id *truths = malloc((former->parameter_count + former->space->constraint_count + 1) * sizeof *truths);
    if (!compilation_start(&c, &model->terms, former->template, former->space, former->base[SIZES_TUNED],
                           former->slot_count) ||
        !truths) {
        compilation_end(&c);
        free(truths);
        return false;
    }
    name_parameters(&c, model, domain);
    for (size_t i = 0; i < former->parameter_count; i++)
        truths[count++] = among(model, &c, &former->parameters[i]);
    for (size_t i = 0; i < former->space->constraint_count && !model->terms.failed; i++) {
        term_id truth = term_truth(&model->terms, compile_expression(&c, former->space->constraints[i].condition));
        truths[count++] = term_make(&model->terms, TERM_HOLDS, 0, &truth, 1);
    }
    term_id inside = term_make(&model->terms, TERM_AND, 0, truths, count);
    require(model, term_not(&model->terms, inside));
    compilation_end(&c);
    free(truths);
    return !model->terms.failed;
}

static int64_t joint_support(int64_t a, int64_t b)
{
    if (a == SUPPORT_NONE || a == b)
        return b;
    return b == SUPPORT_NONE ? a : SUPPORT_MANY;
}

static bool find_supports(struct model *model)
{
    model->support = malloc((model->terms.count + 1) * sizeof *model->support);
    model->tables = calloc(model->terms.count + 1, sizeof *model->tables);
    if (!model->support || !model->tables)
        return false;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        const term_id *operands = term_operands(&model->terms, term);
        model->support[t] = term->kind == TERM_VARIABLE ? (int64_t)term->index : SUPPORT_NONE;
        for (uint32_t i = 0; i < term->count; i++)
            model->support[t] = joint_support(model->support[t], model->support[operands[i]]);
    }
    return true;
}

static void mark_cone(const struct model *model, term_id id, bool *wanted)
{
    const struct term *term = &model->terms.items[id];
    if (wanted[id])
        return;
    wanted[id] = true;
    for (uint32_t i = 0; i < term->count; i++)
        mark_cone(model, term_operands(&model->terms, term)[i], wanted);
}

/* Evaluate terms of one variable for all of its values in advance. */
static bool tabulate(struct model *model)
{
    bool done = false;
    bool *wanted = calloc(model->terms.count + 1, sizeof *wanted);
    struct value *values = calloc(model->terms.count + 1, sizeof *values);
    if (!wanted || !values)
        goto end;
    for (size_t i = 0; i < model->requirement_count; i++)
        mark_cone(model, model->requirements[i], wanted);
    for (size_t t = 0; t < model->terms.count; t++) {
        if (model->terms.items[t].kind == TERM_CONSTANT)
            values[t] = model->terms.items[t].constant;
    }
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        const term_id *operands = term_operands(&model->terms, term);
        if (!wanted[t] || model->support[t] < 0)
            continue;
        const struct model_variable *variable = &model->variables[model->support[t]];
        struct value *table = model->tables[t] = malloc((variable->count + 1) * sizeof *table);
        if (!table)
            goto end;
        for (size_t i = 0; i < variable->count; i++) {
            values[t] = variable->values[i];
            for (uint32_t k = 0; k < term->count; k++) {
                if (model->tables[operands[k]])
                    values[operands[k]] = model->tables[operands[k]][i];
            }
            table[i] = term_value(&model->terms, (term_id)t, values);
        }
    }
    done = true;
end:
    free(wanted);
    free(values);
    return done;
}

/* Drop the values that a requirement on one variable removes. True if the requirement must stay, since it cannot be
 * evaluated for some value. */
static bool filter(struct model *model, term_id requirement)
{
    struct model_variable *variable = &model->variables[model->support[requirement]];
    const struct value *table = model->tables[requirement];
    size_t kept = 0;
    bool fails = false;
    for (size_t i = 0; i < variable->alive_count; i++) {
        struct value truth = table[variable->alive[i]];
        fails = fails || truth.kind == VALUE_UNSET;
        if (truth.kind == VALUE_UNSET || truth.boolean)
            variable->alive[kept++] = variable->alive[i];
    }
    variable->alive_count = kept;
    return fails && !model->lenient;
}

static void filter_values(struct model *model)
{
    size_t kept = 0;
    for (size_t i = 0; i < model->requirement_count; i++) {
        term_id requirement = model->requirements[i];
        if (model->support[requirement] < 0 || filter(model, requirement))
            model->requirements[kept++] = requirement;
    }
    model->requirement_count = kept;
    for (size_t v = 0; v < model->variable_count; v++)
        model->impossible = model->impossible || model->variables[v].alive_count == 0;
}

static struct range range_of_values(const struct model_variable *variable)
{
    struct range range = range_of(variable->values[variable->alive[0]]);
    for (size_t i = 1; i < variable->alive_count; i++)
        range = range_hull(range, range_of(variable->values[variable->alive[i]]));
    return range;
}

bool model_narrow(struct model *model)
{
    struct terms *terms = &model->terms;
    struct range *ranges = calloc(terms->count + 1, sizeof *ranges);
    size_t kept = 0;
    if (!ranges)
        return false;
    for (size_t t = 0; t < terms->count; t++) {
        struct term *term = &terms->items[t];
        ranges[t] = term->range;
        if (term->kind == TERM_VARIABLE)
            ranges[t] = range_of_values(&model->variables[term->index]);
        else if (term->count > 0)
            term_range(term, ranges, term_operands(terms, term), &ranges[t]);
        term->range = ranges[t];
    }
    free(ranges);
    for (size_t i = 0; i < model->requirement_count; i++) {
        struct range range = terms->items[model->requirements[i]].range;
        model->impossible = model->impossible || range_is_false(range);
        if (!range_is_true(range))
            model->requirements[kept++] = model->requirements[i];
    }
    model->requirement_count = kept;
    return true;
}

bool model_create(struct model *model, const struct domain *domain, size_t constraint_count,
                  const struct domain *const *formers, size_t former_count, bool lenient)
{
    *model = (struct model){.lenient = lenient};
    bool made = make_variables(model, domain) && add_constraints(model, domain, constraint_count);
    for (size_t i = 0; i < former_count && made; i++)
        made = exclude(model, domain, formers[i]);
    made = made && find_supports(model) && tabulate(model);
    if (!made) {
        model_clear(model);
        return false;
    }
    filter_values(model);
    return true;
}

void model_clear(struct model *model)
{
    for (size_t t = 0; t < model->terms.count && model->tables; t++)
        free(model->tables[t]);
    for (size_t v = 0; v < model->variable_count; v++)
        free(model->variables[v].alive);
    free(model->variables);
    free(model->requirements);
    free(model->required);
    free(model->support);
    free(model->tables);
    terms_free(&model->terms);
    *model = (struct model){0};
}
