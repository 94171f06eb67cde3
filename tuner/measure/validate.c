/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/validate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* Report damage as the index that the kernel used, which is what its author looks for. */
static bool judge_guards(const struct report *report, const struct job_buffer *buffer, const char *when,
                         struct evaluation *evaluation, struct error *error)
{
    uint64_t size = element_types[buffer->element].bytes;
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
                               " elements changed%s",
                               buffer->name, report->first_changed, report->changed, buffer->extent, when);
    return true;
}

/* ---- values ---- */

enum { NUMBER_TEXT = 64 };

static void number_text(enum element element, uint64_t bits, char text[NUMBER_TEXT])
{
    const struct element_type *type = &element_types[element];
    double real;
    if (element == ELEMENT_FLOAT) {
        float single;
        memcpy(&single, &bits, sizeof single);
        snprintf(text, NUMBER_TEXT, "%.9g", (double)single);
    } else if (element == ELEMENT_DOUBLE) {
        memcpy(&real, &bits, sizeof real);
        snprintf(text, NUMBER_TEXT, "%.17g", real);
    } else if (type->is_signed) {
        unsigned unused = (unsigned)(64 - 8 * type->bytes);
        snprintf(text, NUMBER_TEXT, "%" PRId64, (int64_t)(bits << unused) >> unused); /* extends the sign */
    } else {
        snprintf(text, NUMBER_TEXT, "%" PRIu64, bits);
    }
}

/* "C[12345]: got 1.5, expected 2.25" */
static bool element_text(struct validation_kernels *validation, const struct instance_buffer *buffer,
                         const char *name, uint64_t index, char *text, size_t text_size, struct error *error)
{
    size_t size = element_types[buffer->element].bytes;
    uint64_t bits = 0, expected_bits;
    char got[NUMBER_TEXT], expected[NUMBER_TEXT];
    const struct device_driver *driver = validation->driver;
    if (!driver->download(validation->device, &bits, buffer->memory.address + index * size, size, error) ||
        !driver->download(validation->device, &expected_bits, buffer->reference + index * sizeof(double),
                          sizeof(double), error))
        return false;
    number_text(buffer->element, bits, got);
    number_text(ELEMENT_DOUBLE, expected_bits, expected);
    snprintf(text, text_size, "%s[%" PRIu64 "]: got %s, expected %s", name, index, got, expected);
    return true;
}

static bool judge_wrong(struct validation_kernels *validation, const struct instance_buffer *buffer, const char *name,
                        const struct report *report, const char *when, struct evaluation *evaluation,
                        struct error *error)
{
    char element[256], worst[64] = "";
    if (!element_text(validation, buffer, name, report->first_wrong, element, sizeof element, error))
        return false;
    double ratio = report_worst(report);
    if (isfinite(ratio))
        snprintf(worst, sizeof worst, " (largest error %.3g times the tolerance)", ratio);
    return evaluation_fail(evaluation, OUTCOME_WRONG_RESULT, error,
                           "%s%s; %" PRIu64 " of %" PRIu64 " elements wrong%s", element, worst, report->wrong,
                           buffer->extent, when);
}

static bool judge_output(struct validation_kernels *validation, const struct instance_buffer *buffer,
                         const char *name, const struct report *report, const char *when,
                         struct evaluation *evaluation, struct error *error)
{
    double ratio = report_worst(report);
    if (ratio > evaluation->error_ratio)
        evaluation->error_ratio = ratio;
    if (report->wrong == 0)
        return true;
    /* The poison of integers is an ordinary number: trust it only if nothing else is wrong. */
    if (report->unwritten && (element_types[buffer->element].floating || report->unwritten == report->wrong))
        return evaluation_fail(evaluation, OUTCOME_NOT_FINITE, error,
                               "%s: %" PRIu64 " of %" PRIu64 " elements were never written, first at %" PRIu64 "%s",
                               name, report->unwritten, buffer->extent, report->first_unwritten, when);
    if (report->not_finite) {
        char element[256];
        return element_text(validation, buffer, name, report->first_not_finite, element, sizeof element, error) &&
               evaluation_fail(evaluation, OUTCOME_NOT_FINITE, error,
                               "%s; %" PRIu64 " of %" PRIu64 " elements are NaN or infinite%s", element,
                               report->not_finite, buffer->extent, when);
    }
    return judge_wrong(validation, buffer, name, report, when, evaluation, error);
}

/* ---- all checks ---- */

/* Queue all checks. Reports: one for each buffer's memory, then one for each check. */
static bool queue_checks(struct validation_kernels *validation, const struct instance *instance,
                         const struct job_case *job_case, struct error *error)
{
    size_t count = instance->buffer_count;
    for (size_t i = 0; i < count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (!validation_check_guards(validation, &buffer->memory, i, error))
            return false;
        if (buffer->role == BUFFER_IN && !instance_check_unchanged(validation, instance, i, i, error))
            return false;
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        const struct job_check *check = &job_case->checks[i];
        const struct instance_buffer *buffer = &instance->buffers[check->buffer];
        if (!validation_compare(validation, buffer->memory.address, buffer->reference, buffer->magnitude,
                                buffer->extent, buffer->element, check, count + i, error))
            return false;
    }
    return true;
}

static bool judge(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_case *job_case, const struct report *reports, const char *when,
                  struct evaluation *evaluation, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (!judge_guards(&reports[i], &job_case->buffers[i], when, evaluation, error))
            return false;
        if (evaluation->outcome != OUTCOME_OK)
            return true;
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        size_t buffer = job_case->checks[i].buffer;
        if (!judge_output(validation, &instance->buffers[buffer], job_case->buffers[buffer].name,
                          &reports[instance->buffer_count + i], when, evaluation, error))
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
                  const struct job_case *job_case, struct report *reports, size_t count, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    bool queued =
        validation_reset_reports(validation, count, error) && queue_checks(validation, instance, job_case, error);
    if (!queued && error->code != ERROR_FAULT)
        return false;
    return driver->synchronize(validation->device, error) && queued &&
           validation_read_reports(validation, reports, count, error);
}

bool validate_run(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_case *job_case, const char *when, struct evaluation *evaluation,
                  struct error *error)
{
    size_t count = instance->buffer_count + job_case->check_count;
    struct report *reports = calloc(count + 1, sizeof *reports);
    if (!reports)
        return error_out_of_memory(error);
    bool done = check(validation, instance, job_case, reports, count, error) &&
                judge(validation, instance, job_case, reports, when, evaluation, error);
    free(reports);
    if (!done)
        return false;
    if (evaluation->outcome == OUTCOME_WRONG_RESULT || evaluation->outcome == OUTCOME_NOT_FINITE)
        return suspect_reference(validation, instance, when, evaluation, error);
    return true;
}
