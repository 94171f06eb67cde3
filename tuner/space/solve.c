/* SPDX-License-Identifier: Apache-2.0 */
/* A domain's valid configurations: its constraints as a model, the model's diagram. */
#include "tuner/space/solve.h"

#include "tuner/space/construct.h"
#include "tuner/space/slots.h"
#include "tuner/space/variable_order.h"

#include <stdlib.h>
#include <string.h>

static const double NUMBERED = 9.2e18; /* configurations that 63 bits number */

static bool out_of_memory(struct error *error)
{
    error_out_of_memory(error);
    return error_hint(error, "a parameter that many constraints read with many others makes a space large");
}

static struct diagram_builder *make_builder(const struct model *model, const size_t *order)
{
    size_t *widths = calloc(model->variable_count + 1, sizeof *widths);
    struct diagram_builder *builder = NULL;
    for (size_t l = 0; l < model->variable_count && widths; l++)
        widths[l] = model->variables[order[l]].count;
    if (widths)
        builder = diagram_builder_create(widths, model->variable_count);
    free(widths);
    return builder;
}

bool solution_start(struct solution *solution, const struct domain *domain, size_t constraint_count,
                    const struct domain *const *formers, size_t former_count, bool lenient)
{
    *solution = (struct solution){.root = DIAGRAM_DEAD};
    if (!model_create(&solution->model, domain, constraint_count, formers, former_count, lenient))
        return false;
    size_t levels = solution->model.variable_count;
    size_t *group_of = calloc(levels + 1, sizeof *group_of);
    solution->order = calloc(levels + 1, sizeof *solution->order);
    solution->undecided = calloc(levels + 1, sizeof *solution->undecided);
    bool started = group_of && solution->order && solution->undecided;
    for (size_t l = 0; l < levels && started; l++)
        solution->order[l] = l;
    if (started && !solution->model.impossible)
        started = variable_order(&solution->model, solution->order, group_of);
    started = started && plan_create(&solution->plan, &solution->model, solution->order, group_of);
    if (started)
        solution->builder = make_builder(&solution->model, solution->order);
    free(group_of);
    if (!started || !solution->builder) {
        solution_end(solution);
        return false;
    }
    return true;
}

enum construct_end solution_find(struct solution *solution, size_t *effort)
{
    return construct(&solution->plan, effort, solution->builder, &solution->root, solution->undecided);
}

void solution_end(struct solution *solution)
{
    diagram_builder_free(solution->builder);
    plan_clear(&solution->plan);
    model_clear(&solution->model);
    free(solution->order);
    free(solution->undecided);
    *solution = (struct solution){.root = DIAGRAM_DEAD};
}

/* "TILE_M = 64, TILE_N = 16": the parameters that the constraint reads. */
static void append_values(const struct domain *domain, const struct expr *expr, const uint16_t *point,
                          struct error *error)
{
    size_t length = strlen(error->text);
    const char *separator = " (";
    for (size_t i = 0; i < domain->parameter_count && length + 1 < sizeof error->text; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        char value[64];
        if (!slots_reads(domain->template, domain->space, expr, parameter->declaration->slot))
            continue;
        value_text(domain_value(parameter, point), value, sizeof value);
        length += (size_t)snprintf(error->text + length, sizeof error->text - length, "%s%s = %s", separator,
                                   parameter->declaration->name, value);
        separator = ", ";
    }
    if (separator[0] == ',' && length + 1 < sizeof error->text)
        snprintf(error->text + length, sizeof error->text - length, ")");
}

/* Say which constraint cannot be evaluated for the configuration, and why. */
static bool blame(const struct domain *domain, const uint16_t *point, struct error *error)
{
    struct value *slots = malloc((domain->slot_count + 1) * sizeof *slots);
    if (!slots)
        return out_of_memory(error);
    domain_slots(domain, point, SIZES_TUNED, slots);
    slots_set_lets(domain->template, domain->space, slots);
    for (size_t i = 0; i < domain->space->constraint_count; i++) {
        const struct expr *condition = domain->space->constraints[i].condition;
        bool truth;
        if (expr_truth(condition, slots, &truth, error))
            continue;
        slots_blame(domain->template, domain->space, condition, slots, error);
        if (error)
            append_values(domain, condition, point, error);
        break;
    }
    free(slots);
    return false;
}

static bool too_much(const struct domain *domain, size_t effort, struct error *error)
{
    error_set(error, ERROR_INPUT,
              "the configurations of space %s cannot be counted: more than %zu million values "
              "would have to be tried",
              domain->space->name, effort / 1000000);
    return error_hint(error, "its constraints tie too many parameters with many values together; give those fewer "
                             "values, or fix some with `set`");
}

static bool too_many(const struct domain *domain, double count, struct error *error)
{
    error_set(error, ERROR_INPUT, "space %s has %.3g valid configurations, more than can be numbered (%.1e)",
              domain->space->name, count, NUMBERED);
    return error_hint(error, "add constraints, or give its parameters fewer values");
}

/* The first configuration that has the values of the space's defaults. */
static void choose_default(struct domain *domain, const size_t *order)
{
    const struct space *space = domain->space;
    uint16_t *wanted = malloc((domain->depth + 1) * sizeof *wanted);
    bool possible = wanted && space->default_count > 0;
    for (size_t l = 0; l < domain->depth && wanted; l++)
        wanted[l] = DIAGRAM_NO_VALUE;
    for (size_t i = 0; i < space->default_count && possible; i++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(domain, space->defaults[i].slot);
        size_t index = 0;
        possible = parameter && domain_index(parameter, domain->defaults[i], &index);
        for (size_t l = 0; l < domain->depth && possible && !parameter->fixed; l++) {
            if (order[l] == parameter->column)
                wanted[l] = (uint16_t)index;
        }
    }
    domain->named = possible && diagram_first_with(domain->diagram, wanted, &domain->chosen);
    free(wanted);
}

static bool finish(struct domain *domain, struct solution *solution, struct error *error)
{
    double count = diagram_builder_count(solution->builder, solution->root);
    if (count > NUMBERED)
        return too_many(domain, count, error);
    if (count >= 0)
        domain->diagram = diagram_builder_finish(solution->builder, solution->root);
    if (!domain->diagram)
        return out_of_memory(error);
    domain->count = diagram_count(domain->diagram);
    domain->columns = solution->order;
    solution->order = NULL;
    choose_default(domain, domain->columns);
    return true;
}

bool domain_solve(struct domain *domain, const struct domain *const *formers, size_t former_count, size_t effort,
                  struct error *error)
{
    struct solution solution;
    size_t left = effort;
    bool done = false;
    if (!solution_start(&solution, domain, domain->space->constraint_count, formers, former_count, false))
        return out_of_memory(error);
    switch (solution_find(&solution, &left)) {
    case CONSTRUCT_DONE:
        done = finish(domain, &solution, error);
        break;
    case CONSTRUCT_UNDECIDED:
        done = blame(domain, solution.undecided, error);
        break;
    case CONSTRUCT_EFFORT:
        done = too_much(domain, effort, error);
        break;
    case CONSTRUCT_MEMORY:
        done = out_of_memory(error);
        break;
    }
    solution_end(&solution);
    return done;
}
