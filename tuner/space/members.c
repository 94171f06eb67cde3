/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/members.h"

#include "tuner/lang/arithmetic.h"

#include <stdlib.h>

struct gathering {
    const struct domain *domains;
    size_t domain_count;
    struct dimension *dimensions;
    size_t *slots; /* by dimension */
    size_t dimension_count;
    struct search_space_member *members; /* by domain */
};

/* Which of the first `count` values equals this one, trying `guess` first; else `count`. */
static size_t find_value(const struct value *values, size_t count, struct value value, size_t guess)
{
    bool unset = value.kind == VALUE_UNSET;
    for (size_t i = 0; i < count; i++) {
        size_t at = guess < count ? (guess + i) % count : i;
        if (unset ? values[at].kind == VALUE_UNSET : value_equal(values[at], value))
            return at;
    }
    return count;
}

/* The values that the domains give a parameter, each once, and VALUE_UNSET last if one of them does not have it. */
static bool gather_values(const struct gathering *gathering, size_t slot, struct value **values, size_t *count)
{
    size_t most = 1, given = 0;
    bool absent = false;
    for (size_t i = 0; i < gathering->domain_count; i++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(&gathering->domains[i], slot);
        most += parameter ? parameter->count : 0;
        absent = absent || !parameter;
    }
    *count = 0;
    *values = calloc(most, sizeof **values);
    if (!*values)
        return false;
    for (size_t i = 0; i < gathering->domain_count; i++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(&gathering->domains[i], slot);
        for (size_t j = 0; parameter && j < parameter->count; j++) {
            if (given == 0 || find_value(*values, given, parameter->values[j], j) == given)
                (*values)[(*count)++] = parameter->values[j];
        }
        given = *count;
    }
    if (*count > 0 && absent)
        (*values)[(*count)++] = (struct value){.kind = VALUE_UNSET};
    return true;
}

static bool too_many(const struct dimension *dimension, struct error *error)
{
    error_set(error, ERROR_INPUT,
              "the members of the union give parameter %s %zu values in all; at most %d are supported",
              dimension->name, dimension->count, DIAGRAM_NO_VALUE);
    return error_hint(error, "leave members out, or give the parameter fewer values in them");
}

static bool gather_dimensions(struct gathering *gathering, const struct template *template, struct error *error)
{
    for (size_t i = 0; i < template->parameter_count; i++) {
        struct dimension *dimension = &gathering->dimensions[gathering->dimension_count];
        struct value *values;
        if (!gather_values(gathering, template->parameters[i].slot, &values, &dimension->count))
            return error_out_of_memory(error);
        dimension->values = values;
        dimension->name = template->parameters[i].name;
        gathering->slots[gathering->dimension_count] = template->parameters[i].slot;
        if (dimension->count > 0)
            gathering->dimension_count++;
        else
            free(values);
        if (dimension->count > DIAGRAM_NO_VALUE)
            return too_many(dimension, error);
    }
    return true;
}

/* The index in a dimension of each value of a parameter. */
static uint16_t *number_values(const struct dimension *dimension, const struct domain_parameter *parameter)
{
    uint16_t *numbers = calloc(parameter->count + 1, sizeof *numbers);
    for (size_t i = 0; i < parameter->count && numbers; i++)
        numbers[i] = (uint16_t)find_value(dimension->values, dimension->count, parameter->values[i], i);
    return numbers;
}

static bool make_member(const struct gathering *gathering, const struct domain *domain,
                        struct search_space_member *member)
{
    size_t *dimensions = calloc(domain->depth + 1, sizeof *dimensions);
    uint16_t **values = calloc(domain->depth + 1, sizeof *values);
    uint16_t *fixed = calloc(gathering->dimension_count + 1, sizeof *fixed);
    *member = (struct search_space_member){.diagram = domain->diagram,
                                           .dimensions = dimensions,
                                           .values = (const uint16_t *const *)values,
                                           .fixed = fixed};
    if (!dimensions || !values || !fixed)
        return false;
    for (size_t d = 0; d < gathering->dimension_count; d++) {
        const struct dimension *dimension = &gathering->dimensions[d];
        const struct domain_parameter *parameter = domain_parameter_of_slot(domain, gathering->slots[d]);
        struct value only = parameter ? parameter->values[0] : (struct value){.kind = VALUE_UNSET};
        fixed[d] = (uint16_t)find_value(dimension->values, dimension->count, only, dimension->count - 1);
        for (size_t l = 0; l < domain->depth && parameter && !parameter->fixed; l++) {
            if (domain->columns[l] != parameter->column)
                continue;
            dimensions[l] = d;
            values[l] = number_values(dimension, parameter);
            if (!values[l])
                return false;
        }
    }
    return true;
}

static void clear_member(struct search_space_member *member, size_t levels)
{
    for (size_t l = 0; l < levels && member->values; l++)
        free((uint16_t *)member->values[l]);
    free((uint16_t **)member->values);
    free((size_t *)member->dimensions);
    free((uint16_t *)member->fixed);
}

bool members_search_space(const struct template *template, const struct domain *domains, size_t domain_count,
                          struct search_space **result, struct error *error)
{
    struct gathering gathering = {.domains = domains, .domain_count = domain_count};
    gathering.dimensions = calloc(template->parameter_count + 1, sizeof *gathering.dimensions);
    gathering.slots = calloc(template->parameter_count + 1, sizeof *gathering.slots);
    gathering.members = calloc(domain_count + 1, sizeof *gathering.members);
    bool allocated = gathering.dimensions && gathering.slots && gathering.members;
    bool done = allocated ? gather_dimensions(&gathering, template, error) : error_out_of_memory(error);
    for (size_t i = 0; i < domain_count && done; i++)
        done = make_member(&gathering, &domains[i], &gathering.members[i]) || error_out_of_memory(error);
    done = done && search_space_of_members(gathering.dimensions, gathering.dimension_count, gathering.members,
                                           domain_count, result, error);
    for (size_t d = 0; d < gathering.dimension_count; d++)
        free((struct value *)gathering.dimensions[d].values);
    for (size_t i = 0; i < domain_count && gathering.members; i++)
        clear_member(&gathering.members[i], domains[i].depth);
    free(gathering.dimensions);
    free(gathering.slots);
    free(gathering.members);
    return done;
}
