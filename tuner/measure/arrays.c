/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/arrays.h"

#include "tuner/measure/validation_launch.h"

/* The numbers of a run. */
static struct numbers of_run(struct array array, struct leaf_run run)
{
    const struct layout *layout = array.layout;
    struct numbers numbers = {
        .count = array.extent * run.count, .leaves = layout->leaf_count, .element = (int32_t)run.element};
    if (run.count == layout->leaf_count && layout_is_array(layout))
        return numbers;
    numbers.stride = layout->bytes;
    numbers.offset = run.offset;
    numbers.width = run.count;
    numbers.first = run.first;
    return numbers;
}

/* The doubles of the leaves [first, end) among the expected values. */
static struct numbers of_expected(struct array array, size_t first, size_t end)
{
    const size_t leaves = array.layout->leaf_count;
    struct numbers numbers = {.count = array.extent * (end - first), .leaves = leaves, .element = ELEMENT_DOUBLE};
    if (end - first == leaves)
        return numbers;
    numbers.stride = leaves * sizeof(double);
    numbers.offset = first * sizeof(double);
    numbers.width = end - first;
    numbers.first = first;
    return numbers;
}

/* The next run of a check, which has leaves from *leaf on; false: it is done. */
static bool next_run(const struct layout *layout, const struct job_check *check, size_t *leaf, struct leaf_run *run)
{
    size_t end = check->leaf_count ? check->first_leaf + check->leaf_count : layout->leaf_count;
    if (*leaf < check->first_leaf)
        *leaf = check->first_leaf;
    if (*leaf >= end)
        return false;
    *run = layout_run(layout, *leaf, end);
    *leaf += run->count;
    return true;
}

/* All leaves. */
static const struct job_check whole = {0};

bool validation_fill(struct validation_kernels *validation, uint64_t address, struct array array,
                     const struct filling *filling, struct error *error)
{
    struct leaf_run run;
    bool done = true;
    for (size_t leaf = 0; done && next_run(array.layout, &whole, &leaf, &run);) {
        struct numbers numbers = of_run(array, run);
        struct filling_bits bits_of = filling_bits(filling, run.element);
        done = LAUNCH(KERNEL_FILL, numbers.count, slot_bits(address), slot_numbers(numbers),
                      slot_integer((int)filling->kind), slot_bits(filling->key), slot_real(filling->low),
                      slot_real(filling->high), slot_bits(bits_of.first), slot_bits(bits_of.choices));
    }
    return done;
}

bool validation_check_initial(struct validation_kernels *validation, uint64_t address, struct array array,
                              const struct filling *filling, size_t report, struct error *error)
{
    struct leaf_run run;
    bool done = true;
    for (size_t leaf = 0; done && next_run(array.layout, &whole, &leaf, &run);) {
        struct numbers numbers = of_run(array, run);
        struct filling_bits bits_of = filling_bits(filling, run.element);
        done = LAUNCH(KERNEL_CHECK_INITIAL, numbers.count, slot_bits(address), slot_numbers(numbers),
                      slot_integer((int)filling->kind), slot_bits(filling->key), slot_real(filling->low),
                      slot_real(filling->high), slot_bits(bits_of.first), slot_bits(bits_of.choices),
                      slot_report(validation, report));
    }
    return done;
}

bool validation_check_copy(struct validation_kernels *validation, uint64_t address, uint64_t copy, struct array array,
                           size_t report, struct error *error)
{
    struct leaf_run run;
    bool done = true;
    for (size_t leaf = 0; done && next_run(array.layout, &whole, &leaf, &run);) {
        struct numbers numbers = of_run(array, run);
        done = LAUNCH(KERNEL_CHECK_COPY, numbers.count, slot_bits(address), slot_bits(copy), slot_numbers(numbers),
                      slot_report(validation, report));
    }
    return done;
}

static bool compare(struct validation_kernels *validation, uint64_t out, uint64_t reference, uint64_t magnitude,
                    struct numbers numbers, const struct job_check *check, size_t report, struct error *error)
{
    return LAUNCH(KERNEL_COMPARE, numbers.count, slot_bits(out), slot_bits(reference), slot_bits(magnitude),
                  slot_numbers(numbers), slot_integer(check->exact), slot_real(check->bound),
                  slot_real(check->absolute), slot_integer(check->nonfinite), slot_report(validation, report));
}

bool validation_compare(struct validation_kernels *validation, uint64_t out, uint64_t reference, uint64_t magnitude,
                        struct array array, const struct job_check *check, size_t report, struct error *error)
{
    struct leaf_run run;
    bool done = true;
    for (size_t leaf = 0; done && next_run(array.layout, check, &leaf, &run);)
        done = compare(validation, out, reference, magnitude, of_run(array, run), check, report, error);
    return done;
}

/* The expected values of a check. */
static struct numbers checked(struct array array, const struct job_check *check)
{
    size_t leaves = array.layout->leaf_count;
    return of_expected(array, check->first_leaf, check->leaf_count ? check->first_leaf + check->leaf_count : leaves);
}

bool validation_compare_expected(struct validation_kernels *validation, uint64_t again, uint64_t reference,
                                 uint64_t magnitude, struct array array, const struct job_check *check, size_t report,
                                 struct error *error)
{
    return compare(validation, again, reference, magnitude, checked(array, check), check, report, error);
}

bool validation_check_reference(struct validation_kernels *validation, uint64_t reference, struct array array,
                                const struct job_check *check, size_t report, struct error *error)
{
    struct leaf_run run;
    bool done = true;
    for (size_t leaf = 0; done && next_run(array.layout, check, &leaf, &run);) {
        struct numbers numbers = of_expected(array, run.first, run.first + run.count);
        done =
            LAUNCH(KERNEL_CHECK_REFERENCE, numbers.count, slot_bits(reference), slot_numbers(numbers),
                   slot_integer((int)(check->exact ? run.element : ELEMENT_DOUBLE)), slot_report(validation, report));
    }
    return done;
}

bool validation_check_magnitude(struct validation_kernels *validation, uint64_t magnitude, uint64_t reference,
                                struct array array, const struct job_check *check, size_t report, struct error *error)
{
    struct numbers numbers = checked(array, check);
    return LAUNCH(KERNEL_CHECK_MAGNITUDE, numbers.count, slot_bits(magnitude), slot_bits(reference),
                  slot_numbers(numbers), slot_report(validation, report));
}

static bool sort_step(struct validation_kernels *validation, uint64_t address, uint64_t count, enum element element,
                      uint64_t mask, struct error *error)
{
    return LAUNCH(KERNEL_SORT_STEP, count, slot_bits(address), slot_bits(count), slot_integer((int)element),
                  slot_bits(mask));
}

/*
 * Bitonic sort (Batcher, "Sorting networks and their applications", 1968), in the form in which every exchange puts
 * the lesser number at the lower index: sorted runs of half the size are merged by comparing the i-th from the front
 * with the i-th from the back, then at half the distance each time. Whatever lies beyond the end counts as greater
 * than all, so that any count will do.
 */
bool validation_sort(struct validation_kernels *validation, uint64_t address, uint64_t count, enum element element,
                     struct error *error)
{
    for (uint64_t size = 2; size / 2 < count; size *= 2) {
        if (!sort_step(validation, address, count, element, size - 1, error))
            return false;
        for (uint64_t distance = size / 4; distance > 0; distance /= 2) {
            if (!sort_step(validation, address, count, element, distance, error))
                return false;
        }
    }
    return true;
}

bool validation_checksum(struct validation_kernels *validation, uint64_t words, uint64_t count, size_t report,
                         struct error *error)
{
    return LAUNCH(KERNEL_CHECKSUM, count, slot_bits(words), slot_bits(count), slot_report(validation, report));
}
