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
};

/* Constants that the host shares with the kernels. */
static const struct {
    const char *name;
    int value;
} shared_numbers[] = {
    {"ELEMENT_CHAR", ELEMENT_CHAR},         {"ELEMENT_UCHAR", ELEMENT_UCHAR}, {"ELEMENT_SHORT", ELEMENT_SHORT},
    {"ELEMENT_USHORT", ELEMENT_USHORT},     {"ELEMENT_INT", ELEMENT_INT},     {"ELEMENT_UINT", ELEMENT_UINT},
    {"ELEMENT_LONG", ELEMENT_LONG},         {"ELEMENT_ULONG", ELEMENT_ULONG}, {"ELEMENT_FLOAT", ELEMENT_FLOAT},
    {"ELEMENT_DOUBLE", ELEMENT_DOUBLE},     {"INITIAL_NONE", INITIAL_NONE},   {"INITIAL_UNIFORM", INITIAL_UNIFORM},
    {"INITIAL_CONSTANT", INITIAL_CONSTANT}, {"INITIAL_INDEX", INITIAL_INDEX}, {"TILE", TILE_ELEMENTS},
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

/* Every argument occupies eight bytes; a kernel reads as many of them as its parameter has. */
union argument_slot {
    uint64_t bits;
    double real;
    int32_t integer;
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
    return validation->driver->launch(validation->device, validation->kernels[kernel],
                                      (struct dimensions){(uint32_t)blocks, 1, 1}, (struct dimensions){THREADS, 1, 1},
                                      0, pointers, argument_count, error);
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

bool validation_fill(struct validation_kernels *validation, uint64_t address, uint64_t count,
                     const struct filling *filling, struct error *error)
{
    return LAUNCH(KERNEL_FILL, count, bits(address), bits(count), integer((int)filling->element),
                  integer((int)filling->kind), bits(filling->key), real(filling->low), real(filling->high),
                  bits(filling->first), bits(filling->choices));
}

bool validation_check_initial(struct validation_kernels *validation, uint64_t address, uint64_t count,
                              const struct filling *filling, size_t report, struct error *error)
{
    return LAUNCH(KERNEL_CHECK_INITIAL, count, bits(address), bits(count), integer((int)filling->element),
                  integer((int)filling->kind), bits(filling->key), real(filling->low), real(filling->high),
                  bits(filling->first), bits(filling->choices), report_slot(validation, report));
}

bool validation_check_copy(struct validation_kernels *validation, uint64_t address, uint64_t copy, uint64_t count,
                           enum element element, size_t report, struct error *error)
{
    return LAUNCH(KERNEL_CHECK_COPY, count, bits(address), bits(copy), bits(count), integer((int)element),
                  report_slot(validation, report));
}

bool validation_compare(struct validation_kernels *validation, uint64_t out, uint64_t reference, uint64_t magnitude,
                        uint64_t count, enum element element, const struct job_check *check, size_t report,
                        struct error *error)
{
    return LAUNCH(KERNEL_COMPARE, count, bits(out), bits(reference), bits(magnitude), bits(count),
                  integer((int)element), integer(check->exact), real(check->bound), integer(check->nonfinite),
                  report_slot(validation, report));
}

bool validation_check_reference(struct validation_kernels *validation, uint64_t reference, uint64_t count,
                                bool rounded, size_t report, struct error *error)
{
    return LAUNCH(KERNEL_CHECK_REFERENCE, count, bits(reference), bits(count), integer(rounded),
                  report_slot(validation, report));
}

bool validation_check_magnitude(struct validation_kernels *validation, uint64_t magnitude, uint64_t reference,
                                uint64_t count, size_t report, struct error *error)
{
    return LAUNCH(KERNEL_CHECK_MAGNITUDE, count, bits(magnitude), bits(reference), bits(count),
                  report_slot(validation, report));
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
