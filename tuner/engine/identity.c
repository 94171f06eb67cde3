#include "tuner/engine/sweep.h"

#include <stdlib.h>

/* The work at this size; a template may let it depend on a parameter, then the first configuration's counts. */
static bool evaluate_work(const struct problem *problem, struct store_problem *identity, struct error *error)
{
    const struct template *template = problem_template(problem);
    if (problem_configuration_count(problem) == 0)
        return true;
    struct value *slots = calloc(scope_count(problem_configuration_space(problem, 0)->scope), sizeof *slots);
    if (!slots)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    bool done = problem_slots(problem, 0, false, slots, error) &&
                (!template->flops || expr_number(template->flops, slots, &identity->flops, error)) &&
                (!template->bytes || expr_number(template->bytes, slots, &identity->bytes, error));
    free(slots);
    return done;
}

/* The whole file, which every expression of it knows; a union has none. */
static const char *space_text(const struct space *space)
{
    const struct expr *expression = NULL;
    if (space->parameter_count > 0)
        expression = space->parameters[0].values;
    else if (space->setting_count > 0)
        expression = space->settings[0].value;
    else if (space->constraint_count > 0)
        expression = space->constraints[0].condition;
    const char *text = expression ? expr_place(expression).text : NULL;
    return text ? text : "";
}

bool sweep_identity(const struct problem *problem, struct store_problem *identity, struct error *error)
{
    const struct template *template = problem_template(problem);
    const struct space *space = problem_space(problem);
    *identity = (struct store_problem){
        .template_name = template->name,
        .template_path = template->path,
        .template_hash = template->hash,
        .space_name = space ? space->name : "",
        .space_hash = space ? space->hash : "",
        .space_text = space ? space_text(space) : "",
        .size = problem_size_text(problem),
        .device = problem_device(problem),
    };
    return evaluate_work(problem, identity, error);
}
