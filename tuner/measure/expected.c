/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/expected.h"

#include "tuner/measure/report.h"
#include "tuner/measure/step_use.h"
#include "tuner/measure/template_sequences.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An instance whose reference is examined. Reports: two per check, of the values and of the magnitudes. */
struct examination {
    struct validation_kernels *validation;
    struct program_cache *programs;
    const struct job *job;
    const struct job_case *job_case;
    const struct instance *instance;
    struct instance again; /* the same, but with arrays of its own for what the reference computes again */
    bool in_order;         /* the values of unordered checks are */
    struct report *reports;
    struct error *error;
};

bool expected_place(const struct job_check *check, struct error *error)
{
    if (error && check->file) {
        snprintf(error->file, sizeof error->file, "%s", check->file);
        error->line = check->line;
        error->column = check->column;
    }
    return false;
}

enum { NUMBER_TEXT = 32 };

static bool fetch(const struct examination *x, uint64_t values, uint64_t index, double *value, char text[NUMBER_TEXT])
{
    if (!x->validation->driver->download(x->validation->device, value, values + index * sizeof *value, sizeof *value,
                                         x->error))
        return false;
    snprintf(text, NUMBER_TEXT, isnan(*value) ? "nan" : "%.9g", *value);
    return true;
}

/* ---- finite values ---- */

static bool queue_values(const struct examination *x)
{
    if (!validation_reset_reports(x->validation, 2 * x->job_case->check_count, x->error))
        return false;
    for (size_t i = 0; i < x->job_case->check_count; i++) {
        const struct job_check *check = &x->job_case->checks[i];
        struct expected_values expected = instance_expected(x->instance, check);
        if (check->below)
            continue;
        if (!validation_check_reference(x->validation, expected.reference, expected.array, check, 2 * i, x->error))
            return false;
        if (expected.magnitude && !validation_check_magnitude(x->validation, expected.magnitude, expected.reference,
                                                              expected.array, check, 2 * i + 1, x->error))
            return false;
    }
    return validation_read_reports(x->validation, x->reports, 2 * x->job_case->check_count, x->error);
}

static bool refuse_value(const struct examination *x, const struct job_check *check, const struct report *report)
{
    struct expected_values expected = instance_expected(x->instance, check);
    const char *name = job_check_name(x->job_case, check);
    const struct layout *layout = expected.array.layout;
    double value;
    char text[NUMBER_TEXT], number[160], excess[64] = "";
    if (!fetch(x, expected.reference, report->first_not_finite, &value, text))
        return false;
    instance_number_text(&expected, name, report->first_not_finite, number, sizeof number);
    if (isfinite(value))
        snprintf(excess, sizeof excess, ", too much for a %s",
                 element_types[layout->leaves[report->first_not_finite % layout->leaf_count].element].name);
    error_set(x->error, ERROR_INPUT,
              "%s %s %s for %s%s; %" PRIu64 " of %" PRIu64 " expected values are not finite, at size %s",
              check->expected.path ? check->expected.name : "the reference",
              check->expected.path ? "has" : "computes", text, number, excess, report->not_finite, expected.numbers,
              x->job_case->size_text);
    error_hint(x->error, "if the results of the kernel may be NaN or infinite, end `check %s` with `allow nonfinite`",
               name);
    return expected_place(check, x->error);
}

static bool refuse_magnitude(const struct examination *x, const struct job_check *check, const struct report *report)
{
    struct expected_values expected = instance_expected(x->instance, check);
    double value;
    char text[NUMBER_TEXT];
    if (!fetch(x, expected.magnitude, report->first_wrong, &value, text))
        return false;
    error_set(x->error, ERROR_INPUT,
              "the reference computes %s for element %" PRIu64
              " of mag(%s), at size %s; a magnitude must be finite and not negative",
              text, expected.first + report->first_wrong, job_check_name(x->job_case, check), x->job_case->size_text);
    return expected_place(check, x->error);
}

static const struct job_check *first_unfit(const struct examination *x, const struct report **report)
{
    for (size_t i = 0; i < x->job_case->check_count; i++) {
        const struct job_check *check = &x->job_case->checks[i];
        *report = &x->reports[2 * i];
        if (((*report)->not_finite && !check->nonfinite) || (*report)[1].wrong)
            return check;
    }
    return NULL;
}

/* ---- the same again ---- */

#define EXPECTED (SIZE_MAX - 2) /* ref() and mag() have other poison, and no buffer */

static bool allocate(const struct examination *x, uint64_t numbers, uint64_t *address, struct error *error)
{
    size_t bytes = (size_t)(numbers ? numbers : 1) * sizeof(double);
    if (x->validation->driver->allocate(x->validation->device, bytes, address, error))
        return true;
    *address = 0;
    return false;
}

static bool make_again(struct examination *x, struct error *error)
{
    size_t count = x->instance->buffer_count;
    x->again = *x->instance;
    x->again.buffers = calloc(count + 1, sizeof *x->again.buffers);
    if (!x->again.buffers)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        x->again.buffers[i] = x->instance->buffers[i];
        x->again.buffers[i].reference = x->again.buffers[i].magnitude = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct instance_buffer *from = &x->instance->buffers[i];
        struct instance_buffer *to = &x->again.buffers[i];
        uint64_t numbers = instance_numbers(from);
        if ((from->reference && !allocate(x, numbers, &to->reference, error)) ||
            (from->magnitude && !allocate(x, numbers, &to->magnitude, error)))
            return false;
    }
    return true;
}

static void free_again(struct examination *x)
{
    for (size_t i = 0; x->again.buffers && i < x->instance->buffer_count; i++) {
        const uint64_t arrays[] = {x->again.buffers[i].reference, x->again.buffers[i].magnitude};
        for (size_t j = 0; j < sizeof arrays / sizeof *arrays; j++) {
            if (arrays[j])
                x->validation->driver->release(x->validation->device, arrays[j]);
        }
    }
    free(x->again.buffers);
    x->again.buffers = NULL;
}

static bool poison_expected(const struct examination *x, bool otherwise)
{
    struct filling poison = otherwise ? filling_other_poison() : filling_poison();
    for (size_t i = 0; i < x->again.buffer_count; i++) {
        const struct instance_buffer *buffer = &x->again.buffers[i];
        const struct array array = {&scalar_layouts[ELEMENT_DOUBLE], instance_numbers(buffer)};
        if ((buffer->reference && !validation_fill(x->validation, buffer->reference, array, &poison, x->error)) ||
            (buffer->magnitude && !validation_fill(x->validation, buffer->magnitude, array, &poison, x->error)))
            return false;
    }
    return true;
}

/* Does the reference compute what it compares with? */
static bool is_computed(const struct job_check *check)
{
    return !check->below && !check->expected.path;
}

/* Poison that was read makes large differences; a sum in another order makes one within the tolerance. */
static bool queue_comparisons(const struct examination *x)
{
    if (!validation_reset_reports(x->validation, 2 * x->job_case->check_count, x->error))
        return false;
    for (size_t i = 0; i < x->job_case->check_count; i++) {
        const struct job_check *check = &x->job_case->checks[i];
        struct expected_values first = instance_expected(x->instance, check);
        struct expected_values again = instance_expected(&x->again, check);
        struct job_check values = *check, magnitudes = *check;
        if (!is_computed(check))
            continue;
        values.bound = check->exact ? 0x1p-24 : check->bound;
        magnitudes.bound = 0x1p-10;
        magnitudes.absolute = 0;
        values.exact = magnitudes.exact = false;
        values.nonfinite = magnitudes.nonfinite = true;
        if (!validation_compare_expected(x->validation, again.reference, first.reference, first.magnitude,
                                         first.array, &values, 2 * i, x->error) ||
            (first.magnitude && !validation_compare_expected(x->validation, again.magnitude, first.magnitude, 0,
                                                             first.array, &magnitudes, 2 * i + 1, x->error)))
            return false;
    }
    return validation_read_reports(x->validation, x->reports, 2 * x->job_case->check_count, x->error);
}

/* Compute everything again with other values in `what`: a place (instance.h) or EXPECTED.
 * `differing`: the first check with other values; NULL: none.
 */
static bool compute_again(const struct examination *x, size_t what, const struct job_check **differing)
{
    bool all = what == INSTANCE_ALL;
    *differing = NULL;
    if (!instance_reset_otherwise(x->validation, &x->again, what, x->error) ||
        !poison_expected(x, all || what == EXPECTED) ||
        !template_sequences_reference(x->validation, x->programs, x->job, &x->again, x->error) ||
        (x->in_order && !instance_sort_expected(x->validation, &x->again, x->job_case, x->error)) ||
        !queue_comparisons(x))
        return false;
    for (size_t i = 0; i < x->job_case->check_count && !*differing; i++) {
        if (x->reports[2 * i].wrong || x->reports[2 * i + 1].wrong)
            *differing = &x->job_case->checks[i];
    }
    return true;
}

/* "; ref(z)[3] is 1, then 2" */
static bool describe_difference(const struct examination *x, const struct job_check *check, char *text, size_t size)
{
    const struct report *reports = &x->reports[2 * (check - x->job_case->checks)];
    bool values = reports[0].wrong > 0;
    struct expected_values first = instance_expected(x->instance, check);
    struct expected_values again = instance_expected(&x->again, check);
    uint64_t index = reports[values ? 0 : 1].first_wrong;
    double ignored;
    char before[NUMBER_TEXT], after[NUMBER_TEXT];
    if (!fetch(x, values ? first.reference : first.magnitude, index, &ignored, before) ||
        !fetch(x, values ? again.reference : again.magnitude, index, &ignored, after))
        return false;
    snprintf(text, size, "%s(%s)[%" PRIu64 "] is %s, then %s, at size %s", values ? "ref" : "mag",
             job_check_name(x->job_case, check), first.first * first.array.layout->leaf_count + index, before, after,
             x->job_case->size_text);
    return true;
}

static bool refuse_poison(const struct examination *x, size_t what, const char *difference)
{
    bool is_buffer = what < x->instance->buffer_count;
    const char *name = is_buffer          ? x->job_case->buffers[what].name
                       : what == EXPECTED ? "ref() and mag()"
                                          : "the out and temp buffers";
    error_set(x->error, ERROR_INPUT,
              "the reference depends on what was in %s before: it reads elements that it has not written; %s", name,
              difference);
    if (is_buffer)
        error_hint(x->error, "make %s inout, with initial values, or let the reference write it first", name);
    return false;
}

/* `what` is a place (instance.h) or EXPECTED. */
static bool refuse_dependence(const struct examination *x, size_t what, const struct job_check *check,
                              const char *difference)
{
    size_t count = x->instance->buffer_count;
    if (what >= count && what < 2 * count)
        error_set(x->error, ERROR_INPUT,
                  "the reference depends on what lies outside of %s: it reads out of bounds; %s",
                  x->job_case->buffers[what - count].name, difference);
    else
        refuse_poison(x, what, difference);
    return expected_place(check, x->error);
}

/* Is there anything to read at this place? */
static bool is_place(const struct examination *x, size_t what)
{
    return what >= x->instance->buffer_count || instance_has_poison(&x->instance->buffers[what]);
}

/* The first place whose values alone make a difference is to blame. */
static bool blame(const struct examination *x, const struct job_check *check, const char *difference)
{
    const struct job_check *differing;
    if (!compute_again(x, INSTANCE_NONE, &differing))
        return false;
    if (differing) {
        error_set(x->error, ERROR_INPUT, "the reference computes something else each time: %s", difference);
        return expected_place(check, x->error);
    }
    for (size_t i = 0; i <= 2 * x->instance->buffer_count; i++) {
        size_t what = i < 2 * x->instance->buffer_count ? i : EXPECTED;
        if (!is_place(x, what))
            continue;
        if (!compute_again(x, what, &differing))
            return false;
        if (differing)
            return refuse_dependence(x, what, check, difference);
    }
    return refuse_dependence(x, INSTANCE_ALL, check, difference);
}

static bool examine_again(struct examination *x)
{
    const struct job_check *differing;
    char difference[256];
    struct error failure = {0};
    bool done = make_again(x, &failure);
    if (!done && failure.code == ERROR_DOES_NOT_FIT) { /* what does fit must not fail for this */
        done = true;
    } else if (!done) {
        if (x->error)
            *x->error = failure;
    } else {
        done = compute_again(x, INSTANCE_ALL, &differing) &&
               (!differing || (describe_difference(x, differing, difference, sizeof difference) &&
                               blame(x, differing, difference))) &&
               instance_blank_guards(x->validation, &x->again, false, x->error);
    }
    free_again(x);
    return done;
}

/* ---- all of it ---- */

/* Setup is not repeated, so what it leaves in such a buffer for the reference must stay. */
static bool can_repeat(const struct examination *x)
{
    if (x->job_case->reference.count == 0)
        return false;
    for (size_t i = 0; i < x->instance->buffer_count; i++) {
        if (instance_has_poison(&x->instance->buffers[i]) && steps_use_buffer(&x->job_case->setup, i))
            return false;
    }
    return true;
}

static bool examine(struct examination *x)
{
    const struct report *report;
    if (!queue_values(x))
        return false;
    const struct job_check *unfit = first_unfit(x, &report);
    struct report found[2] = {{0}, {0}};
    if (unfit)
        memcpy(found, report, sizeof found);
    if (!unfit && !instance_sort_expected(x->validation, x->instance, x->job_case, x->error))
        return false;
    x->in_order = !unfit;
    bool due = !x->job->has_awkward || x->instance->which == JOB_AWKWARD;
    if ((due || unfit) && can_repeat(x) && !examine_again(x)) /* says more than that a value is NaN */
        return false;
    if (!unfit)
        return true;
    bool is_value = found[0].not_finite && !unfit->nonfinite;
    return is_value ? refuse_value(x, unfit, &found[0]) : refuse_magnitude(x, unfit, &found[1]);
}

bool expected_check(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                    const struct instance *instance, struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    struct examination x = {.validation = validation,
                            .programs = programs,
                            .job = job,
                            .job_case = job_case,
                            .instance = instance,
                            .error = error};
    if (job_case->check_count == 0)
        return true;
    x.reports = calloc(2 * job_case->check_count, sizeof *x.reports);
    if (!x.reports)
        return error_out_of_memory(error);
    bool done = examine(&x);
    free(x.reports);
    return done;
}
