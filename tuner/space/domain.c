#include "tuner/space/domain.h"

#include "tuner/space/slots.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_LIMIT = 65536 }; /* what two bytes count */

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "out of memory");
}

static bool make_base(struct domain *domain, const struct device_description *device,
                      int64_t *const sizes[SIZES_COUNT], struct error *error)
{
    for (size_t which = 0; which < SIZES_COUNT; which++) {
        struct value *slots = calloc(domain->slot_count + 1, sizeof *slots);
        if (!slots)
            return out_of_memory(error);
        domain->base[which] = slots;
        slots_set_device(domain->space->scope, device, slots);
        for (size_t i = 0; i < domain->template->size_count; i++)
            slots[domain->template->sizes[i].slot] = value_integer(sizes[which][i]);
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

/* Keep the first of equal values. */
static void drop_repetitions(struct domain_parameter *parameter)
{
    size_t kept = 0;
    for (size_t i = 0; i < parameter->count; i++) {
        size_t j = 0;
        while (j < kept && !value_equal(parameter->values[j], parameter->values[i]))
            j++;
        if (j == kept)
            parameter->values[kept++] = parameter->values[i];
    }
    parameter->count = kept;
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
        return error_at(error, ERROR_INPUT, expr_place(expr), "parameter %s has %zu values; the most is %d",
                        declaration->name, parameter->count, VALUES_LIMIT);
    for (size_t i = 0; i < parameter->count; i++) {
        if (!check_value(declaration, expr, parameter->values[i], error))
            return false;
    }
    drop_repetitions(parameter);
    parameter->width = parameter->count <= 256 ? 1 : 2;
    return true;
}

/* In the order of the space, so that one may read those before it. */
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
        return out_of_memory(error);
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
        return out_of_memory(error);
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
        return out_of_memory(error);
    for (size_t i = 0; i < space->parameter_count; i++) {
        for (size_t j = 0; j < domain->parameter_count; j++) {
            struct domain_parameter *parameter = &domain->parameters[j];
            assert(parameter->declaration);
            if (parameter->declaration->slot != space->parameters[i].slot || parameter->fixed)
                continue;
            domain->order[domain->depth++] = j;
            parameter->column = domain->row_bytes;
            domain->row_bytes += parameter->width;
        }
    }
    return true;
}

static bool make_defaults(struct domain *domain, struct error *error)
{
    const struct space *space = domain->space;
    domain->defaults = calloc(space->default_count + 1, sizeof *domain->defaults);
    if (!domain->defaults)
        return out_of_memory(error);
    for (size_t i = 0; i < space->default_count; i++) {
        if (!expr_evaluate(space->defaults[i].value, domain->base[SIZES_TUNED], &domain->defaults[i], error))
            return false;
    }
    return true;
}

static size_t level_of(const struct domain *domain, const struct expr *expr)
{
    for (size_t level = domain->depth; level > 0; level--) {
        const struct domain_parameter *parameter = &domain->parameters[domain->order[level - 1]];
        if (slots_reads(domain->template, domain->space, expr, parameter->declaration->slot))
            return level;
    }
    return 0;
}

enum { NO_LEVEL = -1 };

/* Order items by level; those with NO_LEVEL are left out. */
static bool make_schedule(struct schedule *schedule, const long *levels, size_t count, size_t depth,
                          struct error *error)
{
    size_t used = 0;
    schedule->items = calloc(count + 1, sizeof *schedule->items);
    schedule->first = calloc(depth + 2, sizeof *schedule->first);
    if (!schedule->items || !schedule->first)
        return out_of_memory(error);
    for (size_t level = 0; level <= depth; level++) {
        schedule->first[level] = used;
        for (size_t i = 0; i < count; i++) {
            if (levels[i] == (long)level)
                schedule->items[used++] = i;
        }
    }
    schedule->first[depth + 1] = used;
    return true;
}

static bool schedule_constraints(struct domain *domain, struct error *error)
{
    const struct space *space = domain->space;
    long *levels = calloc(space->constraint_count + 1, sizeof *levels);
    if (!levels)
        return out_of_memory(error);
    for (size_t i = 0; i < space->constraint_count; i++)
        levels[i] = (long)level_of(domain, space->constraints[i].condition);
    bool done = make_schedule(&domain->constraints, levels, space->constraint_count, domain->depth, error);
    free(levels);
    return done;
}

static bool let_is_needed(const struct domain *domain, const struct let_declaration *let)
{
    for (size_t i = 0; i < domain->space->constraint_count; i++) {
        if (slots_reads(domain->template, domain->space, domain->space->constraints[i].condition, let->slot))
            return true;
    }
    return false;
}

static bool schedule_lets(struct domain *domain, struct error *error)
{
    size_t count = slots_let_count(domain->template, domain->space);
    long *levels = calloc(count + 1, sizeof *levels);
    if (!levels)
        return out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        const struct let_declaration *let = slots_let(domain->template, domain->space, i);
        levels[i] = let_is_needed(domain, let) ? (long)level_of(domain, let->value) : NO_LEVEL;
    }
    bool done = make_schedule(&domain->lets, levels, count, domain->depth, error);
    free(levels);
    return done;
}

bool domain_prepare(struct domain *domain, const struct template *template, const struct space *space,
                    const struct device_description *device, int64_t *const sizes[SIZES_COUNT], struct error *error)
{
    memset(domain, 0, sizeof *domain);
    domain->template = template;
    domain->space = space;
    domain->slot_count = scope_count(space->scope);
    return make_base(domain, device, sizes, error) && make_parameters(domain, error) && make_order(domain, error) &&
           make_defaults(domain, error) && schedule_constraints(domain, error) && schedule_lets(domain, error);
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
    free(domain->lets.items);
    free(domain->lets.first);
    free(domain->constraints.items);
    free(domain->constraints.first);
    free(domain->rows);
    free(domain->removed);
}

double domain_cartesian(const struct domain *domain)
{
    double product = 1;
    for (size_t i = 0; i < domain->parameter_count; i++)
        product *= (double)domain->parameters[i].count;
    return product;
}

size_t domain_get(const struct domain_parameter *parameter, const unsigned char *row)
{
    if (parameter->fixed)
        return 0;
    const unsigned char *at = row + parameter->column;
    return parameter->width == 1 ? at[0] : (size_t)at[0] << 8 | at[1];
}

void domain_put(const struct domain_parameter *parameter, unsigned char *row, size_t index)
{
    if (parameter->fixed)
        return;
    unsigned char *at = row + parameter->column;
    if (parameter->width == 2)
        *at++ = (unsigned char)(index >> 8);
    *at = (unsigned char)(index & 0xff);
}

struct value domain_value(const struct domain_parameter *parameter, const unsigned char *row)
{
    return parameter->values[domain_get(parameter, row)];
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

const unsigned char *domain_row(const struct domain *domain, size_t index)
{
    return domain->rows + index * domain->row_bytes;
}

bool domain_find(const struct domain *domain, const unsigned char *row, size_t *index)
{
    size_t low = 0, high = domain->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = memcmp(domain_row(domain, middle), row, domain->row_bytes);
        if (order == 0) {
            *index = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

void domain_slots(const struct domain *domain, const unsigned char *row, size_t which, struct value *slots)
{
    memcpy(slots, domain->base[which], domain->slot_count * sizeof *slots);
    for (size_t i = 0; i < domain->parameter_count; i++)
        slots[domain->parameters[i].declaration->slot] = domain_value(&domain->parameters[i], row);
}

void domain_set_lets(const struct domain *domain, size_t level, struct value *slots)
{
    const struct schedule *lets = &domain->lets;
    for (size_t i = lets->first[level]; i < lets->first[level + 1]; i++)
        slots_set_let(slots_let(domain->template, domain->space, lets->items[i]), slots);
}

enum verdict domain_judge(const struct domain *domain, size_t constraint, const struct value *slots)
{
    bool truth;
    if (!expr_truth(domain->space->constraints[constraint].condition, slots, &truth, NULL))
        return VERDICT_UNDECIDED;
    return truth ? VERDICT_PASSED : VERDICT_REMOVED;
}
