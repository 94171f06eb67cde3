/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/evaluate.h"

#include "tuner/device/monotonic.h"
#include "tuner/evaluation/transient.h"
#include "tuner/measure/arguments.h"
#include "tuner/measure/energy.h"
#include "tuner/measure/images.h"
#include "tuner/measure/instance_cache.h"
#include "tuner/measure/poison.h"
#include "tuner/measure/step_resources.h"
#include "tuner/measure/steps.h"
#include "tuner/measure/timing.h"
#include "tuner/measure/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct evaluator {
    struct validation_kernels validation;
    struct program_cache *programs;
    struct instance_cache *cache;
    struct job *expected; /* its programs may be under way; NULL: none */
};

bool evaluator_open(const struct device_driver *driver, int ordinal, struct evaluator **result, struct error *error)
{
    struct evaluator *evaluator = calloc(1, sizeof *evaluator);
    *result = NULL;
    if (!evaluator)
        return error_out_of_memory(error);
    if (validation_device_open(&evaluator->validation, driver, ordinal, error) &&
        program_cache_create(&evaluator->programs, error) && instance_cache_create(&evaluator->cache, error)) {
        *result = evaluator;
        return true;
    }
    evaluator_free(evaluator);
    return false;
}

void evaluator_expect(struct evaluator *evaluator, const struct compile_images *images, struct job *job)
{
    struct validation_kernels *validation = &evaluator->validation;
    evaluator->expected = job;
    const struct job_program *const programs[] = {&job->setup, &job->reference, &job->verify};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        for (size_t j = 0; j < JOB_CASES; j++) {
            const struct job_program program = job_program_for(programs[i], j);
            if (j == JOB_TUNED || job->has_awkward)
                program_cache_begin(evaluator->programs, validation->driver, validation->device,
                                    &validation->description, images, &program);
        }
    }
}

bool evaluator_load(struct evaluator *evaluator, const struct compile_images *images, struct early_image *early,
                    struct error *error)
{
    return validation_kernels_load_from(&evaluator->validation, images, early, error);
}

bool evaluator_create(const struct device_driver *driver, int ordinal, const struct compile_images *images,
                      struct evaluator **result, struct error *error)
{
    if (evaluator_open(driver, ordinal, result, error) && evaluator_load(*result, images, NULL, error))
        return true;
    evaluator_free(*result);
    *result = NULL;
    return false;
}

void evaluator_free(struct evaluator *evaluator)
{
    if (!evaluator)
        return;
    struct validation_kernels *validation = &evaluator->validation;
    instance_cache_free(evaluator->cache, validation);
    program_cache_free(evaluator->programs, validation->driver, validation->device);
    validation_kernels_close(validation);
    job_free(evaluator->expected);
    free(evaluator);
}

bool evaluator_describe(struct evaluator *evaluator, struct device_description *description, struct error *error)
{
    (void)error; /* described when it was opened */
    *description = evaluator->validation.description;
    return true;
}

void evaluator_watch(struct evaluator *evaluator, void (*began)(const char *sequence, void *context), void *context)
{
    evaluator->validation.on_sequence = began;
    evaluator->validation.on_sequence_context = context;
}

/* An evaluation in progress. */
struct evaluation_run {
    const struct job *job;
    struct program programs[JOB_CASES];      /* the second is empty unless it differs from the first */
    const struct program *verify[JOB_CASES]; /* belong to the cache; without kernels if there is no verify block */
    const struct evaluation_effort *effort;
    struct evaluation *evaluation;
    double first_launch_ns; /* at the tuned size; 0: unknown */
    bool template_at_fault;
    bool launching; /* from here on ERROR_INPUT is what counts have made of an expression */
};

static const struct program *program_of(const struct evaluation_run *run, size_t which)
{
    return &run->programs[which == JOB_AWKWARD && run->job->program.awkward_defines ? JOB_AWKWARD : JOB_TUNED];
}

static bool is_ok(const struct evaluation_run *run)
{
    return run->evaluation->outcome == OUTCOME_OK;
}

static bool get_instance(struct evaluator *evaluator, struct evaluation_run *run, size_t which,
                         struct instance **instance, struct error *error)
{
    if (instance_cache_get(evaluator->cache, &evaluator->validation, evaluator->programs, run->job, which, instance,
                           error))
        return true;
    run->template_at_fault = error->code == ERROR_INPUT;
    return false;
}

enum { WHEN_TEXT = 512 };

static void when_text(const struct job_case *job_case, const char *suffix, char text[WHEN_TEXT])
{
    snprintf(text, WHEN_TEXT, ", at size %s%s", job_case->size_text ? job_case->size_text : "", suffix);
}

static struct validated_run validated_run(const struct evaluation_run *run, size_t which,
                                          const struct instance *instance)
{
    return (struct validated_run){&run->job->cases[which], instance, program_of(run, which), run->verify[which]};
}

static bool validate_now(struct evaluator *evaluator, const struct evaluation_run *run, size_t which,
                         const struct instance *instance, const char *suffix, struct error *error)
{
    const struct validated_run validated = validated_run(run, which, instance);
    char when[WHEN_TEXT];
    when_text(validated.job_case, suffix, when);
    return validate_run(&evaluator->validation, &validated, when, run->evaluation, error);
}

/* The launch whose output is validated. It is timed if that can show the candidate to be hopeless. */
static bool launch_once(struct evaluator *evaluator, struct evaluation_run *run, size_t which,
                        const struct instance *instance, struct error *error)
{
    const struct evaluation_effort *effort = run->effort;
    const struct timed timed = {program_of(run, which), &run->job->cases[which].launch, instance};
    if (which == JOB_TUNED && effort->incumbent_ns > 0 && effort->samples == 0)
        return timing_first(&evaluator->validation, &timed, &run->first_launch_ns, error);
    return steps_run(&evaluator->validation, timed.program, timed.launch, instance, error);
}

/* With other poison. Only at one size: the awkward one, which is cheaper, if there is one. */
static bool check_poison(struct evaluator *evaluator, struct evaluation_run *run, size_t which,
                         const struct instance *instance, struct error *error)
{
    const struct validated_run validated = validated_run(run, which, instance);
    char when[WHEN_TEXT];
    if (!is_ok(run) || (which == JOB_TUNED && run->job->has_awkward))
        return true;
    when_text(validated.job_case, "", when);
    return poison_check(&evaluator->validation, &validated, when, run->evaluation, error);
}

/* Prepare and launch once on poisoned outputs, and validate the result. */
static bool validate_case(struct evaluator *evaluator, struct evaluation_run *run, size_t which,
                          struct instance **instance, struct error *error)
{
    struct validation_kernels *validation = &evaluator->validation;
    const struct job_case *job_case = &run->job->cases[which];
    return get_instance(evaluator, run, which, instance, error) && instance_reset(validation, *instance, error) &&
           steps_prepare(validation, program_of(run, which), job_case, *instance, error) &&
           launch_once(evaluator, run, which, *instance, error) &&
           validate_now(evaluator, run, which, *instance, "", error) &&
           check_poison(evaluator, run, which, *instance, error);
}

static bool check_arguments(struct evaluator *evaluator, const struct evaluation_run *run, struct error *error)
{
    const struct device_driver *driver = evaluator->validation.driver;
    const struct job *job = run->job;
    for (size_t i = 0; i < JOB_CASES; i++) {
        const struct job_case *job_case = &job->cases[i];
        if (i == JOB_AWKWARD && !job->has_awkward)
            continue;
        if (!arguments_check(driver, program_of(run, i), &job->program, job_case, &job_case->prepare, error) ||
            !arguments_check(driver, program_of(run, i), &job->program, job_case, &job_case->launch, error) ||
            !arguments_check(driver, program_of(run, i), &job->program, job_case, &job_case->finish, error))
            return false;
    }
    return true;
}

static bool check_resources(struct evaluator *evaluator, struct evaluation_run *run, struct error *error)
{
    const struct job *job = run->job;
    for (size_t i = 0; i < JOB_CASES; i++) {
        if (i == JOB_AWKWARD && !job->has_awkward)
            continue;
        struct kernel_resources *resources = &run->evaluation->resources;
        if (!steps_check_resources(&evaluator->validation, program_of(run, i), &job->program, &job->cases[i].prepare,
                                   resources, error) ||
            !steps_check_resources(&evaluator->validation, program_of(run, i), &job->program, &job->cases[i].launch,
                                   resources, error) ||
            !steps_check_resources(&evaluator->validation, program_of(run, i), &job->program, &job->cases[i].finish,
                                   &(struct kernel_resources){0}, error))
            return false;
    }
    return true;
}

/* Nothing is launched of what its image shows to be outside the limits. */
static bool check_limits(const struct evaluation_run *run, struct error *error)
{
    struct evaluation of_image = *run->evaluation;
    struct error why = {0};
    of_image.spill_bytes = run->effort->spill_bytes;
    return !run->effort->limits || limits_hold_of_image(run->effort->limits, &of_image, &why) ||
           evaluation_fail(run->evaluation, OUTCOME_LIMIT, error, "%s", why.text);
}

/* A hopeless candidate gets less time. */
static bool measure_energy(struct validation_kernels *validation, const struct timed *timed,
                           const struct evaluation_run *run, struct error *error)
{
    struct evaluation *evaluation = run->evaluation;
    const struct sampling_prior prior = {run->effort->incumbent_ns, run->first_launch_ns};
    bool hopeless = run->effort->samples == 0 &&
                    sampling_hopeless(&sampling_default, evaluation->samples_ns, evaluation->sample_count, &prior);
    return energy_run(validation, timed, hopeless ? 0.25 : 0.75, evaluation, error);
}

/*
 * Time the launches, then validate the output of the last one: a kernel that depends on what the previous run left
 * behind (a counter that is never reset, a result that is accumulated) is right once and wrong ever after. This costs
 * one pass over the outputs and no launch. The outputs are poisoned before timing, so that what is compared was
 * written by a timed run.
 */
static bool time_case(struct evaluator *evaluator, struct evaluation_run *run, const struct instance *instance,
                      struct error *error)
{
    struct validation_kernels *validation = &evaluator->validation;
    const struct timed timed = {program_of(run, JOB_TUNED), &run->job->cases[JOB_TUNED].launch, instance};
    double began = monotonic_seconds();
    bool done = instance_poison_outputs(validation, instance, &run->job->cases[JOB_TUNED], error) &&
                timing_run(validation, &timed, &sampling_default, run->effort, run->first_launch_ns, run->evaluation,
                           error) &&
                timing_device(validation, &timed, run->evaluation, error) &&
                (!run->effort->energy || measure_energy(validation, &timed, run, error));
    run->evaluation->measure_seconds = monotonic_seconds() - began;
    began = monotonic_seconds();
    done = done && validate_now(evaluator, run, JOB_TUNED, instance, ", after repeated launches", error);
    run->evaluation->validate_seconds += monotonic_seconds() - began;
    return done;
}

/* Before any kernel of the candidate runs, so that a failure here is certainly the template's. */
static bool make_instances(struct evaluator *evaluator, struct evaluation_run *run, struct error *error)
{
    struct instance *instance;
    bool done = true;
    for (size_t i = 0; done && i < JOB_CASES; i++) {
        if (i == JOB_TUNED || run->job->has_awkward)
            done = get_instance(evaluator, run, i, &instance, error);
    }
    return done;
}

/* The verify block's program, which must suit its launches. The same: what fails here is the template's fault. */
static bool get_verify(struct evaluator *evaluator, struct evaluation_run *run, struct error *error)
{
    struct validation_kernels *validation = &evaluator->validation;
    const struct job *job = run->job;
    struct kernel_resources resources = {0};
    bool done = true;
    for (size_t i = 0; done && i < JOB_CASES; i++) {
        const struct job_case *job_case = &job->cases[i];
        const struct job_program source = job_program_for(&job->verify, i);
        if (i == JOB_AWKWARD && !job->has_awkward)
            continue;
        done =
            program_cache_get(evaluator->programs, validation->driver, validation->device, &validation->description,
                              validation->images, &source, &run->verify[i], error) &&
            arguments_check(validation->driver, run->verify[i], &job->verify, job_case, &job_case->verify, error) &&
            steps_check_resources(validation, run->verify[i], &job->verify, &job_case->verify, &resources, error);
    }
    run->template_at_fault = !done && error->code == ERROR_INPUT;
    return done;
}

/* The awkward size first: it is small and exposes most errors. */
static bool run_stages(struct evaluator *evaluator, struct evaluation_run *run, struct error *error)
{
    struct instance *instance = NULL;
    double began = monotonic_seconds();
    bool done =
        check_arguments(evaluator, run, error) && check_resources(evaluator, run, error) && check_limits(run, error);
    if (done && !is_ok(run))
        return true;
    done = done && make_instances(evaluator, run, error) && get_verify(evaluator, run, error);
    run->launching = done;
    if (done && run->job->has_awkward)
        done = validate_case(evaluator, run, JOB_AWKWARD, &instance, error);
    if (done && is_ok(run))
        done = validate_case(evaluator, run, JOB_TUNED, &instance, error);
    run->evaluation->validate_seconds = monotonic_seconds() - began;
    if (done && is_ok(run))
        done = time_case(evaluator, run, instance, error);
    return done;
}

static enum outcome outcome_of_error(enum error_code code, bool launching)
{
    switch (code) {
    case ERROR_INPUT:
        return launching ? OUTCOME_HOST_ERROR : OUTCOME_LAUNCH_ERROR;
    case ERROR_RESOURCES:
        return OUTCOME_RESOURCES;
    case ERROR_DOES_NOT_FIT:
        return OUTCOME_MEMORY;
    case ERROR_FAULT:
        return OUTCOME_FAULT;
    default:
        return OUTCOME_LAUNCH_ERROR;
    }
}

/* "saxpy.template:12:40: parameter 5 of saxpy ...; write long(...)": a row has a text only. */
static bool fail_row(struct evaluation *evaluation, const struct error *failure, bool launching, struct error *error)
{
    enum outcome outcome = outcome_of_error(failure->code, launching);
    if (!failure->file[0])
        return evaluation_fail(evaluation, outcome, error, "%s", failure->text);
    return evaluation_fail(evaluation, outcome, error, "%s:%u:%u: %s%s%s", failure->file, failure->line,
                           failure->column, failure->text, failure->hint[0] ? "; " : "", failure->hint);
}

static void clear_figures(struct evaluation *evaluation)
{
    evaluation->time_ns = evaluation->time_low_ns = evaluation->time_high_ns = evaluation->device_ns = 0;
    evaluation->energy_j = evaluation->energy_error_j = -1;
}

static bool load_programs(struct evaluator *evaluator, struct evaluation_run *run, const void *image,
                          size_t image_bytes, struct error *error)
{
    struct validation_kernels *validation = &evaluator->validation;
    const struct job_program *source = &run->job->program;
    bool two = source->awkward_defines != NULL, done = true;
    for (size_t i = 0; done && i < (two ? JOB_CASES : 1); i++) {
        const void *part = image;
        size_t bytes = image_bytes;
        if (two && !images_part(image, image_bytes, i == JOB_AWKWARD, &part, &bytes))
            return error_set(error, ERROR_SYSTEM, "a measuring worker received a damaged image");
        done = program_load(validation->driver, validation->device, source, part, bytes, &run->programs[i], error);
    }
    return done;
}

bool evaluator_run(struct evaluator *evaluator, const struct job *job, const void *image, size_t image_bytes,
                   const struct evaluation_effort *effort, struct evaluation *evaluation, struct error *error)
{
    struct validation_kernels *validation = &evaluator->validation;
    struct evaluation_run run = {.job = job, .effort = effort, .evaluation = evaluation};
    struct error failure = {0};
    *evaluation = evaluation_unmeasured;
    evaluation->seed = job->seed;
    snprintf(evaluation->uuid, sizeof evaluation->uuid, "%s", validation->description.uuid);
    bool done = load_programs(evaluator, &run, image, image_bytes, &failure) && run_stages(evaluator, &run, &failure);
    for (size_t i = 0; i < JOB_CASES; i++)
        program_unload(validation->driver, validation->device, &run.programs[i]);
    if (evaluation->outcome == OUTCOME_OUT_OF_BOUNDS)
        instance_cache_clear(evaluator->cache, validation);
    if (!done) {
        bool evaluated = !run.template_at_fault && !error_is_of_machine(&failure);
        if (!evaluated || failure.code == ERROR_FAULT)
            *error = failure;
        if (!evaluated)
            return false;
        if (!fail_row(evaluation, &failure, run.launching, error))
            return false;
        evaluation->transient = transient_error(&failure);
    }
    if (evaluation->outcome != OUTCOME_OK)
        clear_figures(evaluation);
    return done || failure.code != ERROR_FAULT;
}
