/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/validate.h"

#include "tuner/lang/number.h"
#include "tuner/measure/report.h"
#include "tuner/measure/steps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* What reports count. */
static const char *numbers_noun(const struct layout *layout)
{
    return layout_is_scalar(layout) ? "elements" : "numbers";
}

/* Report damage as the index that the kernel used, which is what its author looks for. */
static bool judge_guards(const struct report *report, const struct instance_buffer *buffer, const char *when,
                         struct evaluation *evaluation, struct error *error)
{
    const uint64_t size = buffer->layout->bytes, leaves = buffer->layout->leaf_count;
    if (report->before) {
        uint64_t distance = report->nearest_before;
        return evaluation_fail(
            evaluation, OUTCOME_OUT_OF_BOUNDS, error,
            "wrote before %s: %" PRIu64 " bytes, nearest at byte -%" PRIu64 " (%s[-%" PRIu64 "])%s", buffer->name,
            report->before, distance, buffer->name, (distance + size - 1) / size, when);
    }
    if (report->behind) {
        uint64_t distance = report->nearest_behind;
        return evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error,
                               "wrote past the end of %s: %" PRIu64 " bytes, first at byte %" PRIu64 " (%s[%" PRIu64
                               "], the extent is %" PRIu64 ")%s",
                               buffer->name, report->behind, buffer->extent * size + distance, buffer->name,
                               buffer->extent + distance / size, buffer->extent, when);
    }
    if (report->changed)
        return evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error,
                               "wrote into the input %s at element %" PRIu64 "; %" PRIu64 " of %" PRIu64
                               " %s changed%s",
                               buffer->name, report->first_changed / leaves, report->changed, buffer->extent * leaves,
                               numbers_noun(buffer->layout), when);
    return true;
}

/* ---- values ---- */

enum { NUMBER_TEXT = 64 };

static void number_text(enum element element, uint64_t bits, char text[NUMBER_TEXT])
{
    const struct element_type *type = &element_types[element];
    if (type->floating) {
        int digits = element == ELEMENT_DOUBLE ? 17 : element == ELEMENT_FLOAT ? 9 : 5; /* tell all values apart */
        snprintf(text, NUMBER_TEXT, "%.*g", digits, number_of_bits(element, bits));
    } else if (type->is_signed) {
        unsigned unused = (unsigned)(64 - 8 * type->bytes);
        snprintf(text, NUMBER_TEXT, "%" PRId64, (int64_t)(bits << unused) >> unused); /* extends the sign */
    } else {
        snprintf(text, NUMBER_TEXT, "%" PRIu64, bits);
    }
}

/* What was compared with what, and its name in messages. */
struct compared {
    const struct job_check *check;
    struct expected_values values;
    const char *name;
};

/* The leaf that a number of a report is. */
static const struct leaf *leaf_of(const struct compared *compared, uint64_t number)
{
    const struct layout *layout = compared->values.array.layout;
    return &layout->leaves[number % layout->leaf_count];
}

static bool fetch(const struct validation_kernels *validation, uint64_t numbers, uint64_t number, double *value,
                  struct error *error)
{
    return validation->driver->download(validation->device, value, numbers + number * sizeof *value, sizeof *value,
                                        error);
}

enum { EXPECTED_TEXT = 160 };

/* "expected 2.25"; "expected 2.25 within 1e-05 * 2.25 + 1e-08", as neither part alone says what is allowed; or "must
 * be within 0.25 of 0". */
static bool expected_text(const struct validation_kernels *validation, const struct compared *compared,
                          uint64_t number, char text[EXPECTED_TEXT], struct error *error)
{
    const struct job_check *check = compared->check;
    double expected, magnitude;
    if (check->below) {
        snprintf(text, EXPECTED_TEXT, "must be within %.6g of 0", check->absolute);
        return true;
    }
    if (!fetch(validation, compared->values.reference, number, &expected, error))
        return false;
    magnitude = fabs(expected);
    if (compared->values.magnitude && !fetch(validation, compared->values.magnitude, number, &magnitude, error))
        return false;
    int used = snprintf(text, EXPECTED_TEXT, "expected %.17g", expected);
    size_t room = EXPECTED_TEXT - (size_t)used;
    if (check->absolute > 0 && check->bound > 0 && isfinite(expected))
        snprintf(text + used, room, " within %.6g * %.6g + %.6g", check->bound, magnitude, check->absolute);
    else if (check->absolute > 0 && isfinite(expected))
        snprintf(text + used, room, " within %.6g", check->absolute);
    return true;
}

enum { ELEMENT_TEXT = 512 };

/* "C[12345].x: got 1.5, expected 2.25" */
static bool element_text(struct validation_kernels *validation, const struct compared *compared, uint64_t number,
                         char text[ELEMENT_TEXT], struct error *error)
{
    const struct expected_values *values = &compared->values;
    const struct layout *layout = values->array.layout;
    const struct leaf *leaf = leaf_of(compared, number);
    uint64_t address = values->actual + number / layout->leaf_count * layout->bytes + leaf->offset;
    uint64_t bits = 0;
    char called[256], got[NUMBER_TEXT], expected[EXPECTED_TEXT];
    if (!validation->driver->download(validation->device, &bits, address, element_types[leaf->element].bytes,
                                      error) ||
        !expected_text(validation, compared, number, expected, error))
        return false;
    instance_number_text(values, compared->name, number, called, sizeof called);
    number_text(leaf->element, bits, got);
    snprintf(text, ELEMENT_TEXT, "%s: got %s, %s", called, got, expected);
    return true;
}

static bool judge_wrong(struct validation_kernels *validation, const struct compared *compared,
                        const struct report *report, const char *when, struct evaluation *evaluation,
                        struct error *error)
{
    char element[ELEMENT_TEXT], worst[64] = "";
    if (!element_text(validation, compared, report->first_wrong, element, error))
        return false;
    double ratio = report_worst(report);
    if (isfinite(ratio))
        snprintf(worst, sizeof worst, " (largest error %.3g times the tolerance)", ratio);
    return evaluation_fail(evaluation, OUTCOME_WRONG_RESULT, error, "%s%s; %" PRIu64 " of %" PRIu64 " %s wrong%s",
                           element, worst, report->wrong, compared->values.numbers,
                           numbers_noun(compared->values.array.layout), when);
}

static bool judge_output(struct validation_kernels *validation, const struct compared *compared,
                         const struct report *report, const char *when, struct evaluation *evaluation,
                         struct error *error)
{
    const struct expected_values *values = &compared->values;
    const char *noun = numbers_noun(values->array.layout);
    const uint64_t count = values->numbers;
    double ratio = report_worst(report);
    if (ratio > evaluation->error_ratio)
        evaluation->error_ratio = ratio;
    if (report->wrong == 0)
        return true;
    /* The poison of integers is an ordinary number: trust it only if nothing else is wrong. */
    const struct leaf *leaf = leaf_of(compared, report->first_unwritten);
    if (report->unwritten && (element_types[leaf->element].floating || report->unwritten == report->wrong))
        return evaluation_fail(evaluation, OUTCOME_NOT_FINITE, error,
                               "%s: %" PRIu64 " of %" PRIu64 " %s were never written, first at %" PRIu64 "%s%s",
                               compared->name, report->unwritten, count, noun,
                               values->first + report->first_unwritten / values->array.layout->leaf_count, leaf->path,
                               when);
    if (report->not_finite) {
        char element[ELEMENT_TEXT];
        return element_text(validation, compared, report->first_not_finite, element, error) &&
               evaluation_fail(evaluation, OUTCOME_NOT_FINITE, error,
                               "%s; %" PRIu64 " of %" PRIu64 " %s are NaN or infinite%s", element, report->not_finite,
                               count, noun, when);
    }
    return judge_wrong(validation, compared, report, when, evaluation, error);
}

/* ---- all checks ---- */

/* Queue the checks of memory and the first `checks` of the others. Reports: one for each buffer's memory, then one
 * for each check. */
static bool queue_checks(struct validation_kernels *validation, const struct instance *instance,
                         const struct job_case *job_case, size_t checks, struct error *error)
{
    size_t count = instance->buffer_count;
    for (size_t i = 0; i < count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (!validation_check_guards(validation, &buffer->memory, i, error))
            return false;
        if (buffer->role == BUFFER_IN && !instance_check_unchanged(validation, instance, i, i, error))
            return false;
    }
    for (size_t i = 0; i < checks; i++) {
        const struct job_check *check = &job_case->checks[i];
        struct expected_values values = instance_expected(instance, check);
        if (!instance_sort_actual(validation, instance, check, error) ||
            !validation_compare(validation, values.actual, values.reference, values.magnitude, values.array, check,
                                count + i, error))
            return false;
    }
    return true;
}

static bool judge(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_case *job_case, size_t checks, const struct report *reports, const char *when,
                  struct evaluation *evaluation, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (!judge_guards(&reports[i], &instance->buffers[i], when, evaluation, error))
            return false;
        if (evaluation->outcome != OUTCOME_OK)
            return true;
    }
    for (size_t i = 0; i < checks; i++) {
        const struct job_check *check = &job_case->checks[i];
        char name[256];
        const struct compared compared = {check, instance_expected(instance, check), name};
        snprintf(name, sizeof name, "%s%s", check->unordered ? "sorted " : "", job_check_name(job_case, check));
        if (!judge_output(validation, &compared, &reports[instance->buffer_count + i], when, evaluation, error))
            return false;
        if (evaluation->outcome != OUTCOME_OK)
            return true;
    }
    return true;
}

/* The result may be right after all, and a stray write have hit the reference. */
static bool suspect_reference(struct validation_kernels *validation, const struct instance *instance,
                              const char *when, struct evaluation *evaluation, struct error *error)
{
    bool intact;
    if (!instance_intact(validation, instance, &intact, error))
        return false;
    if (intact)
        return true;
    return evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error,
                           "wrote far out of bounds, into the expected results%s", when);
}

/*
 * The checks are queued right behind the launches, so that the device need not wait for the host in between. A fault
 * of the launches can then surface in any call; what synchronize says about it is what counts.
 */
static bool check(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_case *job_case, size_t checks, struct report *reports, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    size_t count = instance->buffer_count + checks;
    bool queued = validation_reset_reports(validation, count, error) &&
                  queue_checks(validation, instance, job_case, checks, error);
    if (!queued && error->code != ERROR_FAULT)
        return false;
    return driver->synchronize(validation->device, error) && queued &&
           validation_read_reports(validation, reports, count, error);
}

static bool check_and_judge(struct validation_kernels *validation, const struct validated_run *run, size_t checks,
                            const char *when, struct evaluation *evaluation, struct error *error)
{
    struct report *reports = calloc(run->instance->buffer_count + checks + 1, sizeof *reports);
    if (!reports)
        return error_out_of_memory(error);
    bool done = check(validation, run->instance, run->job_case, checks, reports, error) &&
                judge(validation, run->instance, run->job_case, checks, reports, when, evaluation, error);
    free(reports);
    return done;
}

/* ---- the verify block ---- */

/* What shows before the verify block is not its doing, and what shows in it for the first time is. */
static bool run_verify(struct validation_kernels *validation, const struct validated_run *run, const char *when,
                       struct evaluation *evaluation, struct error *error)
{
    struct error failure = {0};
    if (!check_and_judge(validation, run, 0, when, evaluation, error) || evaluation->outcome != OUTCOME_OK)
        return false;
    if (steps_run(validation, run->verify, &run->job_case->verify, run->instance, &failure) &&
        validation->driver->synchronize(validation->device, &failure))
        return true;
    if (error) {
        *error = failure;
        snprintf(error->text, sizeof error->text, "the verify block fails: %.*s", (int)sizeof error->text - 32,
                 failure.text);
    }
    return false;
}

/* Wrong results are the configuration's, as everywhere. */
static bool blame_verify(struct evaluation *evaluation, struct error *error)
{
    if (evaluation->outcome != OUTCOME_OUT_OF_BOUNDS || !evaluation->message)
        return true;
    char *message = evaluation->message;
    evaluation->message = NULL;
    bool done = evaluation_fail(evaluation, OUTCOME_OUT_OF_BOUNDS, error, "the verify block %s", message);
    free(message);
    return done;
}

bool validate_run(struct validation_kernels *validation, const struct validated_run *run, const char *when,
                  struct evaluation *evaluation, struct error *error)
{
    const struct job_case *job_case = run->job_case;
    const struct instance *instance = run->instance;
    if (!steps_run(validation, run->program, &job_case->finish, instance, error))
        return false;
    bool verified = job_case->verify.count > 0;
    if (verified && !run_verify(validation, run, when, evaluation, error))
        return evaluation->outcome != OUTCOME_OK;
    if (!check_and_judge(validation, run, job_case->check_count, when, evaluation, error) ||
        (verified && !blame_verify(evaluation, error)))
        return false;
    if (evaluation->outcome == OUTCOME_WRONG_RESULT || evaluation->outcome == OUTCOME_NOT_FINITE)
        return suspect_reference(validation, instance, when, evaluation, error);
    return true;
}
