#include "tuner/space/problem.h"

#include "tuner/space/configuration.h"
#include "tuner/space/domain.h"
#include "tuner/space/slots.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct problem {
    const struct template *template;
    const struct space *space; /* may be NULL */
    const struct device_description *device;
    int64_t *sizes[SIZES_COUNT];
    char *size_text;
    struct domain *domains; /* the space, or the members of a union */
    size_t domain_count;
    size_t configuration_count;
    struct search_space *search_space;
    struct space *own_space; /* made by problem_from_configuration */
};

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "out of memory");
}

static bool make_sizes(struct problem *problem, const struct size_setting *settings, size_t count,
                       struct error *error)
{
    for (size_t i = 0; i < SIZES_COUNT; i++) {
        problem->sizes[i] = calloc(problem->template->size_count + 1, sizeof *problem->sizes[i]);
        if (!problem->sizes[i])
            return out_of_memory(error);
    }
    if (!sizes_evaluate(problem->template, problem->device, settings, count, problem->sizes, error))
        return false;
    problem->size_text = sizes_text(problem->template, problem->sizes[SIZES_TUNED]);
    return problem->size_text || out_of_memory(error);
}

/* The number of spaces that are no unions. */
static size_t count_leaves(const struct space *space)
{
    size_t count = 0;
    if (!space)
        return 0;
    if (space->member_count == 0)
        return 1;
    for (size_t i = 0; i < space->member_count; i++)
        count += count_leaves(space->members[i]);
    return count;
}

static void list_leaves(const struct space *space, const struct space **leaves, size_t *count)
{
    if (space->member_count == 0)
        leaves[(*count)++] = space;
    for (size_t i = 0; i < space->member_count; i++)
        list_leaves(space->members[i], leaves, count);
}

/* Does another domain hold the same configuration? Both have their parameters in the template's order. */
static bool holds_same(const struct domain *other, const struct domain *domain, const unsigned char *row,
                       unsigned char *scratch)
{
    size_t index;
    for (size_t i = 0; i < domain->parameter_count; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        if (!domain_index(&other->parameters[i], domain_value(parameter, row), &index))
            return false;
        domain_put(&other->parameters[i], scratch, index);
    }
    return domain_find(other, scratch, &index);
}

static bool same_parameters(const struct domain *a, const struct domain *b)
{
    if (a->parameter_count != b->parameter_count)
        return false;
    for (size_t i = 0; i < a->parameter_count; i++) {
        if (a->parameters[i].declaration != b->parameters[i].declaration)
            return false;
    }
    return true;
}

/* What two members of a union have in common counts once, in the former. */
static bool drop_shared(const struct domain *former, struct domain *domain, struct error *error)
{
    if (!same_parameters(former, domain))
        return true;
    unsigned char *scratch = calloc(former->row_bytes + 1, 1);
    if (!scratch)
        return out_of_memory(error);
    size_t kept = 0;
    for (size_t i = 0; i < domain->row_count; i++) {
        if (holds_same(former, domain, domain_row(domain, i), scratch))
            continue;
        memmove(domain->rows + kept * domain->row_bytes, domain_row(domain, i), domain->row_bytes);
        kept++;
    }
    domain->row_count = kept;
    free(scratch);
    return true;
}

static bool add_domain(struct problem *problem, const struct space *space, struct error *error)
{
    struct domain *domain = &problem->domains[problem->domain_count++];
    if (!domain_prepare(domain, problem->template, space, problem->device, problem->sizes, error) ||
        !domain_enumerate(domain, error))
        return false;
    for (struct domain *former = problem->domains; former < domain; former++) {
        if (!drop_shared(former, domain, error))
            return false;
    }
    domain->first = problem->configuration_count;
    problem->configuration_count += domain->row_count;
    return true;
}

static bool make_domains(struct problem *problem, struct error *error)
{
    bool done = false;
    size_t count = 0, leaf_count = count_leaves(problem->space);
    const struct space **leaves = calloc(leaf_count + 1, sizeof *leaves);
    problem->domains = calloc(leaf_count + 1, sizeof *problem->domains);
    if (!leaves || !problem->domains) {
        out_of_memory(error);
        goto end;
    }
    if (problem->space)
        list_leaves(problem->space, leaves, &count);
    for (size_t i = 0; i < count; i++) {
        if (!add_domain(problem, leaves[i], error))
            goto end;
    }
    done = true;
end:
    free(leaves);
    return done;
}

/* The values that the domains give a parameter, each once, and VALUE_UNSET if one of them does not mention it. */
static bool gather_values(const struct problem *problem, const struct parameter_declaration *declaration,
                          struct value **values, size_t *count)
{
    size_t most = 1;
    bool absent = false;
    *count = 0;
    for (size_t i = 0; i < problem->domain_count; i++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(&problem->domains[i], declaration->slot);
        most += parameter ? parameter->count : 0;
        absent = absent || !parameter;
    }
    *values = calloc(most, sizeof **values);
    if (!*values)
        return false;
    for (size_t i = 0; i < problem->domain_count; i++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(&problem->domains[i], declaration->slot);
        for (size_t j = 0; parameter && j < parameter->count; j++) {
            size_t known = 0;
            while (known < *count && !value_equal((*values)[known], parameter->values[j]))
                known++;
            if (known == *count)
                (*values)[(*count)++] = parameter->values[j];
        }
    }
    if (*count > 0 && absent)
        (*values)[(*count)++] = (struct value){.kind = VALUE_UNSET};
    return true;
}

static uint16_t value_number(const struct dimension *dimension, struct value value)
{
    size_t i = 0;
    while (value.kind == VALUE_UNSET ? dimension->values[i].kind != VALUE_UNSET
                                     : !value_equal(dimension->values[i], value))
        i++;
    return (uint16_t)i;
}

static void fill_row(const struct domain *domain, const unsigned char *row, const size_t *slots,
                     const struct dimension *dimensions, size_t count, uint16_t *numbers)
{
    for (size_t d = 0; d < count; d++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(domain, slots[d]);
        struct value value = parameter ? domain_value(parameter, row) : (struct value){.kind = VALUE_UNSET};
        numbers[d] = value_number(&dimensions[d], value);
    }
}

static bool make_search_space(struct problem *problem, struct error *error)
{
    bool done = false;
    size_t most = problem->template->parameter_count, count = 0;
    struct dimension *dimensions = calloc(most + 1, sizeof *dimensions);
    size_t *slots = calloc(most + 1, sizeof *slots);
    uint16_t *rows = calloc(problem->configuration_count * most + 1, sizeof *rows);
    if (!dimensions || !slots || !rows) {
        out_of_memory(error);
        goto end;
    }
    for (size_t i = 0; i < most; i++) {
        struct dimension *dimension = &dimensions[count];
        struct value *values;
        if (!gather_values(problem, &problem->template->parameters[i], &values, &dimension->count)) {
            out_of_memory(error);
            goto end;
        }
        dimension->values = values;
        dimension->name = problem->template->parameters[i].name;
        slots[count] = problem->template->parameters[i].slot;
        if (dimension->count > 0)
            count++;
        else
            free(values);
    }
    for (size_t i = 0; i < problem->domain_count; i++) {
        const struct domain *domain = &problem->domains[i];
        for (size_t j = 0; j < domain->row_count; j++)
            fill_row(domain, domain_row(domain, j), slots, dimensions, count, rows + (domain->first + j) * count);
    }
    done = search_space_listed(dimensions, count, rows, problem->configuration_count, &problem->search_space, error);
end:
    for (size_t i = 0; dimensions && i < count; i++)
        free((struct value *)dimensions[i].values);
    free(dimensions);
    free(slots);
    free(rows);
    return done;
}

const struct search_space *problem_search_space(const struct problem *problem)
{
    return problem->search_space;
}

bool problem_create(const struct template *template, const struct space *space,
                    const struct device_description *device, const struct size_setting *sizes, size_t size_count,
                    struct problem **result, struct error *error)
{
    struct problem *problem = calloc(1, sizeof *problem);
    *result = NULL;
    if (!problem)
        return out_of_memory(error);
    problem->template = template;
    problem->space = space;
    problem->device = device;
    if (!make_sizes(problem, sizes, size_count, error) || !make_domains(problem, error) ||
        (space && !make_search_space(problem, error))) {
        problem_free(problem);
        return false;
    }
    *result = problem;
    return true;
}

bool problem_from_configuration(const struct template *template, const struct device_description *device,
                                const struct size_setting *sizes, size_t size_count, const char *text,
                                struct problem **result, struct error *error)
{
    char *space_text;
    struct space *space = NULL;
    *result = NULL;
    if (!configuration_space_text(template, text, &space_text, error))
        return false;
    bool parsed = space_parse("(configuration)", space_text, strlen(space_text), template, &space, error);
    free(space_text);
    if (!parsed)
        return false;
    if (!problem_create(template, space, device, sizes, size_count, result, error)) {
        space_free(space);
        return false;
    }
    (*result)->own_space = space;
    return true;
}

void problem_free(struct problem *problem)
{
    if (!problem)
        return;
    for (size_t i = 0; i < problem->domain_count; i++)
        domain_clear(&problem->domains[i]);
    for (size_t i = 0; i < SIZES_COUNT; i++)
        free(problem->sizes[i]);
    free(problem->domains);
    free(problem->size_text);
    search_space_free(problem->search_space);
    space_free(problem->own_space);
    free(problem);
}

const struct template *problem_template(const struct problem *problem)
{
    return problem->template;
}

const struct space *problem_space(const struct problem *problem)
{
    return problem->space;
}

const struct device_description *problem_device(const struct problem *problem)
{
    return problem->device;
}

const char *problem_size_text(const struct problem *problem)
{
    return problem->size_text;
}

int64_t problem_size(const struct problem *problem, size_t index)
{
    return problem->sizes[SIZES_TUNED][index];
}

size_t problem_configuration_count(const struct problem *problem)
{
    return problem->configuration_count;
}

double problem_cartesian_count(const struct problem *problem)
{
    double sum = 0;
    for (size_t i = 0; i < problem->domain_count; i++)
        sum += domain_cartesian(&problem->domains[i]);
    return sum;
}

/* The domain and row of a configuration, which must exist. */
static const struct domain *locate(const struct problem *problem, size_t index, const unsigned char **row)
{
    const struct domain *domain = problem->domains;
    while (index >= domain->first + domain->row_count)
        domain++;
    *row = domain_row(domain, index - domain->first);
    return domain;
}

const struct space *problem_configuration_space(const struct problem *problem, size_t index)
{
    const unsigned char *row;
    return locate(problem, index, &row)->space;
}

bool problem_slots(const struct problem *problem, size_t index, bool awkward, struct value *slots,
                   struct error *error)
{
    if (index >= problem->configuration_count)
        return error_set(error, ERROR_INPUT, "there is no configuration %zu; there are %zu", index,
                         problem->configuration_count);
    const unsigned char *row;
    const struct domain *domain = locate(problem, index, &row);
    domain_slots(domain, row, awkward ? SIZES_AWKWARD : SIZES_TUNED, slots);
    slots_set_lets(domain->template, domain->space, slots);
    return true;
}

bool problem_valid_awkward(const struct problem *problem, size_t index)
{
    const unsigned char *row;
    const struct domain *domain = locate(problem, index, &row);
    struct value *slots = calloc(domain->slot_count + 1, sizeof *slots);
    bool valid = slots && problem_slots(problem, index, true, slots, NULL);
    for (size_t i = 0; i < domain->space->constraint_count && valid; i++)
        valid = domain_judge(domain, i, slots) == VERDICT_PASSED;
    free(slots);
    return valid;
}

char *problem_configuration_text(const struct problem *problem, size_t index)
{
    const unsigned char *row;
    const struct domain *domain = locate(problem, index, &row);
    return configuration_text(domain, row);
}

static bool find_object(const struct problem *problem, const json_t *object, size_t *index)
{
    for (size_t i = 0; i < problem->domain_count; i++) {
        const struct domain *domain = &problem->domains[i];
        unsigned char *row = calloc(domain->row_bytes + 1, 1);
        bool found = row && configuration_row(domain, object, row) && domain_find(domain, row, index);
        free(row);
        if (found) {
            *index += domain->first;
            return true;
        }
    }
    return false;
}

bool problem_configuration_find(const struct problem *problem, const char *text, size_t *index)
{
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    bool found = object && find_object(problem, object, index);
    json_decref(object);
    return found;
}

static bool matches_defaults(const struct domain *domain, const unsigned char *row)
{
    for (size_t i = 0; i < domain->space->default_count; i++) {
        const struct domain_parameter *parameter = domain_parameter_of_slot(domain, domain->space->defaults[i].slot);
        if (!parameter || !value_equal(domain_value(parameter, row), domain->defaults[i]))
            return false;
    }
    return domain->space->default_count > 0;
}

bool problem_default(const struct problem *problem, size_t *index, bool *named)
{
    *index = 0;
    *named = false;
    for (size_t i = 0; i < problem->domain_count; i++) {
        const struct domain *domain = &problem->domains[i];
        for (size_t j = 0; j < domain->row_count && domain->space->default_count > 0; j++) {
            if (matches_defaults(domain, domain_row(domain, j))) {
                *index = domain->first + j;
                *named = true;
                return true;
            }
        }
    }
    return problem->configuration_count > 0;
}

size_t problem_constraint_count(const struct problem *problem)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->domain_count; i++)
        count += problem->domains[i].space->constraint_count;
    return count;
}

void problem_constraint_report(const struct problem *problem, size_t index, struct constraint_report *report)
{
    struct domain *domain = problem->domains;
    while (index >= domain->space->constraint_count)
        index -= domain++->space->constraint_count;
    report->space = domain->space;
    report->constraint = &domain->space->constraints[index];
    report->removed = -1;
    if (domain->removed || domain_count_removed(domain))
        report->removed = domain->removed[index];
}

/* "where 32 <= threads removes 12 of 24", appended to the error's text as far as it fits. */
static void append_removal(struct error *error, const struct constraint_report *report)
{
    struct place place = expr_place(report->constraint->condition);
    size_t length = strlen(error->text);
    int width = place.length > 80 ? 80 : (int)place.length;
    const char *text = place.text ? place.text + place.offset : "";
    if (report->removed > 0 && length + 1 < sizeof error->text)
        snprintf(error->text + length, sizeof error->text - length, "\n    where %.*s removes %.0f", width, text,
                 report->removed);
}

bool problem_explain_empty(const struct problem *problem, struct error *error)
{
    struct error ignored;
    struct constraint_report report, last = {.removed = 0};
    size_t count = problem_constraint_count(problem);
    if (!error)
        error = &ignored;
    for (size_t i = 0; i < count; i++) {
        problem_constraint_report(problem, i, &report);
        if (report.removed != 0)
            last = report;
    }
    const char *name = problem->space ? problem->space->name : problem->template->name;
    if (last.removed < 0) {
        error_set(error, ERROR_INPUT,
                  "no configuration of space %s is valid; its product of %.0f is too large to "
                  "count which constraint removes how many",
                  name, problem_cartesian_count(problem));
        return error_hint(error, "leave constraints out, or give parameters fewer values, to find which it is");
    }
    struct place place = last.constraint ? expr_place(last.constraint->condition) : (struct place){.file = NULL};
    error_at(error, ERROR_INPUT, place, "the constraints of space %s leave none of its %.0f configurations:", name,
             problem_cartesian_count(problem));
    for (size_t i = 0; i < count; i++) {
        problem_constraint_report(problem, i, &report);
        append_removal(error, &report);
    }
    return error_hint(error, "the sizes are %s; the device is %s", problem->size_text, problem->device->name);
}

size_t problem_parameter_count(const struct problem *problem)
{
    size_t count = 0;
    for (size_t i = 0; i < problem->domain_count; i++)
        count += problem->domains[i].parameter_count;
    return count;
}

void problem_parameter(const struct problem *problem, size_t index, struct parameter_values *parameter)
{
    const struct domain *domain = problem->domains;
    while (index >= domain->parameter_count)
        index -= domain++->parameter_count;
    const struct domain_parameter *one = &domain->parameters[index];
    *parameter = (struct parameter_values){.space = domain->space,
                                           .declaration = one->declaration,
                                           .values = one->values,
                                           .count = one->count,
                                           .fixed = one->fixed};
}
