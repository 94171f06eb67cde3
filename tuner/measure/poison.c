/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/poison.h"

#include "tuner/measure/steps.h"

/* What is run again. */
struct rerun {
    struct validation_kernels *validation;
    const struct validated_run *run;
    const char *when;
    bool damaged; /* one of the runs wrote out of bounds: nothing on the device can be trusted */
};

/* With other values in `place` (instance.h). */
static bool run_again(struct rerun *rerun, size_t place, struct evaluation *evaluation, struct error *error)
{
    *evaluation = evaluation_unmeasured;
    const struct validated_run *run = rerun->run;
    bool done = instance_reset_otherwise(rerun->validation, run->instance, place, error) &&
                steps_prepare(rerun->validation, run->program, run->job_case, run->instance, error) &&
                steps_run(rerun->validation, run->program, &run->job_case->launch, run->instance, error) &&
                validate_run(rerun->validation, run, rerun->when, evaluation, error);
    if (!done && error->code == ERROR_INPUT) { /* a count, or what it led to, is wrong now: the device goes on */
        const struct error failure = *error;
        done = evaluation_fail(evaluation, OUTCOME_HOST_ERROR, error, "%s", failure.text);
    }
    rerun->damaged = rerun->damaged || evaluation->outcome == OUTCOME_OUT_OF_BOUNDS;
    return done;
}

/* The same, if only the outcome counts. */
static bool fails_again(struct rerun *rerun, size_t place, bool *fails, struct error *error)
{
    struct evaluation evaluation;
    bool done = run_again(rerun, place, &evaluation, error);
    *fails = evaluation.outcome != OUTCOME_OK;
    evaluation_clear(&evaluation);
    return done;
}

/* The first place whose values alone make a difference: a buffer, the surroundings of one, or INSTANCE_ALL. */
static bool find_culprit(struct rerun *rerun, size_t *culprit, struct error *error)
{
    size_t count = rerun->run->instance->buffer_count;
    *culprit = INSTANCE_ALL;
    for (size_t place = 0; place < 2 * count; place++) {
        bool fails;
        if (place < count && !instance_has_poison(&rerun->run->instance->buffers[place]))
            continue;
        if (!fails_again(rerun, place, &fails, error))
            return false;
        if (fails) {
            *culprit = place;
            break;
        }
    }
    return true;
}

static bool blame(const struct rerun *rerun, size_t culprit, const char *message, struct evaluation *evaluation,
                  struct error *error)
{
    size_t count = rerun->run->instance->buffer_count;
    enum outcome outcome = rerun->damaged ? OUTCOME_OUT_OF_BOUNDS : OUTCOME_WRONG_RESULT;
    if (culprit < 2 * count && culprit >= count)
        return evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error,
                               "depends on what lies outside of %s: it reads out of bounds; %s",
                               rerun->run->job_case->buffers[culprit - count].name, message);
    return evaluation_fail(
        evaluation, outcome, error, "depends on what was in %s before: it reads elements that it has not written; %s",
        culprit < count ? rerun->run->job_case->buffers[culprit].name : "its out and temp buffers", message);
}

/* `failed`: the run with other poison. */
static bool judge(struct rerun *rerun, const struct evaluation *failed, struct evaluation *evaluation,
                  struct error *error)
{
    bool fails;
    size_t culprit;
    const char *message = failed->message ? failed->message : "";
    if (rerun->damaged)
        return evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error,
                               "%s, with other values in its out and temp buffers", message);
    if (!fails_again(rerun, INSTANCE_NONE, &fails, error))
        return false;
    if (fails)
        return evaluation_fail(evaluation, rerun->damaged ? OUTCOME_OUT_OF_BOUNDS : failed->outcome, error,
                               "%s, when run again", message);
    return find_culprit(rerun, &culprit, error) && blame(rerun, culprit, message, evaluation, error);
}

bool poison_check(struct validation_kernels *validation, const struct validated_run *run, const char *when,
                  struct evaluation *evaluation, struct error *error)
{
    struct rerun rerun = {validation, run, when, false};
    struct evaluation again;
    bool done = run_again(&rerun, INSTANCE_ALL, &again, error);
    if (done && again.outcome != OUTCOME_OK)
        done = judge(&rerun, &again, evaluation, error);
    evaluation_clear(&again);
    return done;
}
