/* SPDX-License-Identifier: Apache-2.0 */
/*
 * references.h - the references of the shipped templates, which decide what is right, against plain loops in long
 * double that share no code with them: at sizes of 1, at small odd sizes, and at the templates' awkward sizes. The
 * tests are references_NAME_test.c; this is what they share: a template's inputs and what its reference makes of
 * them.
 *
 * The bounds are those of double precision: a term that passes through r roundings on its way into a result is off by
 * at most gamma(r) = r u / (1 - r u) of its absolute value, u = 2**-53 (Higham, "Accuracy and Stability of Numerical
 * Algorithms", 3.1). The loops' own error is 2**-11 of that.
 */
#ifndef TUNE_TESTS_REFERENCES_H
#define TUNE_TESTS_REFERENCES_H

#include "tests/unit/measure/shipped.h"
#include "tuner/measure/instance.h"
#include "tuner/measure/steps.h"

#include <math.h>

static struct validation_kernels kernels;
static struct program_cache *programs;
static struct error error;

static inline int open_kernels(void **state)
{
    (void)state;
    must(validation_kernels_open(&kernels, device_driver_find("cpu"), 0, NULL, &error));
    must(program_cache_create(&programs, &error));
    return 0;
}

static inline int close_kernels(void **state)
{
    (void)state;
    program_cache_free(programs, kernels.driver, kernels.device);
    validation_kernels_close(&kernels);
    return 0;
}

/* ---- a template's inputs and references ------------------------------------------------------------------------ */

/* One size of a template: its buffers filled, its setup and reference carried out. */
struct fixture {
    const struct job *job;
    const struct job_case *sizes;
    struct instance *instance;
};

static inline int size_of(const struct fixture *fixture, const char *name)
{
    size_t length = strlen(name);
    const char *at = fixture->sizes->size_text; /* "M=4,N=3" */
    while (at && !(strncmp(at, name, length) == 0 && at[length] == '=')) {
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    if (!at)
        fail_msg("there is no size %s in %s", name, fixture->sizes->size_text);
    return atoi(at + length + 1);
}

static inline const struct instance_buffer *buffer_of(const struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->sizes->buffer_count; i++)
        if (strcmp(fixture->sizes->buffers[i].name, name) == 0)
            return &fixture->instance->buffers[i];
    fail_msg("there is no buffer %s", name);
    return NULL;
}

static inline void *fetch(uint64_t address, size_t bytes)
{
    void *copy = malloc(bytes);
    assert_non_null(copy);
    assert_true(address != 0);
    must(kernels.driver->download(kernels.device, copy, address, bytes, &error));
    return copy;
}

static inline float *fetch_input(const struct fixture *fixture, const char *name, int count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent, count);
    assert_true(layout_equal(buffer->layout, &scalar_layouts[ELEMENT_FLOAT]));
    return fetch(buffer->memory.address, (size_t)count * sizeof(float));
}

/* What a configuration might leave in a buffer. */
static inline void store_result(const struct fixture *fixture, const char *name, const void *values, size_t bytes)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent * buffer->layout->bytes, bytes);
    must(kernels.driver->upload(kernels.device, buffer->memory.address, values, bytes, &error));
}

/* Run the template's verify block on what is in the buffers. */
static inline void run_verify(const struct fixture *fixture)
{
    const struct job_program source = job_program_for(&fixture->job->verify, fixture->instance->which);
    const struct program *program;
    must(program_cache_get(programs, kernels.driver, kernels.device, &kernels.description, kernels.images, &source,
                           &program, &error));
    must(steps_run(&kernels, program, &fixture->sizes->verify, fixture->instance, &error));
    must(kernels.driver->synchronize(kernels.device, &error));
}

/* An output as the reference has it. */
struct expected {
    const char *name;
    double *values, *magnitudes; /* magnitudes: NULL for an exact check */
    int count;
};

static inline struct expected fetch_expected(const struct fixture *fixture, const char *name, int count, bool exact)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    struct expected expected = {.name = name, .count = count};
    assert_int_equal(buffer->extent, count);
    expected.values = fetch(buffer->reference, (size_t)count * sizeof(double));
    if (!exact)
        expected.magnitudes = fetch(buffer->magnitude, (size_t)count * sizeof(double));
    return expected;
}

static inline void free_expected(struct expected *expected)
{
    free(expected->values);
    free(expected->magnitudes);
}

/* What the plain loop finds for one element. */
struct sum {
    long double value, absolute;
};

static inline void add(struct sum *sum, long double term, long double absolute)
{
    sum->value += term;
    sum->absolute += absolute;
}

static inline void assert_within(const char *what, const struct expected *expected, int index, double got,
                                 long double right, long double bound)
{
    if (!(fabsl(got - right) <= bound)) /* NaN fails too */
        fail_msg("%s of %s[%d] is %.17g, not %.17Lg: off by %.3Lg, allowed are %.3Lg", what, expected->name, index,
                 got, right, fabsl(got - right), bound);
}

/* Every term passes through at most `roundings`. */
static inline void assert_sum(const struct expected *expected, int index, struct sum sum, int roundings)
{
    long double unit = roundings * 0x1p-53L, bound = unit / (1 - unit) * sum.absolute;
    assert_true(index < expected->count);
    assert_true(sum.absolute > 0);
    assert_within("value", expected, index, expected->values[index], sum.value, bound);
    assert_within("magnitude", expected, index, expected->magnitudes[index], sum.absolute, bound);
}

/* ---- running a template ---------------------------------------------------------------------------------------- */

typedef void check_function(const struct fixture *fixture);

static inline void check_job(const struct job *job, check_function *check)
{
    assert_true(job->has_awkward);
    for (size_t which = 0; which < JOB_CASES; which++) {
        struct fixture fixture = {.job = job, .sizes = &job->cases[which]};
        must(instance_create(&kernels, programs, job, which, &fixture.instance, &error));
        check(&fixture);
        instance_free(&kernels, fixture.instance);
    }
}

static inline void check_configuration(const struct shipped *shipped, size_t index, check_function *check)
{
    struct job *job;
    must(job_lower(shipped->problem, index, 1, &job, &error));
    check_job(job, check);
    job_free(job);
}

/* At the sizes given, and at the awkward ones. The reference does not ask which configuration it is for. */
static inline void check_template(const char *name, const struct size_setting *sizes, size_t size_count,
                                  check_function *check)
{
    struct shipped shipped;
    shipped_open(&shipped, name, "full", &kernels.description, sizes, size_count);
    check_configuration(&shipped, 0, check);
    shipped_close(&shipped);
}

/* The value of a parameter. */
static inline int64_t value_of(const struct shipped *shipped, size_t index, const char *name)
{
    struct value *slots = shipped_slots(shipped, index);
    size_t slot;
    assert_true(scope_find(shipped->template->scope, name, &slot));
    assert_int_equal(slots[slot].kind, VALUE_INTEGER);
    int64_t value = slots[slot].integer;
    free(slots);
    return value;
}

#endif
