/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/solve.h"

#include "tuner/space/diagram_pack.h"
#include "tuner/space/slots.h"
#include "tuner/space/solution.h"

#include <stdlib.h>
#include <string.h>

static const double NUMBERED = 9.2e18; /* configurations that 63 bits can number */

static bool out_of_memory(struct error *error)
{
    error_out_of_memory(error);
    return error_hint(error, "constraints that link many parameters with many values take much memory");
}

/* Append the values of the parameters that the constraint reads: " (TILE_M = 64, TILE_N = 16)". */
static void append_values(const struct domain *domain, const struct expr *expr, const uint16_t *point,
                          struct error *error)
{
    size_t length = strlen(error->text);
    const char *separator = " (";
    bool *marked = calloc(domain->slot_count + 1, sizeof *marked);
    if (!marked)
        return; /* then without the values */
    slots_mark(domain->template, domain->space, expr, marked);
    for (size_t i = 0; i < domain->parameter_count && length + 1 < sizeof error->text; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        char value[64];
        if (!marked[parameter->declaration->slot])
            continue;
        value_text(domain_value(parameter, point), value, sizeof value);
        length += (size_t)snprintf(error->text + length, sizeof error->text - length, "%s%s = %s", separator,
                                   parameter->declaration->name, value);
        separator = ", ";
    }
    if (separator[0] == ',' && length + 1 < sizeof error->text)
        snprintf(error->text + length, sizeof error->text - length, ")");
    free(marked);
}

/* Report which constraint cannot be evaluated for the configuration, and why. */
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
    return error_hint(error, "its constraints link too many parameters with many values; use fewer values, or fix "
                             "some parameters with `set`");
}

static bool too_many(const struct domain *domain, double count, struct error *error)
{
    error_set(error, ERROR_INPUT, "space %s has %.3g valid configurations, more than can be numbered (%.1e)",
              domain->space->name, count, NUMBERED);
    return error_hint(error, "add constraints, or give its parameters fewer values");
}

/* Find the first configuration with the values of the space's defaults. False when out of memory. */
static bool choose_default(struct domain *domain, const size_t *order)
{
    const struct space *space = domain->space;
    uint16_t *wanted = malloc((domain->depth + 1) * sizeof *wanted);
    bool possible = space->default_count > 0, done = true;
    if (!wanted)
        return false;
    for (size_t l = 0; l < domain->depth; l++)
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
    domain->named = false;
    if (possible)
        done = diagram_first_with(domain->diagram, wanted, &domain->named, &domain->chosen);
    free(wanted);
    return done;
}

static bool finish(struct domain *domain, struct solution *solution, struct error *error)
{
    double count = diagram_builder_count(solution->builder, solution->root);
    if (count > NUMBERED)
        return too_many(domain, count, error);
    if (count >= 0)
        domain->diagram = diagram_pack(solution->builder, solution->root);
    if (!domain->diagram)
        return out_of_memory(error);
    domain->count = diagram_count(domain->diagram);
    domain->columns = solution->order;
    solution->order = NULL;
    return choose_default(domain, domain->columns) || out_of_memory(error);
}

bool solve(struct domain *domain, const struct domain *const *formers, size_t former_count, size_t effort,
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
