/* SPDX-License-Identifier: Apache-2.0 */
/* The validation kernels on the CPU device, each against a plain loop over what it left in memory. */
#include "tests/unit/measure/must.h"

#include "tuner/measure/arrays.h"
#include "tuner/measure/guarded.h"
#include "tuner/measure/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct validation_kernels validation;
static struct error error;

static const uint64_t counts[] = {1, 31, 1000003};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static int open_kernels(void **state)
{
    (void)state;
    const struct device_driver *driver = device_driver_find("cpu");
    assert_non_null(driver);
    must(validation_kernels_open(&validation, driver, 0, NULL, &error));
    return 0;
}

static int close_kernels(void **state)
{
    (void)state;
    validation_kernels_close(&validation);
    return 0;
}

static struct report read_report(void)
{
    struct report report;
    must(validation_read_reports(&validation, &report, 1, &error));
    return report;
}

static void download(const struct guarded *memory, void *to)
{
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, to, memory->address, memory->bytes, &error));
}

static void poke(uint64_t address, const void *from, size_t bytes)
{
    must(validation.driver->upload(validation.device, address, from, bytes, &error));
}

/* A normal number, by the definition of its format. */
static double number_of_16_bits(unsigned bits, int fraction, int bias)
{
    double significand = 1 + (double)(bits & ((1U << fraction) - 1)) / (1 << fraction);
    double size = ldexp(significand, (int)(bits >> fraction & ((1U << (15 - fraction)) - 1)) - bias);
    return (bits & 0x7fff) == 0 ? 0 : bits & 0x8000 ? -size : size;
}

static struct array array_of(enum element element, uint64_t extent)
{
    return (struct array){&scalar_layouts[element], extent};
}

/* Element i of an array as a number. */
static double number_at(enum element element, const void *array, size_t i)
{
    switch (element) {
    case ELEMENT_CHAR:
        return ((const signed char *)array)[i];
    case ELEMENT_UCHAR:
        return ((const unsigned char *)array)[i];
    case ELEMENT_SHORT:
        return ((const short *)array)[i];
    case ELEMENT_USHORT:
        return ((const unsigned short *)array)[i];
    case ELEMENT_INT:
        return ((const int *)array)[i];
    case ELEMENT_UINT:
        return ((const unsigned *)array)[i];
    case ELEMENT_LONG:
        return (double)((const int64_t *)array)[i];
    case ELEMENT_ULONG:
        return (double)((const uint64_t *)array)[i];
    case ELEMENT_FLOAT:
        return (double)((const float *)array)[i];
    case ELEMENT_HALF:
        return number_of_16_bits(((const unsigned short *)array)[i], 10, 15);
    case ELEMENT_BFLOAT16:
        return number_of_16_bits(((const unsigned short *)array)[i], 7, 127);
    default:
        return ((const double *)array)[i];
    }
}

/* A buffer of the declared kind, filled; its contents in *array (allocated). */
static struct guarded make(const struct job_buffer *buffer, uint64_t seed, struct filling *filling, void **array)
{
    struct guarded memory;
    uint64_t bytes = buffer->extent * buffer->layout->bytes;
    must(filling_of_buffer(buffer, 0, seed, filling, &error));
    must(validation_allocate_guarded(&validation, bytes, &memory, &error));
    assert_int_equal(memory.address % 256, memory.allocation % 256);
    must(validation_fill(&validation, memory.address, (struct array){buffer->layout, buffer->extent}, filling,
                         &error));
    *array = malloc(bytes);
    assert_non_null(*array);
    download(&memory, *array);
    return memory;
}

/* Changes exactly one byte of an element, and has the check find just that element. */
static void check_finds_change(const struct job_buffer *buffer, const struct guarded *memory,
                               const struct filling *filling, const unsigned char *bytes, uint64_t index)
{
    size_t size = buffer->layout->bytes;
    unsigned char changed = bytes[index * size] ^ 1;
    must(validation_reset_reports(&validation, 1, &error));
    must(validation_check_initial(&validation, memory->address, (struct array){buffer->layout, buffer->extent},
                                  filling, 0, &error));
    assert_int_equal(read_report().changed, 0);
    poke(memory->address + index * size, &changed, 1);
    must(validation_check_initial(&validation, memory->address, (struct array){buffer->layout, buffer->extent},
                                  filling, 0, &error));
    struct report report = read_report();
    assert_int_equal(report.changed, 1);
    assert_int_equal(report.first_changed, index);
}

static void uniform_numbers_lie_in_range_and_spread(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        for (size_t c = 0; c < COUNTS; c++) {
            enum element element = (enum element)e;
            bool is_signed = element_types[e].is_signed;
            double a = is_signed ? -3 : 2, b = 5;
            struct job_buffer buffer = {
                (char *)"x", &scalar_layouts[element], counts[c], BUFFER_IN, INITIAL_UNIFORM, a, b};
            struct filling filling;
            void *array;
            struct guarded memory = make(&buffer, 42, &filling, &array);
            double sum = 0;
            for (uint64_t i = 0; i < counts[c]; i++) {
                double x = number_at(element, array, i);
                assert_true(a <= x && x < b);
                sum += x;
            }
            if (counts[c] > 1000) { /* mean within 5 standard errors; integers: a..b-1 */
                double mean = element_types[e].floating ? (a + b) / 2 : (a + b - 1) / 2;
                assert_true(fabs(sum / (double)counts[c] - mean) < 5 * (b - a) / sqrt(12.0 * (double)counts[c]));
            }
            check_finds_change(&buffer, &memory, &filling, array, counts[c] - 1);
            free(array);
            validation_release_guarded(&validation, &memory);
        }
    }
}

static void streams_differ_by_seed_and_buffer(void **state)
{
    (void)state;
    struct job_buffer buffer = {(char *)"x", &scalar_layouts[ELEMENT_ULONG], 4, BUFFER_IN, INITIAL_UNIFORM, 0,
                                0x1p64};
    uint64_t seen[3][4];
    for (size_t i = 0; i < 3; i++) {
        struct filling filling;
        struct guarded memory;
        must(filling_of_buffer(&buffer, i == 1, i == 2 ? 8 : 7, &filling, &error));
        must(validation_allocate_guarded(&validation, sizeof seen[i], &memory, &error));
        must(validation_fill(&validation, memory.address, array_of(ELEMENT_ULONG, 4), &filling, &error));
        download(&memory, seen[i]);
        validation_release_guarded(&validation, &memory);
    }
    for (size_t i = 0; i < 4; i++)
        assert_true(seen[0][i] != seen[1][i] && seen[0][i] != seen[2][i] && seen[1][i] != seen[2][i]);
    assert_true((seen[0][0] | seen[0][1] | seen[0][2] | seen[0][3]) >> 60 != 0);
}

static void floats_have_full_resolution(void **state)
{
    (void)state;
    struct job_buffer buffer = {
        (char *)"x", &scalar_layouts[ELEMENT_FLOAT], 1000003, BUFFER_IN, INITIAL_UNIFORM, 0, 1};
    struct filling filling;
    void *array;
    struct guarded memory = make(&buffer, 1, &filling, &array);
    size_t fine = 0; /* of the values below 2^-8, those that are no multiple of 2^-24 */
    size_t small = 0;
    for (size_t i = 0; i < 1000003; i++) {
        float x = ((const float *)array)[i];
        if (x >= 0x1p-8f)
            continue;
        small++;
        fine += (double)x * 0x1p24 != floor((double)x * 0x1p24);
    }
    assert_true(small > 3000 && fine > small / 2);
    free(array);
    validation_release_guarded(&validation, &memory);
}

static void constants_and_indices_are_what_they_say(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        enum element element = (enum element)e;
        double value = element_types[e].is_signed ? -7 : 7;
        struct job_buffer buffer = {
            (char *)"x", &scalar_layouts[element], 100, BUFFER_IN, INITIAL_CONSTANT, value, 0};
        struct filling filling;
        void *array;
        struct guarded memory = make(&buffer, 1, &filling, &array);
        for (size_t i = 0; i < 100; i++)
            assert_true(number_at(element, array, i) == value);
        check_finds_change(&buffer, &memory, &filling, array, 50);
        free(array);
        validation_release_guarded(&validation, &memory);

        buffer.initial = INITIAL_INDEX;
        memory = make(&buffer, 1, &filling, &array);
        for (size_t i = 0; i < 100; i++)
            assert_true(number_at(element, array, i) == (double)i);
        check_finds_change(&buffer, &memory, &filling, array, 99);
        free(array);
        validation_release_guarded(&validation, &memory);
    }
}

/* ---- comparison ------------------------------------------------------------------------------------------- */

struct comparison {
    enum element element;
    uint64_t count;
    struct guarded out, reference, magnitude;
    double *expected, *scale;
    bool nonfinite;  /* may be expected */
    double absolute; /* part of the tolerance */
};

/* Outputs uniform, the reference equal to them, the magnitude |reference| + 1. */
static struct comparison compare_make(enum element element, uint64_t count)
{
    struct comparison c = {.element = element, .count = count};
    struct job_buffer buffer = {(char *)"y", &scalar_layouts[element], count, BUFFER_OUT, INITIAL_UNIFORM, 1, 100};
    struct filling filling;
    void *array;
    c.out = make(&buffer, 3, &filling, &array);
    c.expected = calloc(count, sizeof(double));
    c.scale = calloc(count, sizeof(double));
    assert_true(c.expected && c.scale);
    for (uint64_t i = 0; i < count; i++) {
        c.expected[i] = number_at(element, array, i);
        c.scale[i] = c.expected[i] + 1;
    }
    free(array);
    must(validation_allocate_guarded(&validation, count * sizeof(double), &c.reference, &error));
    must(validation_allocate_guarded(&validation, count * sizeof(double), &c.magnitude, &error));
    return c;
}

static struct report compare(struct comparison *c, bool exact, double bound, bool with_magnitude)
{
    struct job_check check = {.exact = exact, .bound = bound, .absolute = c->absolute, .nonfinite = c->nonfinite};
    poke(c->reference.address, c->expected, c->count * sizeof(double));
    poke(c->magnitude.address, c->scale, c->count * sizeof(double));
    must(validation_reset_reports(&validation, 1, &error));
    must(validation_compare(&validation, c->out.address, c->reference.address,
                            with_magnitude ? c->magnitude.address : 0, array_of(c->element, c->count), &check, 0,
                            &error));
    return read_report();
}

static void compare_free(struct comparison *c)
{
    free(c->expected);
    free(c->scale);
    validation_release_guarded(&validation, &c->out);
    validation_release_guarded(&validation, &c->reference);
    validation_release_guarded(&validation, &c->magnitude);
}

static void equal_outputs_are_right(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        for (size_t n = 0; n < COUNTS; n++) {
            struct comparison c = compare_make((enum element)e, counts[n]);
            for (int exact = 0; exact < 2; exact++) {
                struct report report = compare(&c, exact, 1e-6, exact);
                assert_true(report.wrong == 0 && report.not_finite == 0 && report.unwritten == 0);
                assert_true(report_worst(&report) == 0);
            }
            compare_free(&c);
        }
    }
}

static void the_last_element_counts(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        for (size_t n = 0; n < COUNTS; n++) {
            struct comparison c = compare_make((enum element)e, counts[n]);
            c.expected[c.count - 1] += 1;
            struct report report = compare(&c, true, 0, false);
            assert_true(report.wrong == 1 && report.first_wrong == c.count - 1);
            assert_true(isinf(report_worst(&report)));
            compare_free(&c);
        }
    }
}

/* The same ratios from a plain loop. */
static void ratios_are_those_of_a_loop(void **state)
{
    (void)state;
    static const enum element elements[] = {ELEMENT_FLOAT, ELEMENT_DOUBLE, ELEMENT_INT};
    for (size_t e = 0; e < 3; e++) {
        for (int way = 0; way < 4; way++) {
            const bool with_magnitude = way & 1;
            struct comparison c = compare_make(elements[e], 1000003);
            c.absolute = way & 2 ? 3e-3 : 0;
            double *out = malloc(c.count * sizeof *out);
            assert_non_null(out);
            memcpy(out, c.expected, c.count * sizeof *out);
            double worst = 0;
            uint64_t wrong = 0, first = UINT64_MAX;
            for (uint64_t i = 0; i < c.count; i++) {
                c.expected[i] += (double)(i * 2654435761u % 1001) * 1e-5;
                double allowed = 9e-3 * 0.1 * (with_magnitude ? c.scale[i] : c.expected[i]) + c.absolute;
                double ratio = fabs(out[i] - c.expected[i]) / allowed;
                worst = ratio > worst ? ratio : worst;
                if (ratio > 1 && wrong++ == 0)
                    first = i;
            }
            free(out);
            struct report report = compare(&c, false, 9e-3 * 0.1, with_magnitude);
            assert_true(wrong > 0 && wrong < c.count / 2);
            assert_true(report.wrong == wrong && report.first_wrong == first);
            assert_true(fabs(report_worst(&report) - worst) <= 1e-12 * worst);
            compare_free(&c);
        }
    }
}

static void nothing_allowed_means_equal(void **state)
{
    (void)state;
    struct comparison c = compare_make(ELEMENT_FLOAT, 31);
    c.scale[4] = 0; /* and equal: fine */
    assert_true(compare(&c, false, 1e-6, true).wrong == 0);
    c.expected[4] += 1e-9;
    struct report report = compare(&c, false, 1e-6, true);
    assert_true(report.wrong == 1 && report.first_wrong == 4 && isinf(report_worst(&report)));
    /* exact: the reference rounded to the type, which swallows 1e-9 */
    assert_true(compare(&c, true, 0, true).wrong == 0);
    compare_free(&c);
}

/* What is expected is 0, of which no relative bound allows an error. */
static void an_absolute_tolerance_is_as_wide_everywhere(void **state)
{
    (void)state;
    struct comparison c = compare_make(ELEMENT_DOUBLE, 31);
    c.absolute = 0.25;
    for (size_t i = 0; i < c.count; i++)
        c.expected[i] += i % 2 ? 0.2 : -0.2;
    assert_true(compare(&c, false, 0, false).wrong == 0);
    c.expected[5] += 0.1;
    struct report report = compare(&c, false, 0, false);
    assert_true(report.wrong == 1 && report.first_wrong == 5 && fabs(report_worst(&report) - 0.3 / 0.25) < 1e-9);
    c.absolute = 0.31;
    assert_true(compare(&c, false, 0, false).wrong == 0);
    assert_true(compare(&c, true, 0, false).wrong == 31); /* exact has no tolerance */
    compare_free(&c);
}

static void not_finite_and_unwritten_are_told_apart(void **state)
{
    (void)state;
    struct comparison c = compare_make(ELEMENT_FLOAT, 1000003);
    struct filling poison = filling_poison();
    const float nan = NAN, infinity = INFINITY;
    must(validation_fill(&validation, c.out.address + 4 * 500, array_of(ELEMENT_FLOAT, 3), &poison, &error));
    poke(c.out.address + 4 * 400, &nan, 4);
    poke(c.out.address + 4 * 999999, &infinity, 4);
    poke(c.out.address + 4 * 7, &infinity, 4);
    c.expected[7] = INFINITY; /* where infinity is right */
    poke(c.out.address + 4 * 8, &nan, 4);
    c.expected[8] = NAN;
    c.expected[9] = NAN;       /* and the output is a number */
    c.expected[501] = NAN;     /* and the output unwritten, which is a NaN as well */
    c.expected[10] = INFINITY; /* and the output minus infinity */
    const float minus = -INFINITY;
    poke(c.out.address + 4 * 10, &minus, 4);
    struct report report = compare(&c, false, 1e-6, false); /* where nothing of the kind may be expected */
    assert_int_equal(report.wrong, 9);
    assert_int_equal(report.first_wrong, 7);
    c.nonfinite = true;
    report = compare(&c, false, 1e-6, false);
    assert_int_equal(report.wrong, 7);
    assert_int_equal(report.first_wrong, 9);
    assert_int_equal(report.not_finite, 2);
    assert_int_equal(report.first_not_finite, 400);
    assert_int_equal(report.unwritten, 3);
    assert_int_equal(report.first_unwritten, 500);
    compare_free(&c);
}

static void unwritten_elements_of_every_type_are_found(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        struct comparison c = compare_make((enum element)e, 31);
        struct filling poison = filling_poison();
        must(validation_fill(&validation, c.out.address + 30 * element_types[e].bytes, array_of((enum element)e, 1),
                             &poison, &error));
        struct report report = compare(&c, true, 0, false);
        assert_true(report.wrong == 1 && report.unwritten == 1 && report.first_unwritten == 30);
        compare_free(&c);
    }
}

/* ---- references and copies -------------------------------------------------------------------------------- */

/* As the expected values of a buffer of this type, exactly. */
static struct report check_reference(const struct comparison *c, enum element element)
{
    const struct job_check check = {.exact = true};
    must(validation_reset_reports(&validation, 1, &error));
    must(validation_check_reference(&validation, c->out.address, array_of(element, c->count), &check, 0, &error));
    return read_report();
}

static void references_must_be_complete_and_finite(void **state)
{
    (void)state;
    struct comparison c = compare_make(ELEMENT_DOUBLE, 31);
    struct filling poison = filling_poison();
    const double negative = -1, minus = -INFINITY, nan = NAN, large = 1e39;
    poke(c.out.address + 8 * 3, &negative, 8);
    struct report report = check_reference(&c, ELEMENT_FLOAT);
    assert_true(report.unwritten == 0 && report.not_finite == 0);
    must(validation_fill(&validation, c.out.address + 8 * 30, array_of(ELEMENT_DOUBLE, 1), &poison, &error));
    poke(c.out.address + 8 * 7, &large, 8);
    poke(c.out.address + 8 * 12, &nan, 8);
    poke(c.out.address + 8 * 13, &minus, 8);
    report = check_reference(&c, ELEMENT_DOUBLE);
    assert_true(report.unwritten == 1 && report.first_unwritten == 30);
    assert_true(report.not_finite == 2 && report.first_not_finite == 12);
    report = check_reference(&c, ELEMENT_FLOAT); /* 10^39 is more than a float can hold */
    assert_true(report.not_finite == 3 && report.first_not_finite == 7);
    compare_free(&c);
}

static struct report check_magnitude(const struct comparison *c)
{
    const struct job_check check = {0};
    poke(c->reference.address, c->expected, c->count * sizeof(double));
    must(validation_reset_reports(&validation, 1, &error));
    must(validation_check_magnitude(&validation, c->out.address, c->reference.address,
                                    array_of(ELEMENT_DOUBLE, c->count), &check, 0, &error));
    return read_report();
}

static void magnitudes_must_be_finite_where_the_reference_is(void **state)
{
    (void)state;
    struct comparison c = compare_make(ELEMENT_DOUBLE, 31);
    struct filling poison = filling_poison();
    const double negative = -1, nan = NAN, infinity = INFINITY;
    struct report report = check_magnitude(&c);
    assert_true(report.unwritten == 0 && report.wrong == 0);
    must(validation_fill(&validation, c.out.address + 8 * 30, array_of(ELEMENT_DOUBLE, 1), &poison, &error));
    poke(c.out.address + 8 * 12, &nan, 8);
    c.expected[12] = INFINITY;
    poke(c.out.address + 8 * 14, &infinity, 8);
    report = check_magnitude(&c);
    assert_true(report.unwritten == 1 && report.first_unwritten == 30);
    assert_true(report.wrong == 1 && report.first_wrong == 14);
    poke(c.out.address + 8 * 13, &negative, 8);
    c.expected[13] = NAN; /* excuses nothing: a sum of absolute values is never negative */
    report = check_magnitude(&c);
    assert_true(report.wrong == 2 && report.first_wrong == 13);
    compare_free(&c);
}

/* Two poisons that share no element; of numbers, the second has both signs. */
static void poisons_differ_in_every_element(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        struct comparison c = compare_make((enum element)e, 31), d = compare_make((enum element)e, 31);
        const struct array array = array_of((enum element)e, 31);
        struct filling poison = filling_poison(), other = filling_other_poison();
        must(validation_fill(&validation, c.out.address, array, &poison, &error));
        must(validation_fill(&validation, d.out.address, array, &other, &error));
        must(validation_reset_reports(&validation, 1, &error));
        must(validation_check_copy(&validation, c.out.address, d.out.address, array, 0, &error));
        assert_int_equal(read_report().changed, 31);
        must(validation_reset_reports(&validation, 1, &error));
        must(validation_check_initial(&validation, d.out.address, array, &other, 0, &error));
        assert_int_equal(read_report().changed, 0);
        if (element_types[e].floating) {
            uint64_t bits[31];
            must(validation.driver->download(validation.device, bits, d.out.address, 31 * element_types[e].bytes,
                                             &error));
            double first = number_at((enum element)e, bits, 0), second = number_at((enum element)e, bits, 1);
            assert_true(isfinite(first) && first > (e == ELEMENT_HALF ? 6e4 : 1e30) && second == -first);
        }
        compare_free(&c);
        compare_free(&d);
    }
}

static void checksums_see_changes_and_swaps(void **state)
{
    (void)state;
    struct comparison c = compare_make(ELEMENT_DOUBLE, 1000003);
    uint64_t sums[3];
    for (size_t i = 0; i < 3; i++) {
        if (i == 1) { /* swap two elements */
            poke(c.out.address + 8 * 5, &c.expected[6], 8);
            poke(c.out.address + 8 * 6, &c.expected[5], 8);
        } else if (i == 2) {
            poke(c.out.address, c.expected, 8 * c.count);
        }
        must(validation_reset_reports(&validation, 1, &error));
        must(validation_checksum(&validation, c.out.address, c.count, 0, &error));
        sums[i] = read_report().checksum;
    }
    assert_true(c.expected[5] != c.expected[6]);
    assert_true(sums[0] != sums[1] && sums[0] == sums[2]);
    compare_free(&c);
}

static void copies_are_compared_by_element(void **state)
{
    (void)state;
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        struct comparison c = compare_make((enum element)e, 31);
        size_t size = element_types[e].bytes;
        struct guarded copy;
        must(validation_allocate_guarded(&validation, 31 * size, &copy, &error));
        must(validation.driver->copy(validation.device, copy.address, c.out.address, 31 * size, &error));
        must(validation_reset_reports(&validation, 1, &error));
        must(validation_check_copy(&validation, c.out.address, copy.address, array_of(c.element, 31), 0, &error));
        assert_int_equal(read_report().changed, 0);
        const unsigned char byte = 0xee; /* outputs are below 100: no high byte is 0xee */
        poke(c.out.address + 30 * size + size - 1, &byte, 1);
        must(validation_check_copy(&validation, c.out.address, copy.address, array_of(c.element, 31), 0, &error));
        struct report report = read_report();
        assert_true(report.changed == 1 && report.first_changed == 30);
        validation_release_guarded(&validation, &copy);
        compare_free(&c);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Against qsort, at counts around powers of two and tiles; and of every type, against what it is as a double. */
static void sorting_is_that_of_qsort(void **state)
{
    (void)state;
    enum { MOST = 9001 };
    static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 1000, 4095, 4096, 4097, MOST};
    static double given[MOST], sorted[MOST], expected[MOST];
    uint64_t address;
    must(validation.driver->allocate(validation.device, sizeof given, &address, &error));
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint64_t random = 1 + c;
        for (size_t i = 0; i < counts[c]; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            given[i] = expected[i] = (double)(int64_t)(random >> 40) - 8388608; /* some of them are equal */
        }
        size_t bytes = counts[c] * sizeof *given;
        qsort(expected, counts[c], sizeof *expected, compare_doubles);
        if (counts[c] > 0)
            must(validation.driver->upload(validation.device, address, given, bytes, &error));
        must(validation_sort(&validation, address, counts[c], ELEMENT_DOUBLE, &error));
        must(validation.driver->synchronize(validation.device, &error));
        if (counts[c] > 0)
            must(validation.driver->download(validation.device, sorted, address, bytes, &error));
        assert_memory_equal(sorted, expected, bytes);
    }
    float floats[6] = {NAN, 2, -INFINITY, -NAN, -1, INFINITY};
    must(validation.driver->upload(validation.device, address, floats, sizeof floats, &error));
    must(validation_sort(&validation, address, 6, ELEMENT_FLOAT, &error));
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, floats, address, sizeof floats, &error));
    assert_true(floats[0] < -1e38f && floats[1] == -1 && floats[2] == 2 && floats[3] > 1e38f);
    assert_true(isnan(floats[4]) && isnan(floats[5]));
    signed char bytes[5] = {-3, 127, 0, -128, 5};
    must(validation.driver->upload(validation.device, address, bytes, sizeof bytes, &error));
    must(validation_sort(&validation, address, 5, ELEMENT_CHAR, &error));
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, bytes, address, sizeof bytes, &error));
    assert_true(bytes[0] == -128 && bytes[1] == -3 && bytes[2] == 0 && bytes[3] == 5 && bytes[4] == 127);
    validation.driver->release(validation.device, address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_numbers_lie_in_range_and_spread),
        cmocka_unit_test(streams_differ_by_seed_and_buffer),
        cmocka_unit_test(floats_have_full_resolution),
        cmocka_unit_test(constants_and_indices_are_what_they_say),
        cmocka_unit_test(equal_outputs_are_right),
        cmocka_unit_test(the_last_element_counts),
        cmocka_unit_test(ratios_are_those_of_a_loop),
        cmocka_unit_test(nothing_allowed_means_equal),
        cmocka_unit_test(an_absolute_tolerance_is_as_wide_everywhere),
        cmocka_unit_test(not_finite_and_unwritten_are_told_apart),
        cmocka_unit_test(unwritten_elements_of_every_type_are_found),
        cmocka_unit_test(references_must_be_complete_and_finite),
        cmocka_unit_test(magnitudes_must_be_finite_where_the_reference_is),
        cmocka_unit_test(poisons_differ_in_every_element),
        cmocka_unit_test(checksums_see_changes_and_swaps),
        cmocka_unit_test(copies_are_compared_by_element),
        cmocka_unit_test(sorting_is_that_of_qsort),
    };
    return cmocka_run_group_tests(tests, open_kernels, close_kernels);
}
