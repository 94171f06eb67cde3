/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/subject.h"

#include "tuner/library/home.h"
#include "tuner/library/named.h"
#include "tuner/space/limits.h"

#include <stdlib.h>

bool subject_template(struct subject *subject, const char *argument, struct error *error)
{
    if (!argument) {
        error_set(error, ERROR_INPUT, "which template?");
        return error_hint(error, "'tune list' shows the templates; a folder of your own works, too");
    }
    bool is_path = path_is_meant(argument, ".template");
    char *home = is_path ? NULL : home_find(NULL, error);
    bool read = (is_path || home) && template_named(argument, home, &subject->template, error);
    free(home);
    return read;
}

bool subject_space(struct subject *subject, const char *argument, struct error *error)
{
    return space_named(argument, subject->template, &subject->space, error);
}

bool subject_aims(struct subject *subject, const struct options *options, struct error *error)
{
    if (!aims_choose(subject->template, options->objective, &subject->aims, error))
        return false;
    subject->objective = subject->aims.of[0];
    for (size_t i = 1; i < subject->aims.count; i++)
        subject->objective.needs_energy = subject->objective.needs_energy || subject->aims.of[i].needs_energy;
    return true;
}

bool subject_limits(struct subject *subject, const struct options *options, struct error *error)
{
    if (options->limits.count > 0 &&
        !limits_parse(options->limits.items, options->limits.count, &subject->limits, error))
        return false;
    subject->objective.limits = subject->limits;
    subject->objective.needs_energy = subject->objective.needs_energy || limits_need_energy(subject->limits);
    return true;
}

bool subject_inputs(struct subject *subject, const struct options *options, struct error *error)
{
    return subject->inputs ||
           inputs_open(subject->template, options->inputs, options->input_count, &subject->inputs, error);
}

bool subject_request(struct subject *subject, const struct options *options, struct problem_request *request,
                     struct error *error)
{
    if (!subject_inputs(subject, options, error))
        return false;
    *request = (struct problem_request){.template = subject->template,
                                        .space = subject->space,
                                        .device = &subject->device.description,
                                        .sizes = options->sizes,
                                        .size_count = options->size_count,
                                        .inputs = subject->inputs,
                                        .own_matrices = subject->own_matrices};
    return true;
}

bool subject_problem(struct subject *subject, const struct options *options, struct error *error)
{
    struct problem_request request;
    return subject_request(subject, options, &request, error) && problem_make(&request, &subject->problem, error);
}

struct crew_plan subject_crew(const struct subject *subject, const struct options *options)
{
    return (struct crew_plan){.compile_jobs = (unsigned)options->jobs,
                              .compile_deadline = options->deadline,
                              .measure_deadline = options->deadline,
                              .no_cache = options->no_cache,
                              .unconfined = options->unconfined,
                              .forerunner = subject->forerunner,
                              .ordinals = subject->device.ordinals,
                              .ordinal_count = subject->device.ordinal_count};
}

void subject_clear(struct subject *subject)
{
    limits_free(subject->limits);
    problem_free(subject->problem);
    inputs_free(subject->inputs);
    space_free(subject->space);
    template_free(subject->template);
    *subject = (struct subject){0};
}
