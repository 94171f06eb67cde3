/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/poison.h"

#include "tuner/measure/steps.h"
#include "tuner/measure/validate.h"

/* What is run again. */
struct rerun {
    struct validation_kernels *validation;
    const struct program *program;
    const struct job_case *job_case;
    const struct instance *instance;
    const char *when;
    bool damaged; /* one of the runs wrote out of bounds: nothing on the device can be trusted */
};

/* With other poison in buffer `index`, INSTANCE_ALL or INSTANCE_NONE. */
static bool run_again(struct rerun *rerun, size_t index, struct evaluation *evaluation, struct error *error)
{
    *evaluation = evaluation_unmeasured;
    bool done = instance_reset_otherwise(rerun->validation, rerun->instance, index, error) &&
                steps_run(rerun->validation, rerun->program, &rerun->job_case->prepare, rerun->instance, error) &&
                steps_run(rerun->validation, rerun->program, &rerun->job_case->launch, rerun->instance, error) &&
                validate_run(rerun->validation, rerun->instance, rerun->job_case, rerun->when, evaluation, error);
    rerun->damaged = rerun->damaged || evaluation->outcome == OUTCOME_OUT_OF_BOUNDS;
    return done;
}

/* The same, if only the outcome counts. */
static bool fails_again(struct rerun *rerun, size_t index, bool *fails, struct error *error)
{
    struct evaluation evaluation;
    bool done = run_again(rerun, index, &evaluation, error);
    *fails = evaluation.outcome != OUTCOME_OK;
    evaluation_clear(&evaluation);
    return done;
}

/* The first buffer whose poison alone makes a difference. */
static bool find_culprit(struct rerun *rerun, const char **name, struct error *error)
{
    *name = "its out and temp buffers";
    for (size_t i = 0; i < rerun->instance->buffer_count; i++) {
        bool fails;
        if (!instance_has_poison(&rerun->instance->buffers[i]))
            continue;
        if (!fails_again(rerun, i, &fails, error))
            return false;
        if (fails) {
            *name = rerun->job_case->buffers[i].name;
            break;
        }
    }
    return true;
}

/* `failed`: the run with other poison. */
static bool judge(struct rerun *rerun, const struct evaluation *failed, struct evaluation *evaluation,
                  struct error *error)
{
    bool fails;
    const char *name;
    const char *message = failed->message ? failed->message : "";
    if (rerun->damaged)
        return evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error,
                               "%s, with other values in its out and temp buffers", message);
    if (!fails_again(rerun, INSTANCE_NONE, &fails, error))
        return false;
    if (fails)
        return evaluation_fail(evaluation, rerun->damaged ? OUTCOME_OUT_OF_BOUNDS : failed->outcome, error,
                               "%s, when run again", message);
    return find_culprit(rerun, &name, error) &&
           evaluation_fail(evaluation, rerun->damaged ? OUTCOME_OUT_OF_BOUNDS : OUTCOME_WRONG_RESULT, error,
                           "depends on what was in %s before: it reads elements that it has not written; %s", name,
                           message);
}

static bool has_poison(const struct instance *instance)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (instance_has_poison(&instance->buffers[i]))
            return true;
    }
    return false;
}

bool poison_check(struct validation_kernels *validation, const struct program *program,
                  const struct job_case *job_case, const struct instance *instance, const char *when,
                  struct evaluation *evaluation, struct error *error)
{
    struct rerun rerun = {validation, program, job_case, instance, when, false};
    struct evaluation again;
    if (!has_poison(instance))
        return true;
    bool done = run_again(&rerun, INSTANCE_ALL, &again, error);
    if (done && again.outcome != OUTCOME_OK)
        done = judge(&rerun, &again, evaluation, error);
    evaluation_clear(&again);
    return done;
}
