/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/identity.h"

#include "tuner/device/host_part.h"
#include "tuner/space/slots.h"

#include <stdlib.h>
#include <string.h>

/* Work that depends on the configuration is not the problem's; each evaluation has its own. */
static bool evaluate_figure(const struct template *template, const struct expr *expr, const struct value *slots,
                            double *work, struct error *error)
{
    bool depends;
    if (!expr)
        return true;
    if (!slots_read_parameters(template, expr, &depends, error))
        return false;
    return depends || expr_number(expr, slots, work, error) || slots_blame(template, NULL, expr, slots, error);
}

static bool evaluate_figures(const struct template *template, const struct value *slots, struct work *work,
                             struct error *error)
{
    bool done = true;
    for (size_t i = 0; i < WORK_COUNT && done; i++)
        done = evaluate_figure(template, template->work[i], slots, &work->of[i], error);
    return done;
}

/* The work at this size. */
static bool evaluate_work(const struct problem *problem, struct store_problem *identity, struct error *error)
{
    const struct template *template = problem_template(problem);
    if (problem_configuration_count(problem) == 0)
        return true;
    struct value *slots = calloc(scope_count(problem_configuration_space(problem, 0)->scope), sizeof *slots);
    if (!slots)
        return error_out_of_memory(error);
    bool done =
        problem_slots(problem, 0, false, slots, error) && evaluate_figures(template, slots, &identity->work, error);
    free(slots);
    return done;
}

/* Launches on the host have part in results on another device, and so has their compiler. */
static void add_host_compiler(const struct problem *problem, struct store_problem *identity)
{
    const struct device_description *device = identity->device;
    char host[sizeof device->compiler];
    if (!problem_template(problem)->hosted || strcmp(device->kind, "cpu") == 0)
        return;
    host_compiler(host, sizeof host);
    snprintf(identity->compiler, sizeof identity->compiler, "%s, %s", device->compiler, host);
}

bool problem_identity(const struct problem *problem, struct store_problem *identity, struct error *error)
{
    const struct template *template = problem_template(problem);
    const struct space *space = problem_space(problem);
    *identity = (struct store_problem){
        .template_name = template->name,
        .template_path = template->path,
        .template_hash = template->hash,
        .template_descriptions = problem_descriptions(problem),
        .space_name = space ? space->name : "",
        .space_hash = space ? space->hash : "",
        .space_text = space ? space->text : "",
        .size = problem_size_text(problem),
        .device = problem_device(problem),
    };
    add_host_compiler(problem, identity);
    if (!inputs_identify(problem_inputs(problem), &identity->inputs, &identity->input_files, error))
        return false;
    return evaluate_work(problem, identity, error);
}
