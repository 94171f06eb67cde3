/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/identity.h"

#include <stdlib.h>

/* The work at this size. If it depends on a parameter, the first configuration's counts. */
static bool evaluate_work(const struct problem *problem, struct store_problem *identity, struct error *error)
{
    const struct template *template = problem_template(problem);
    if (problem_configuration_count(problem) == 0)
        return true;
    struct value *slots = calloc(scope_count(problem_configuration_space(problem, 0)->scope), sizeof *slots);
    if (!slots)
        return error_out_of_memory(error);
    bool done = problem_slots(problem, 0, false, slots, error) &&
                (!template->flops || expr_number(template->flops, slots, &identity->flops, error)) &&
                (!template->bytes || expr_number(template->bytes, slots, &identity->bytes, error));
    free(slots);
    return done;
}

bool problem_identity(const struct problem *problem, struct store_problem *identity, struct error *error)
{
    const struct template *template = problem_template(problem);
    const struct space *space = problem_space(problem);
    *identity = (struct store_problem){
        .template_name = template->name,
        .template_path = template->path,
        .template_hash = template->hash,
        .space_name = space ? space->name : "",
        .space_hash = space ? space->hash : "",
        .space_text = space ? space->text : "",
        .size = problem_size_text(problem),
        .device = problem_device(problem),
    };
    return evaluate_work(problem, identity, error);
}
