/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/lint.h"

#include "tuner/lang/arithmetic.h"
#include "tuner/lang/written.h"
#include "tuner/space/slots.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct linting {
    const struct problem *problem;
    const struct space *space;
    struct value *slots; /* the device, the sizes and what the space sets */
    bool *marked;        /* by slot: room for slots_mark */
    lint_visitor *visit;
    void *context;
};

const char *lint_kind_name(enum lint_kind kind)
{
    static const char *const names[LINT_KINDS] = {
        [LINT_REPEATED_VALUE] = "repeated value", [LINT_UNUSED_LET] = "unused let",
        [LINT_UNKNOWN_LIMIT] = "unknown limit",   [LINT_SINGLE_VALUE] = "single value",
        [LINT_NO_EFFECT] = "no effect",           [LINT_DEAD_VALUE] = "dead value",
        [LINT_IDLE] = "idle constraint",          [LINT_UNWRITTEN] = "unwritten output",
    };
    return names[kind];
}

static void report(const struct linting *linting, enum lint_kind kind, const struct expr *expr, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

static void report(const struct linting *linting, enum lint_kind kind, const struct expr *expr, const char *format,
                   ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    linting->visit(linting->context, kind, expr_place(expr), text);
}

static bool make_slots(struct linting *linting, struct error *error)
{
    const struct template *template = problem_template(linting->problem);
    const struct space *space = linting->space;
    free(linting->slots);
    free(linting->marked);
    linting->slots = calloc(scope_count(space->scope) + 1, sizeof *linting->slots);
    linting->marked = calloc(scope_count(space->scope) + 1, sizeof *linting->marked);
    if (!linting->slots || !linting->marked)
        return error_out_of_memory(error);
    slots_set_device(space->scope, problem_device(linting->problem), linting->slots);
    for (size_t i = 0; i < template->size_count; i++)
        linting->slots[template->sizes[i].slot] = value_integer(problem_size(linting->problem, i));
    for (size_t i = 0; i < space->setting_count; i++) {
        struct value value;
        if (expr_evaluate(space->settings[i].value, linting->slots, &value, NULL))
            linting->slots[space->settings[i].slot] = value;
    }
    return true;
}

static const char *parameter_name(const struct linting *linting, size_t slot)
{
    return scope_name(linting->space->scope, slot);
}

/* Report the first value that a list has twice. */
static bool lint_values(const struct linting *linting, const struct space_parameter *parameter, struct error *error)
{
    struct value *values;
    size_t count;
    if (!expr_list(parameter->values, linting->slots, &values, &count, error))
        return false;
    bool ascending = true, found = false;
    for (size_t i = 1; i < count; i++)
        ascending = ascending && arithmetic_order(values[i - 1], values[i]) == ORDER_LESS;
    for (size_t i = 1; i < count && !ascending && !found; i++) {
        for (size_t j = 0; j < i && !found; j++) {
            char text[64];
            found = value_equal(values[i], values[j]);
            if (!found)
                continue;
            value_text(values[i], text, sizeof text);
            report(linting, LINT_REPEATED_VALUE, parameter->values, "%s has the value %s more than once",
                   parameter_name(linting, parameter->slot), text);
        }
    }
    free(values);
    return true;
}

static void lint_lets(const struct linting *linting)
{
    const struct space *space = linting->space;
    memset(linting->marked, 0, scope_count(space->scope) * sizeof *linting->marked);
    for (size_t i = 0; i < space->constraint_count; i++)
        expr_mark(space->constraints[i].condition, linting->marked);
    for (size_t i = 0; i < space->let_count; i++)
        expr_mark(space->lets[i].value, linting->marked);
    for (size_t i = 0; i < space->let_count; i++) {
        const struct let_declaration *let = &space->lets[i];
        if (!linting->marked[let->slot])
            report(linting, LINT_UNUSED_LET, let->value, "%s is never used", let->name);
    }
}

/* A field that is 0 is unknown, except for a compute capability of 0, which means that the device is not a GPU. */
static void lint_limits(const struct linting *linting, const struct expr *condition)
{
    const struct device_description *device = problem_device(linting->problem);
    memset(linting->marked, 0, scope_count(linting->space->scope) * sizeof *linting->marked);
    slots_mark(problem_template(linting->problem), linting->space, condition, linting->marked);
    for (size_t i = 0; i < device_field_count; i++) {
        char name[80];
        size_t slot;
        snprintf(name, sizeof name, "device.%s", device_fields[i].name);
        if (!scope_find(linting->space->scope, name, &slot) || linting->slots[slot].integer != 0 ||
            strcmp(device_fields[i].name, "compute_capability") == 0 || !linting->marked[slot])
            continue;
        report(linting, LINT_UNKNOWN_LIMIT, condition, "this constraint reads %s, which is unknown (0) for %s", name,
               device->name);
    }
}

/* List the values that no valid configuration has, as far as they fit: "2, 4 and 7 more". */
static void list_dead(const struct problem *problem, size_t index, const struct parameter_values *parameter,
                      char *text, size_t size)
{
    size_t length = 0, left = 0;
    text[0] = '\0';
    for (size_t i = 0; i < parameter->count; i++) {
        char value[64];
        if (problem_value_occurs(problem, index, i))
            continue;
        value_text(parameter->values[i], value, sizeof value);
        if (length + strlen(value) + 32 < size && left == 0)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "", value);
        else
            left++;
    }
    if (left > 0)
        snprintf(text + length, size - length, " and %zu more", left);
}

static const struct expr *values_of(const struct space *space, size_t slot)
{
    for (size_t i = 0; i < space->parameter_count; i++) {
        if (space->parameters[i].slot == slot)
            return space->parameters[i].values;
    }
    return NULL;
}

/* Report values that no valid configuration has. */
static void lint_left(const struct linting *linting, size_t index, const struct parameter_values *parameter)
{
    const struct expr *values = values_of(linting->space, parameter->declaration->slot);
    size_t alive = 0, last = 0;
    char text[200];
    for (size_t i = 0; i < parameter->count; i++) {
        if (problem_value_occurs(linting->problem, index, i)) {
            alive++;
            last = i;
        }
    }
    if (!values || parameter->count == 1 || alive == 0 || alive == parameter->count)
        return;
    if (alive == 1) {
        value_text(parameter->values[last], text, sizeof text);
        report(linting, LINT_SINGLE_VALUE, values, "%s has no effect: it is %s in every valid configuration",
               parameter->declaration->name, text);
        return;
    }
    list_dead(linting->problem, index, parameter, text, sizeof text);
    report(linting, LINT_DEAD_VALUE, values, "no valid configuration has %s = %s", parameter->declaration->name,
           text);
}

/* Report a parameter whose values all give the same kernel and the same launches. */
static void lint_effect(const struct linting *linting, const struct parameter_values *parameter)
{
    const struct template *template = problem_template(linting->problem);
    const struct expr *values = values_of(linting->space, parameter->declaration->slot);
    size_t index = (size_t)(parameter->declaration - template->parameters);
    if (values && parameter->count > 1 && !template_uses(template, index))
        report(linting, LINT_NO_EFFECT, values,
               "%s has no effect: no source of template %s mentions it, nor does its text",
               parameter->declaration->name, template->name);
}

static void lint_constraints(const struct linting *linting)
{
    for (size_t i = 0; i < problem_constraint_count(linting->problem); i++) {
        struct constraint_report constraint;
        problem_constraint_report(linting->problem, i, &constraint);
        if (constraint.space != linting->space)
            continue;
        lint_limits(linting, constraint.constraint->condition);
        if (constraint.removed == 0)
            report(linting, LINT_IDLE, constraint.constraint->condition, "%s",
                   "this constraint has no effect: those before it remove all that it would");
    }
}

static bool lint_space(struct linting *linting, struct error *error)
{
    if (!make_slots(linting, error))
        return false;
    for (size_t i = 0; i < linting->space->parameter_count; i++) {
        if (!lint_values(linting, &linting->space->parameters[i], error))
            return false;
    }
    for (size_t i = 0; i < problem_parameter_count(linting->problem); i++) {
        struct parameter_values parameter;
        problem_parameter(linting->problem, i, &parameter);
        if (parameter.space != linting->space)
            continue;
        lint_effect(linting, &parameter);
        lint_left(linting, i, &parameter);
    }
    lint_lets(linting);
    lint_constraints(linting);
    return true;
}

static bool lint_spaces(struct linting *linting, const struct space *space, struct error *error)
{
    for (size_t i = 0; i < space->member_count; i++) {
        if (!lint_spaces(linting, space->members[i], error))
            return false;
    }
    linting->space = space;
    return space->member_count > 0 || lint_space(linting, error);
}

/* Its elements keep their poison, so that every configuration fails. */
static void lint_outputs(const struct linting *linting)
{
    const struct template *template = problem_template(linting->problem);
    for (size_t i = 0; i < template->buffer_count; i++) {
        const struct buffer_declaration *buffer = &template->buffers[i];
        char text[512];
        if (buffer->role != BUFFER_OUT || template_may_write(template, i))
            continue;
        snprintf(text, sizeof text, "nothing writes %s: no launch passes it to a kernel", buffer->name);
        linting->visit(linting->context, LINT_UNWRITTEN, buffer->place, text);
    }
}

bool lint_problem(const struct problem *problem, lint_visitor *visit, void *context, struct error *error)
{
    struct linting linting = {.problem = problem, .visit = visit, .context = context};
    lint_outputs(&linting);
    bool done = !problem_space(problem) || lint_spaces(&linting, problem_space(problem), error);
    free(linting.slots);
    free(linting.marked);
    return done;
}
