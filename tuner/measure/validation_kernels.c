/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/validation_kernels.h"

#include "tuner/measure/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char tune_validation[];
extern const size_t tune_validation_size;

/* Threads of a block, and elements that a block handles. */
enum { THREADS = 256, TILE_ELEMENTS = 4096 };

static const char *const kernel_names[VALIDATION_KERNELS] = {
    [KERNEL_FILL] = "tune_fill",
    [KERNEL_CHECK_INITIAL] = "tune_check_initial",
    [KERNEL_CHECK_COPY] = "tune_check_copy",
    [KERNEL_FILL_GUARDS] = "tune_fill_guards",
    [KERNEL_CHECK_GUARDS] = "tune_check_guards",
    [KERNEL_COMPARE] = "tune_compare",
    [KERNEL_CHECK_REFERENCE] = "tune_check_reference",
    [KERNEL_CHECK_MAGNITUDE] = "tune_check_magnitude",
    [KERNEL_CHECKSUM] = "tune_checksum",
    [KERNEL_SORT_STEP] = "tune_sort_step",
};

/* Constants that the host shares with the kernels. */
static const struct {
    const char *name;
    int value;
} shared_numbers[] = {
    {"ELEMENT_CHAR", ELEMENT_CHAR},
    {"ELEMENT_UCHAR", ELEMENT_UCHAR},
    {"ELEMENT_SHORT", ELEMENT_SHORT},
    {"ELEMENT_USHORT", ELEMENT_USHORT},
    {"ELEMENT_INT", ELEMENT_INT},
    {"ELEMENT_UINT", ELEMENT_UINT},
    {"ELEMENT_LONG", ELEMENT_LONG},
    {"ELEMENT_ULONG", ELEMENT_ULONG},
    {"ELEMENT_FLOAT", ELEMENT_FLOAT},
    {"ELEMENT_DOUBLE", ELEMENT_DOUBLE},
    {"ELEMENT_HALF", ELEMENT_HALF},
    {"ELEMENT_BFLOAT16", ELEMENT_BFLOAT16},
    {"INITIAL_NONE", INITIAL_NONE},
    {"INITIAL_UNIFORM", INITIAL_UNIFORM},
    {"INITIAL_CONSTANT", INITIAL_CONSTANT},
    {"INITIAL_INDEX", INITIAL_INDEX},
    {"TILE", TILE_ELEMENTS},
};

void validation_source(struct validation_source *source)
{
    size_t used = 0, room = sizeof source->defines;
    for (size_t i = 0; i < sizeof shared_numbers / sizeof shared_numbers[0]; i++)
        used += (size_t)snprintf(source->defines + used, room - used, "#define %s %d\n", shared_numbers[i].name,
                                 shared_numbers[i].value);
    source->text = tune_validation;
    source->length = tune_validation_size;
    source->program = (struct job_program){
        .path = (char *)"validation.cu",
        .folder = (char *)".",
        .defines = source->defines,
        .kernels = (char **)kernel_names,
        .kernel_count = VALIDATION_KERNELS,
    };
}

static bool compile_kernels(struct validation_kernels *validation, struct error *error)
{
    struct validation_source source;
    struct program program;
    validation_source(&source);
    if (!program_compile(validation->driver, validation->device, &validation->description, validation->images,
                         &source.program, source.text, source.length, &program, error))
        return false;
    memcpy(validation->kernels, program.kernels, sizeof validation->kernels);
    validation->module = program.module;
    program.module = NULL;
    program_unload(validation->driver, validation->device, &program);
    return true;
}

bool validation_kernels_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                             const struct compile_images *images, struct error *error)
{
    struct cache *disk = images ? images->disk : NULL;
    memset(validation, 0, sizeof *validation);
    validation->driver = driver;
    if (!driver->open(ordinal, &validation->device, error)) {
        cache_close(disk);
        return false;
    }
    if (!driver->describe(validation->device, &validation->description, error)) {
        cache_close(disk);
        goto failed;
    }
    validation->images = compile_cache_create(disk, driver, &validation->description);
    if (!validation->images) {
        error_out_of_memory(error);
        goto failed;
    }
    if (images)
        compile_cache_offer_to(validation->images, images->offer, images->context);
    if (compile_kernels(validation, error))
        return true;
failed:
    validation_kernels_close(validation);
    return false;
}

void validation_kernels_close(struct validation_kernels *validation)
{
    if (validation->reports)
        validation->driver->release(validation->device, validation->reports);
    if (validation->module)
        validation->driver->unload(validation->device, validation->module);
    compile_cache_free(validation->images);
    if (validation->device)
        validation->driver->close(validation->device);
    memset(validation, 0, sizeof *validation);
}

/* ---- launching ---- */

/* Must match struct numbers in validation.cu, which documents the members. */
struct numbers {
    uint64_t count;
    uint64_t leaves;
    uint64_t stride;
    uint64_t offset, width, first;
    int32_t element;
};

/* A kernel reads as many bytes as its parameter has. */
union argument_slot {
    uint64_t bits;
    double real;
    int32_t integer;
    struct numbers numbers;
};

/* Queue a kernel over `count` elements, if there are any. */
static bool launch(struct validation_kernels *validation, enum validation_kernel kernel, uint64_t count,
                   union argument_slot *arguments, size_t argument_count, struct error *error)
{
    enum { MOST_ARGUMENTS = 16 };
    void *pointers[MOST_ARGUMENTS];
    for (size_t i = 0; i < argument_count; i++)
        pointers[i] = &arguments[i];
    if (count == 0)
        return true;
    uint64_t blocks = (count - 1) / TILE_ELEMENTS + 1;
    if (blocks > INT32_MAX)
        return error_set(error, ERROR_DOES_NOT_FIT, "a buffer of %llu elements is too large to be validated",
                         (unsigned long long)count);
    const struct launch_shape shape = {.grid = {(uint32_t)blocks, 1, 1}, .block = {THREADS, 1, 1}};
    return validation->driver->launch(validation->device, validation->kernels[kernel], &shape, pointers,
                                      argument_count, error);
}

#define LAUNCH(kernel, count, ...)                                                                                   \
    launch(validation, kernel, count, (union argument_slot[]){__VA_ARGS__},                                          \
           sizeof((union argument_slot[]){__VA_ARGS__}) / sizeof(union argument_slot), error)

static union argument_slot bits(uint64_t value)
{
    return (union argument_slot){.bits = value};
}

static union argument_slot real(double value)
{
    return (union argument_slot){.real = value};
}

static union argument_slot integer(int value)
{
    return (union argument_slot){.integer = value};
}

static union argument_slot some(struct numbers numbers)
{
    return (union argument_slot){.numbers = numbers};
}

static union argument_slot report_slot(const struct validation_kernels *validation, size_t report)
{
    return bits(validation->reports + report * sizeof(struct report));
}

/* ---- guard bands ---- */

static bool fill_guards(struct validation_kernels *validation, const struct guarded *memory, struct error *error)
{
    return LAUNCH(KERNEL_FILL_GUARDS, guarded_bytes(0), bits(memory->allocation), bits(BUFFER_GUARD_BYTES),
                  bits(memory->bytes), integer(memory->blank));
}

bool validation_blank_guards(struct validation_kernels *validation, struct guarded *memory, bool blank,
                             struct error *error)
{
    if (memory->blank == blank)
        return true;
    memory->blank = blank;
    return fill_guards(validation, memory, error);
}

bool validation_allocate_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                                 struct error *error)
{
    *memory = (struct guarded){.bytes = bytes, .capacity = bytes};
    if (bytes > SIZE_MAX - guarded_bytes(0))
        return error_set(error, ERROR_DOES_NOT_FIT, "a buffer of %llu bytes does not fit in memory",
                         (unsigned long long)bytes);
    if (!validation->driver->allocate(validation->device, (size_t)guarded_bytes(bytes), &memory->allocation, error)) {
        memory->allocation = 0;
        return false;
    }
    memory->address = memory->allocation + BUFFER_GUARD_BYTES;
    return fill_guards(validation, memory, error);
}

bool validation_resize_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                               struct error *error)
{
    if (memory->allocation && bytes <= memory->capacity) {
        memory->bytes = bytes;
        return fill_guards(validation, memory, error);
    }
    validation_release_guarded(validation, memory);
    return validation_allocate_guarded(validation, bytes, memory, error);
}

void validation_release_guarded(struct validation_kernels *validation, struct guarded *memory)
{
    if (memory->allocation)
        validation->driver->release(validation->device, memory->allocation);
    *memory = (struct guarded){0};
}

bool validation_check_guards(struct validation_kernels *validation, const struct guarded *memory, size_t report,
                             struct error *error)
{
    return LAUNCH(KERNEL_CHECK_GUARDS, guarded_bytes(0), bits(memory->allocation), bits(BUFFER_GUARD_BYTES),
                  bits(memory->bytes), integer(memory->blank), report_slot(validation, report));
}

/* ---- fills and checks ---- */

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
        done = LAUNCH(KERNEL_FILL, numbers.count, bits(address), some(numbers), integer((int)filling->kind),
                      bits(filling->key), real(filling->low), real(filling->high), bits(bits_of.first),
                      bits(bits_of.choices));
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
        done = LAUNCH(KERNEL_CHECK_INITIAL, numbers.count, bits(address), some(numbers), integer((int)filling->kind),
                      bits(filling->key), real(filling->low), real(filling->high), bits(bits_of.first),
                      bits(bits_of.choices), report_slot(validation, report));
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
        done = LAUNCH(KERNEL_CHECK_COPY, numbers.count, bits(address), bits(copy), some(numbers),
                      report_slot(validation, report));
    }
    return done;
}

static bool compare(struct validation_kernels *validation, uint64_t out, uint64_t reference, uint64_t magnitude,
                    struct numbers numbers, const struct job_check *check, size_t report, struct error *error)
{
    return LAUNCH(KERNEL_COMPARE, numbers.count, bits(out), bits(reference), bits(magnitude), some(numbers),
                  integer(check->exact), real(check->bound), real(check->absolute), integer(check->nonfinite),
                  report_slot(validation, report));
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
        done = LAUNCH(KERNEL_CHECK_REFERENCE, numbers.count, bits(reference), some(numbers),
                      integer((int)(check->exact ? run.element : ELEMENT_DOUBLE)), report_slot(validation, report));
    }
    return done;
}

bool validation_check_magnitude(struct validation_kernels *validation, uint64_t magnitude, uint64_t reference,
                                struct array array, const struct job_check *check, size_t report, struct error *error)
{
    struct numbers numbers = checked(array, check);
    return LAUNCH(KERNEL_CHECK_MAGNITUDE, numbers.count, bits(magnitude), bits(reference), some(numbers),
                  report_slot(validation, report));
}

static bool sort_step(struct validation_kernels *validation, uint64_t address, uint64_t count, enum element element,
                      uint64_t mask, struct error *error)
{
    return LAUNCH(KERNEL_SORT_STEP, count, bits(address), bits(count), integer((int)element), bits(mask));
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
    return LAUNCH(KERNEL_CHECKSUM, count, bits(words), bits(count), report_slot(validation, report));
}

/* ---- reports ---- */

static const struct report untouched = {
    .nearest_before = UINT64_MAX,
    .nearest_behind = UINT64_MAX,
    .first_changed = UINT64_MAX,
    .first_wrong = UINT64_MAX,
    .first_not_finite = UINT64_MAX,
    .first_unwritten = UINT64_MAX,
};

static bool upload_untouched(struct validation_kernels *validation, size_t capacity, struct error *error)
{
    struct report *reports = calloc(capacity, sizeof *reports);
    if (!reports)
        return error_out_of_memory(error);
    for (size_t i = 0; i < capacity; i++)
        reports[i] = untouched;
    size_t bytes = capacity * sizeof *reports;
    bool done = validation->driver->upload(validation->device, validation->reports + bytes, reports, bytes, error);
    free(reports);
    return done;
}

static bool reserve_reports(struct validation_kernels *validation, size_t count, struct error *error)
{
    enum { LEAST = 64 };
    if (count <= validation->report_capacity)
        return true;
    if (validation->reports)
        validation->driver->release(validation->device, validation->reports);
    validation->reports = 0;
    validation->report_capacity = 0;
    size_t capacity = count > LEAST ? count : LEAST;
    if (!validation->driver->allocate(validation->device, 2 * capacity * sizeof(struct report), &validation->reports,
                                      error)) {
        validation->reports = 0;
        return false;
    }
    if (!upload_untouched(validation, capacity, error))
        return false;
    validation->report_capacity = capacity;
    return true;
}

bool validation_reset_reports(struct validation_kernels *validation, size_t count, struct error *error)
{
    return reserve_reports(validation, count, error) &&
           (count == 0 ||
            validation->driver->copy(validation->device, validation->reports,
                                     validation->reports + validation->report_capacity * sizeof(struct report),
                                     count * sizeof(struct report), error));
}

bool validation_read_reports(struct validation_kernels *validation, struct report *reports, size_t count,
                             struct error *error)
{
    return validation->driver->download(validation->device, reports, validation->reports, count * sizeof *reports,
                                        error);
}

double report_worst(const struct report *report)
{
    double worst;
    memcpy(&worst, &report->worst_bits, sizeof worst);
    return worst;
}
