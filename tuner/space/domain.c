/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/domain.h"

#include "tuner/lang/arithmetic.h"
#include "tuner/space/slots.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_LIMIT = DIAGRAM_NO_VALUE };

static bool make_base(struct domain *domain, const struct device_description *device,
                      struct size_setting *const sizes[SIZES_COUNT], struct error *error)
{
    for (size_t which = 0; which < SIZES_COUNT; which++) {
        struct value *slots = calloc(domain->slot_count + 1, sizeof *slots);
        if (!slots)
            return error_out_of_memory(error);
        domain->base[which] = slots;
        if (which == 0)
            slots_set_device(domain->space->scope, device, slots);
        else
            memcpy(slots, domain->base[0], domain->slot_count * sizeof *slots);
        for (size_t i = 0; i < domain->template->size_count; i++)
            slots[domain->template->sizes[i].slot] = value_integer(sizes[which][i].value);
    }
    return true;
}

static bool check_value(const struct parameter_declaration *declaration, const struct expr *expr, struct value value,
                        struct error *error)
{
    if (value.kind == VALUE_FLOAT && !isfinite(value.real))
        return error_at(error, ERROR_INPUT, expr_place(expr), "a value of parameter %s is not a finite number",
                        declaration->name);
    return true;
}

/* Like most lists; it has no duplicates then. */
static bool is_ascending(const struct domain_parameter *parameter)
{
    for (size_t i = 1; i < parameter->count; i++) {
        if (arithmetic_order(parameter->values[i - 1], parameter->values[i]) != ORDER_LESS)
            return false;
    }
    return true;
}

struct place_of_value {
    struct value value;
    size_t place;
};

/* Numbers before strings, equal values as given. */
static int compare_places(const void *one, const void *other)
{
    const struct place_of_value *a = one, *b = other;
    enum order order = arithmetic_order(a->value, b->value);
    if (order == ORDER_NONE)
        return value_is_number(a->value) ? -1 : 1;
    if (order == ORDER_EQUAL)
        return a->place < b->place ? -1 : 1;
    return order == ORDER_LESS ? -1 : 1;
}

/* Keep the first of equal values. */
static bool drop_duplicates(struct domain_parameter *parameter)
{
    size_t kept = 0;
    struct place_of_value *places = calloc(parameter->count, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < parameter->count; i++)
        places[i] = (struct place_of_value){parameter->values[i], i};
    qsort(places, parameter->count, sizeof *places, compare_places);
    for (size_t i = 1; i < parameter->count; i++) {
        if (value_equal(places[i - 1].value, places[i].value))
            parameter->values[places[i].place].kind = VALUE_UNSET;
    }
    for (size_t i = 0; i < parameter->count; i++) {
        if (parameter->values[i].kind != VALUE_UNSET)
            parameter->values[kept++] = parameter->values[i];
    }
    parameter->count = kept;
    free(places);
    return true;
}

static bool evaluate_values(struct domain_parameter *parameter, const struct expr *expr, const struct value *slots,
                            struct error *error)
{
    const struct parameter_declaration *declaration = parameter->declaration;
    if (!expr_list(expr, slots, &parameter->values, &parameter->count, error))
        return false;
    if (parameter->count == 0)
        return error_at(error, ERROR_INPUT, expr_place(expr), "parameter %s has no values", declaration->name);
    if (parameter->count > VALUES_LIMIT)
        return error_at(error, ERROR_INPUT, expr_place(expr), "parameter %s has %zu values; at most %d are supported",
                        declaration->name, parameter->count, VALUES_LIMIT);
    for (size_t i = 0; i < parameter->count; i++) {
        if (!check_value(declaration, expr, parameter->values[i], error))
            return false;
    }
    return is_ascending(parameter) || drop_duplicates(parameter) || error_out_of_memory(error);
}

/* In the space's order, so that a setting may read those before it. */
static bool evaluate_settings(struct domain *domain, struct error *error)
{
    for (size_t i = 0; i < domain->space->setting_count; i++) {
        const struct space_setting *setting = &domain->space->settings[i];
        struct value value;
        if (!expr_evaluate(setting->value, domain->base[SIZES_TUNED], &value, error))
            return false;
        for (size_t which = 0; which < SIZES_COUNT; which++)
            domain->base[which][setting->slot] = value;
    }
    return true;
}

static bool fix_value(const struct domain *domain, struct domain_parameter *parameter, const struct expr *expr,
                      struct error *error)
{
    parameter->fixed = true;
    parameter->count = 1;
    parameter->values = calloc(1, sizeof *parameter->values);
    if (!parameter->values)
        return error_out_of_memory(error);
    parameter->values[0] = domain->base[SIZES_TUNED][parameter->declaration->slot];
    return check_value(parameter->declaration, expr, parameter->values[0], error);
}

static const struct expr *setting_of_slot(const struct space *space, size_t slot)
{
    for (size_t i = 0; i < space->setting_count; i++) {
        if (space->settings[i].slot == slot)
            return space->settings[i].value;
    }
    return NULL;
}

static const struct expr *values_of_slot(const struct space *space, size_t slot)
{
    for (size_t i = 0; i < space->parameter_count; i++) {
        if (space->parameters[i].slot == slot)
            return space->parameters[i].values;
    }
    return NULL;
}

/* The parameters that the space sets or varies, in the template's order. */
static bool make_parameters(struct domain *domain, struct error *error)
{
    const struct template *template = domain->template;
    domain->parameters = calloc(template->parameter_count + 1, sizeof *domain->parameters);
    if (!domain->parameters)
        return error_out_of_memory(error);
    if (!evaluate_settings(domain, error))
        return false;
    for (size_t i = 0; i < template->parameter_count; i++) {
        const struct parameter_declaration *declaration = &template->parameters[i];
        const struct expr *setting = setting_of_slot(domain->space, declaration->slot);
        const struct expr *values = values_of_slot(domain->space, declaration->slot);
        if (!setting && !values)
            continue;
        struct domain_parameter *parameter = &domain->parameters[domain->parameter_count++];
        parameter->declaration = declaration;
        if (setting ? !fix_value(domain, parameter, setting, error)
                    : !evaluate_values(parameter, values, domain->base[SIZES_TUNED], error))
            return false;
    }
    return true;
}

static bool make_order(struct domain *domain, struct error *error)
{
    const struct space *space = domain->space;
    domain->order = calloc(space->parameter_count + 1, sizeof *domain->order);
    if (!domain->order)
        return error_out_of_memory(error);
    for (size_t i = 0; i < space->parameter_count; i++) {
        for (size_t j = 0; j < domain->parameter_count; j++) {
            struct domain_parameter *parameter = &domain->parameters[j];
            assert(parameter->declaration);
            if (parameter->declaration->slot != space->parameters[i].slot || parameter->fixed)
                continue;
            parameter->column = domain->depth;
            domain->order[domain->depth++] = j;
        }
    }
    return true;
}

static bool make_defaults(struct domain *domain, struct error *error)
{
    const struct space *space = domain->space;
    domain->defaults = calloc(space->default_count + 1, sizeof *domain->defaults);
    if (!domain->defaults)
        return error_out_of_memory(error);
    for (size_t i = 0; i < space->default_count; i++) {
        if (!expr_evaluate(space->defaults[i].value, domain->base[SIZES_TUNED], &domain->defaults[i], error))
            return false;
    }
    return true;
}

bool domain_prepare(struct domain *domain, const struct template *template, const struct space *space,
                    const struct device_description *device, struct size_setting *const sizes[SIZES_COUNT],
                    struct error *error)
{
    memset(domain, 0, sizeof *domain);
    domain->template = template;
    domain->space = space;
    domain->slot_count = scope_count(space->scope);
    return make_base(domain, device, sizes, error) && make_parameters(domain, error) && make_order(domain, error) &&
           make_defaults(domain, error);
}

void domain_clear(struct domain *domain)
{
    for (size_t i = 0; i < domain->parameter_count; i++)
        free(domain->parameters[i].values);
    for (size_t i = 0; i < SIZES_COUNT; i++)
        free(domain->base[i]);
    free(domain->parameters);
    free(domain->order);
    free(domain->defaults);
    diagram_free(domain->diagram);
    free(domain->columns);
    free(domain->removed);
}

double domain_cartesian(const struct domain *domain)
{
    double product = 1;
    for (size_t i = 0; i < domain->parameter_count; i++)
        product *= (double)domain->parameters[i].count;
    return product;
}

size_t domain_get(const struct domain_parameter *parameter, const uint16_t *point)
{
    return parameter->fixed ? 0 : point[parameter->column];
}

void domain_put(const struct domain_parameter *parameter, uint16_t *point, size_t index)
{
    if (!parameter->fixed)
        point[parameter->column] = (uint16_t)index;
}

struct value domain_value(const struct domain_parameter *parameter, const uint16_t *point)
{
    return parameter->values[domain_get(parameter, point)];
}

bool domain_index(const struct domain_parameter *parameter, struct value value, size_t *index)
{
    for (*index = 0; *index < parameter->count; ++*index) {
        if (value_equal(parameter->values[*index], value))
            return true;
    }
    return false;
}

const struct domain_parameter *domain_parameter_of_slot(const struct domain *domain, size_t slot)
{
    for (size_t i = 0; i < domain->parameter_count; i++) {
        if (domain->parameters[i].declaration->slot == slot)
            return &domain->parameters[i];
    }
    return NULL;
}

void domain_point(const struct domain *domain, size_t index, uint16_t *point)
{
    struct diagram_frame frame = {.columns = domain->columns};
    diagram_point(domain->diagram, &frame, index, point);
}

bool domain_find(const struct domain *domain, const uint16_t *point, size_t *index)
{
    struct diagram_frame frame = {.columns = domain->columns};
    return diagram_find(domain->diagram, &frame, point, index);
}

void domain_slots(const struct domain *domain, const uint16_t *point, size_t which, struct value *slots)
{
    memcpy(slots, domain->base[which], domain->slot_count * sizeof *slots);
    for (size_t i = 0; i < domain->parameter_count; i++)
        slots[domain->parameters[i].declaration->slot] = domain_value(&domain->parameters[i], point);
}

enum verdict domain_judge(const struct domain *domain, size_t constraint, const struct value *slots)
{
    bool truth;
    if (!expr_truth(domain->space->constraints[constraint].condition, slots, &truth, NULL))
        return VERDICT_UNDECIDED;
    return truth ? VERDICT_PASSED : VERDICT_REMOVED;
}
