/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/problem.h"

#include "tuner/space/census.h"
#include "tuner/space/configuration.h"
#include "tuner/space/descriptions.h"
#include "tuner/space/domain.h"
#include "tuner/space/members.h"
#include "tuner/space/slots.h"
#include "tuner/space/solve.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const size_t EFFORT = 2000000000; /* values to try before giving up: takes minutes */

struct problem {
    const struct template *template;
    const struct space *space; /* may be NULL */
    const struct device_description *device;
    struct inputs *inputs; /* may be NULL */
    struct size_setting *sizes[SIZES_COUNT];
    char *size_text, *awkward_text; /* awkward_text: NULL without awkward sizes */
    char *descriptions;
    struct domain *domains; /* the space, or the members of a union */
    size_t domain_count;
    size_t configuration_count;
    size_t effort;
    struct search_space *search_space;
    struct space *own_space; /* from problem_from_configuration */
};

/* Expected values and matrices from files are those of the tuned size. */
static bool has_awkward_sizes(const struct template *template, const struct inputs *inputs)
{
    if (template->expected_count > 0 || inputs_are_whole(inputs))
        return false;
    for (size_t i = 0; i < template->size_count; i++) {
        if (template->sizes[i].awkward)
            return true;
    }
    return false;
}

static bool make_sizes(struct problem *problem, const struct problem_request *request, struct error *error)
{
    const struct given_sizes given = {request->sizes, request->size_count, request->inputs, request->own_matrices};
    for (size_t i = 0; i < SIZES_COUNT; i++) {
        problem->sizes[i] = calloc(problem->template->size_count + 1, sizeof *problem->sizes[i]);
        if (!problem->sizes[i])
            return error_out_of_memory(error);
    }
    if (!sizes_evaluate(problem->template, problem->device, &given, problem->sizes, error))
        return false;
    const bool awkward = !request->no_awkward && has_awkward_sizes(problem->template, problem->inputs);
    problem->size_text = sizes_text(problem->sizes[SIZES_TUNED], problem->template->size_count);
    if (problem->size_text && awkward)
        problem->awkward_text = sizes_text(problem->sizes[SIZES_AWKWARD], problem->template->size_count);
    return (problem->size_text && (problem->awkward_text || !awkward)) || error_out_of_memory(error);
}

/* The number of spaces that are not unions. */
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

/* A configuration that several members have counts once, in the first. */
static bool add_domain(struct problem *problem, const struct space *space, size_t effort, struct error *error)
{
    struct domain *domain = &problem->domains[problem->domain_count++];
    size_t former_count = 0;
    if (!domain_prepare(domain, problem->template, space, problem->device, problem->sizes, error))
        return false;
    const struct domain **formers = calloc(problem->domain_count, sizeof *formers);
    if (!formers)
        return error_out_of_memory(error);
    for (struct domain *former = problem->domains; former < domain; former++) {
        if (same_parameters(former, domain))
            formers[former_count++] = former;
    }
    bool solved = solve(domain, formers, former_count, effort, error);
    free(formers);
    if (!solved)
        return false;
    if (domain->count > INT64_MAX - problem->configuration_count)
        return error_set(error, ERROR_INPUT, "space %s has more valid configurations than can be numbered",
                         problem->space->name);
    domain->first = problem->configuration_count;
    problem->configuration_count += domain->count;
    return true;
}

static bool make_domains(struct problem *problem, size_t effort, struct error *error)
{
    bool done = false;
    size_t count = 0, leaf_count = count_leaves(problem->space);
    const struct space **leaves = calloc(leaf_count + 1, sizeof *leaves);
    problem->domains = calloc(leaf_count + 1, sizeof *problem->domains);
    if (!leaves || !problem->domains) {
        error_out_of_memory(error);
        goto end;
    }
    if (problem->space)
        list_leaves(problem->space, leaves, &count);
    for (size_t i = 0; i < count; i++) {
        if (!add_domain(problem, leaves[i], effort, error))
            goto end;
    }
    done = true;
end:
    free(leaves);
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
    const struct problem_request request = {
        .template = template, .space = space, .device = device, .sizes = sizes, .size_count = size_count};
    return problem_make(&request, result, error);
}

bool problem_create_within(const struct template *template, const struct space *space,
                           const struct device_description *device, const struct size_setting *sizes,
                           size_t size_count, size_t effort, struct problem **result, struct error *error)
{
    const struct problem_request request = {.template = template,
                                            .space = space,
                                            .device = device,
                                            .sizes = sizes,
                                            .size_count = size_count,
                                            .effort = effort};
    return problem_make(&request, result, error);
}

bool problem_make(const struct problem_request *request, struct problem **result, struct error *error)
{
    const struct template *template = request->template;
    const size_t effort = request->effort ? request->effort : EFFORT;
    struct problem *problem = calloc(1, sizeof *problem);
    *result = NULL;
    if (!problem)
        return error_out_of_memory(error);
    problem->template = template;
    problem->space = request->space;
    problem->device = request->device;
    problem->inputs = request->inputs;
    problem->effort = effort;
    problem->descriptions = descriptions_text(template);
    if (!problem->descriptions) {
        problem_free(problem);
        return error_out_of_memory(error);
    }
    if (!make_sizes(problem, request, error) || !make_domains(problem, effort, error) ||
        (request->space &&
         !members_search_space(template, problem->domains, problem->domain_count, &problem->search_space, error))) {
        problem_free(problem);
        return false;
    }
    *result = problem;
    return true;
}

bool problem_from_configuration(const struct problem_request *request, const char *text, struct problem **result,
                                struct error *error)
{
    char *space_text;
    struct space *space = NULL;
    struct problem_request with_space = *request;
    const struct template *template = request->template;
    *result = NULL;
    if (!configuration_space_text(template, text, &space_text, error))
        return false;
    bool parsed = space_parse("(configuration)", space_text, strlen(space_text), template, &space, error);
    free(space_text);
    if (!parsed)
        return false;
    with_space.space = space;
    if (!problem_make(&with_space, result, error)) {
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
    free(problem->awkward_text);
    free(problem->descriptions);
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

struct inputs *problem_inputs(const struct problem *problem)
{
    return problem->inputs;
}

const char *problem_size_text(const struct problem *problem)
{
    return problem->size_text;
}

const char *problem_descriptions(const struct problem *problem)
{
    return problem->descriptions;
}

int64_t problem_size(const struct problem *problem, size_t index)
{
    return problem->sizes[SIZES_TUNED][index].value;
}

const struct size_setting *problem_sizes(const struct problem *problem)
{
    return problem->sizes[SIZES_TUNED];
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

/* The domain of an existing configuration. */
static const struct domain *locate(const struct problem *problem, size_t index)
{
    const struct domain *domain = problem->domains;
    while (index >= domain->first + domain->count)
        domain++;
    return domain;
}

/* The configuration's point, allocated; NULL when out of memory. */
static uint16_t *make_point(const struct domain *domain, size_t index)
{
    uint16_t *point = calloc(domain->depth + 1, sizeof *point);
    if (point)
        domain_point(domain, index - domain->first, point);
    return point;
}

const struct space *problem_configuration_space(const struct problem *problem, size_t index)
{
    return locate(problem, index)->space;
}

/* Everything but the lets. */
static bool fill_slots(const struct problem *problem, size_t index, size_t which, struct value *slots,
                       struct error *error)
{
    if (index >= problem->configuration_count)
        return error_set(error, ERROR_INPUT, "no configuration %zu: the space has %zu", index,
                         problem->configuration_count);
    const struct domain *domain = locate(problem, index);
    uint16_t *point = make_point(domain, index);
    if (!point)
        return error_out_of_memory(error);
    domain_slots(domain, point, which, slots);
    free(point);
    return true;
}

bool problem_slots(const struct problem *problem, size_t index, bool awkward, struct value *slots,
                   struct error *error)
{
    if (!fill_slots(problem, index, awkward ? SIZES_AWKWARD : SIZES_TUNED, slots, error))
        return false;
    slots_set_lets(problem->template, locate(problem, index)->space, slots);
    return true;
}

static bool constraints_hold(const struct domain *domain, const struct value *slots)
{
    for (size_t i = 0; i < domain->space->constraint_count; i++) {
        if (domain_judge(domain, i, slots) != VERDICT_PASSED)
            return false;
    }
    return true;
}

bool problem_slots_at(const struct problem *problem, size_t index, const int64_t *sizes, struct value *slots,
                      bool *valid, struct error *error)
{
    if (!fill_slots(problem, index, SIZES_TUNED, slots, error))
        return false;
    const struct template *template = problem->template;
    const struct domain *domain = locate(problem, index);
    for (size_t i = 0; i < template->size_count; i++)
        slots[template->sizes[i].slot] = value_integer(sizes[i]);
    slots_set_lets(template, domain->space, slots);
    *valid = constraints_hold(domain, slots);
    return true;
}

bool problem_valid_awkward(const struct problem *problem, size_t index, bool *valid, struct error *error)
{
    const struct domain *domain = locate(problem, index);
    struct value *slots = calloc(domain->slot_count + 1, sizeof *slots);
    bool done = slots ? problem_slots(problem, index, true, slots, error) : error_out_of_memory(error);
    *valid = done && constraints_hold(domain, slots);
    free(slots);
    return done;
}

bool problem_awkward_text(const struct problem *problem, size_t index, const char **text, struct error *error)
{
    bool valid = false;
    if (problem->awkward_text && !problem_valid_awkward(problem, index, &valid, error))
        return false;
    *text = valid ? problem->awkward_text : "";
    return true;
}

char *problem_configuration_text(const struct problem *problem, size_t index)
{
    const struct domain *domain = locate(problem, index);
    uint16_t *point = make_point(domain, index);
    char *text = point ? configuration_text(domain, point) : NULL;
    free(point);
    return text;
}

/* By its text, or by its JSON if that is not NULL. */
static bool find_in_domains(const struct problem *problem, const char *text, const json_t *object, size_t *index)
{
    for (size_t i = 0; i < problem->domain_count; i++) {
        const struct domain *domain = &problem->domains[i];
        uint16_t *point = calloc(domain->depth + 1, sizeof *point);
        bool read = point && (object ? configuration_point(domain, object, point)
                                     : configuration_point_of_text(domain, text, point));
        bool found = read && domain_find(domain, point, index);
        free(point);
        if (found) {
            *index += domain->first;
            return true;
        }
    }
    return false;
}

bool problem_configuration_find(const struct problem *problem, const char *text, size_t *index)
{
    if (find_in_domains(problem, text, NULL, index))
        return true;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    bool found = object && find_in_domains(problem, text, object, index);
    json_decref(object);
    return found;
}

bool problem_default(const struct problem *problem, size_t *index, bool *named)
{
    *index = 0;
    *named = false;
    for (size_t i = 0; i < problem->domain_count && !*named; i++) {
        const struct domain *domain = &problem->domains[i];
        *named = domain->named;
        *index = domain->named ? domain->first + domain->chosen : 0;
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
    if (domain->removed || census(domain, problem->effort))
        report->removed = domain->removed[index];
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

bool problem_value_occurs(const struct problem *problem, size_t index, size_t value)
{
    const struct domain *domain = problem->domains;
    while (index >= domain->parameter_count)
        index -= domain++->parameter_count;
    const struct domain_parameter *parameter = &domain->parameters[index];
    for (size_t l = 0; l < domain->depth && !parameter->fixed; l++) {
        if (domain->columns[l] == parameter->column)
            return diagram_alive(domain->diagram, l, value);
    }
    return domain->count > 0;
}
