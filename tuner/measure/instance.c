/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/instance.h"

#include "tuner/measure/check_range.h"
#include "tuner/measure/data_load.h"
#include "tuner/measure/expected.h"
#include "tuner/measure/instance_run.h"
#include "tuner/measure/step_use.h"
#include "tuner/measure/template_sequences.h"
#include "tuner/measure/textures.h"
#include "tuner/measure/unwritten.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint64_t instance_bytes(const struct job_case *job_case)
{
    uint64_t total = 0;
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *buffer = &job_case->buffers[i];
        uint64_t bytes = buffer->extent * buffer->layout->bytes;
        total += guarded_bytes(bytes) + (job_data_of(job_case, i) ? bytes : 0);
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        size_t buffer = job_case->checks[i].buffer;
        if (job_case->checks[i].below)
            continue;
        uint64_t arrays = steps_use_magnitude(&job_case->reference, buffer) ? 2 : 1;
        total +=
            arrays * sizeof(double) * job_case->buffers[buffer].extent * job_case->buffers[buffer].layout->leaf_count;
        if (job_case->checks[i].unordered)
            total += job_case->buffers[buffer].extent * job_case->buffers[buffer].layout->bytes;
    }
    return total;
}

uint64_t instance_job_bytes(const struct job *job)
{
    uint64_t bytes = instance_bytes(&job->cases[JOB_TUNED]);
    return job->has_awkward ? bytes + instance_bytes(&job->cases[JOB_AWKWARD]) : bytes;
}

/* ---- buffers ---- */

static bool fill_initial(struct validation_kernels *validation, const struct instance_buffer *buffer,
                         struct error *error)
{
    return validation_fill(validation, buffer->memory.address, instance_array(buffer), &buffer->filling, error);
}

static bool make_each(struct validation_kernels *validation, struct instance *instance, struct data_loading *loading,
                      uint64_t seed, struct error *error)
{
    const struct job_case *job_case = loading->job_case;
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *wanted = &job_case->buffers[i];
        const bool has_data = job_data_of(job_case, i);
        struct instance_buffer *buffer = &instance->buffers[i];
        buffer->layout = layout_copy(wanted->layout);
        if (!buffer->layout)
            return error_out_of_memory(error);
        buffer->name = strdup(wanted->name);
        if (!buffer->name)
            return error_out_of_memory(error);
        buffer->role = wanted->role;
        buffer->extent = wanted->extent;
        buffer->home = i;
        validation_place_guarded(validation, job_is_hosted(job_case, i), &buffer->memory);
        if (!filling_of_buffer(wanted, i, seed, &buffer->filling, error) ||
            !validation_resize_guarded(validation, instance_buffer_bytes(buffer), &buffer->memory, error) ||
            !fill_initial(validation, buffer, error) ||
            (has_data && !data_load_initial(validation, loading, i, buffer, error)))
            return false;
    }
    return true;
}

static bool make_buffers(struct validation_kernels *validation, struct instance *instance,
                         const struct job_case *job_case, uint64_t seed, struct error *error)
{
    struct data_loading loading = {.job_case = job_case};
    bool done = make_each(validation, instance, &loading, seed, error);
    data_load_end(&loading);
    return done;
}

/* One double per number, poisoned to detect those that the reference never writes. */
static bool make_expected(struct validation_kernels *validation, const struct instance_buffer *buffer,
                          uint64_t *address, struct error *error)
{
    struct filling poison = filling_poison();
    if (buffer->extent > SIZE_MAX / sizeof(double) / buffer->layout->leaf_count)
        return error_set(error, ERROR_DOES_NOT_FIT, "a reference of %" PRIu64 " elements does not fit in memory",
                         buffer->extent);
    const struct array array = {&scalar_layouts[ELEMENT_DOUBLE], instance_numbers(buffer)};
    size_t bytes = (array.extent ? (size_t)array.extent : 1) * sizeof(double);
    if (!validation->driver->allocate(validation->device, bytes, address, error)) {
        *address = 0;
        return false;
    }
    return validation_fill(validation, *address, array, &poison, error);
}

/* A buffer's results are put in order in memory of their own. */
static bool make_sorted(struct validation_kernels *validation, struct instance_buffer *buffer, struct error *error)
{
    size_t bytes = (size_t)(buffer->extent * buffer->layout->bytes);
    if (buffer->sorted || validation->driver->allocate(validation->device, bytes ? bytes : 1, &buffer->sorted, error))
        return true;
    buffer->sorted = 0;
    return false;
}

static bool make_all_expected(struct validation_kernels *validation, struct instance *instance,
                              const struct job_case *job_case, struct error *error)
{
    for (size_t i = 0; i < job_case->check_count; i++) {
        size_t index = job_case->checks[i].buffer;
        struct instance_buffer *buffer = &instance->buffers[index];
        assert(buffer->layout);
        if (job_case->checks[i].unordered && !make_sorted(validation, buffer, error))
            return false;
        if (buffer->reference || job_case->checks[i].below)
            continue;
        if (!make_expected(validation, buffer, &buffer->reference, error))
            return false;
        if (steps_use_magnitude(&job_case->reference, index) &&
            !make_expected(validation, buffer, &buffer->magnitude, error))
            return false;
        const struct job_data *expected = &job_case->checks[i].expected;
        if (expected->path && !data_load_expected(validation, expected, buffer, error))
            return false;
    }
    return true;
}

/* ---- instances ---- */

static bool fill_instance(struct validation_kernels *validation, struct program_cache *programs,
                          const struct job *job, struct instance *instance, struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    return make_buffers(validation, instance, job_case, job->seed, error) &&
           make_all_expected(validation, instance, job_case, error) &&
           template_sequences_run(validation, programs, job, instance, error) &&
           expected_check(validation, programs, job, instance, error) &&
           unwritten_check(validation, job_case, instance, error) &&
           template_sequences_checksum(validation, instance, &instance->checksum, error);
}

bool instance_create(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                     size_t which, struct instance **result, struct error *error)
{
    size_t count = job->cases[which].buffer_count;
    struct instance *instance = calloc(1, sizeof *instance);
    struct instance_buffer *buffers = calloc(count + 1, sizeof *buffers);
    struct instance_textures *textures = calloc(1, sizeof *textures);
    *result = NULL;
    if (!instance || !buffers || !textures) {
        free(instance);
        free(buffers);
        free(textures);
        return error_out_of_memory(error);
    }
    *instance = (struct instance){.reference_key = job->reference_key,
                                  .which = which,
                                  .buffers = buffers,
                                  .buffer_count = count,
                                  .textures = textures};
    if (!instance_grow_values(instance, job->name_count, error) ||
        !fill_instance(validation, programs, job, instance, error)) {
        instance_free(validation, instance);
        return false;
    }
    *result = instance;
    return true;
}

void instance_free(struct validation_kernels *validation, struct instance *instance)
{
    if (!instance)
        return;
    textures_clear(validation, instance->textures);
    free(instance->textures);
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        const uint64_t plain[] = {buffer->copy, buffer->reference, buffer->magnitude, buffer->sorted};
        for (size_t j = 0; j < sizeof plain / sizeof plain[0]; j++) {
            if (plain[j])
                validation->driver->release(validation->device, plain[j]);
        }
        validation_release_guarded(validation, &buffer->memory);
        free((void *)(uintptr_t)buffer->layout);
        free(buffer->name);
    }
    free(instance->values);
    free(instance->early);
    free(instance->found);
    free(instance->buffers);
    free(instance);
}

/* May it depend on the configuration? If setup or reference use it, the reference key says so. */
static bool may_differ(enum buffer_role role)
{
    return role == BUFFER_TEMP || role == BUFFER_SCRATCH;
}

bool instance_matches(const struct instance *instance, const struct job *job, size_t which)
{
    const struct job_case *job_case = &job->cases[which];
    if (instance->reference_key != job->reference_key || instance->which != which ||
        instance->buffer_count != job_case->buffer_count)
        return false;
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *wanted = &job_case->buffers[i];
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (!layout_equal(buffer->layout, wanted->layout) || buffer->role != wanted->role ||
            strcmp(buffer->name, wanted->name) != 0 ||
            (buffer->extent != wanted->extent && !may_differ(buffer->role)))
            return false;
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        const struct job_check *check = &job_case->checks[i];
        if (!check->below && !instance->buffers[check->buffer].reference)
            return false;
    }
    return true;
}

bool instance_fit(struct validation_kernels *validation, struct instance *instance, const struct job *job,
                  struct error *error)
{
    textures_clear(validation, instance->textures); /* they may be of a buffer that moves, or of no further use */
    instance_go_home(instance);
    if (!instance_grow_values(instance, job->name_count, error))
        return false;
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        const struct job_buffer *wanted = &job->cases[instance->which].buffers[i];
        const bool hosted = job_is_hosted(&job->cases[instance->which], i);
        if (buffer->role == BUFFER_SCRATCH && !filling_of_buffer(wanted, i, job->seed, &buffer->filling, error))
            return false;
        validation_place_guarded(validation, hosted, &buffer->memory);
        if (buffer->memory.allocation && buffer->extent == wanted->extent)
            continue;
        buffer->extent = wanted->extent;
        if (job_is_late(&job->cases[instance->which], i))
            validation_release_guarded(validation, &buffer->memory);
        validation_place_guarded(validation, hosted, &buffer->memory);
        if (!validation_resize_guarded(validation, instance_buffer_bytes(buffer), &buffer->memory, error))
            return false;
    }
    return true;
}

struct expected_values instance_expected(const struct instance *instance, const struct job_check *check)
{
    const struct instance_buffer *buffer = &instance->buffers[check->buffer];
    const struct layout *layout = buffer->layout;
    const struct check_range range = check_range(instance, check);
    uint64_t first = range.first, words = first * layout->leaf_count * sizeof(double);
    const struct array array = {layout, range.count};
    uint64_t offset = first * layout->bytes, written = buffer->memory.address + offset;
    return (struct expected_values){
        .first = first,
        .array = array,
        .numbers = array.extent * job_check_leaves(check, layout),
        .written = written,
        .actual = check->unordered ? buffer->sorted + offset : written,
        .reference = check->below ? 0 : buffer->reference + words,
        .magnitude = buffer->magnitude && !check->below ? buffer->magnitude + words : 0,
    };
}

void instance_number_text(const struct expected_values *values, const char *name, uint64_t number, char *text,
                          size_t size)
{
    const struct layout *layout = values->array.layout;
    layout_number_text(layout, name, values->first * layout->leaf_count + number, text, size);
}

bool instance_sort_expected(struct validation_kernels *validation, const struct instance *instance,
                            const struct job_case *job_case, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < job_case->check_count; i++) {
        struct expected_values values = instance_expected(instance, &job_case->checks[i]);
        if (job_case->checks[i].unordered)
            done = validation_sort(validation, values.reference, values.numbers, ELEMENT_DOUBLE, error);
    }
    return done;
}

bool instance_sort_actual(struct validation_kernels *validation, const struct instance *instance,
                          const struct job_check *check, struct error *error)
{
    struct expected_values values = instance_expected(instance, check);
    const struct layout *layout = values.array.layout;
    size_t bytes = (size_t)(values.array.extent * layout->bytes);
    return !check->unordered || bytes == 0 ||
           (validation->driver->copy(validation->device, values.actual, values.written, bytes, error) &&
            validation_sort(validation, values.actual, values.numbers, layout->leaves[0].element, error));
}

/* ---- between runs ---- */

bool instance_restore(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    instance_go_home(instance);
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (!role_is_restored(buffer->role))
            continue;
        bool queued = buffer->copy
                          ? validation->driver->copy(validation->device, buffer->memory.address, buffer->copy,
                                                     (size_t)instance_buffer_bytes(buffer), error)
                          : fill_initial(validation, buffer, error);
        if (!queued)
            return false;
    }
    return true;
}

/* What prepare has written must stay. */
static bool holds_results(const struct job_case *job_case, size_t buffer)
{
    return (steps_use_buffer(&job_case->finish, buffer) || steps_use_buffer(&job_case->verify, buffer)) &&
           !steps_use_buffer(&job_case->prepare, buffer);
}

/* Outputs have no initial value: filling them poisons them. */
bool instance_poison_outputs(struct validation_kernels *validation, const struct instance *instance,
                             const struct job_case *job_case, struct error *error)
{
    instance_go_home(instance);
    for (size_t i = 0; i < instance->buffer_count; i++) {
        enum buffer_role role = instance->buffers[i].role;
        bool poisoned = role == BUFFER_OUT || (role == BUFFER_TEMP && holds_results(job_case, i));
        if (poisoned && !fill_initial(validation, &instance->buffers[i], error))
            return false;
    }
    return true;
}

bool instance_reset(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    return instance_reset_otherwise(validation, instance, INSTANCE_NONE, error);
}

bool instance_blank_guards(struct validation_kernels *validation, const struct instance *instance, bool blank,
                           struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (!validation_blank_guards(validation, &instance->buffers[i].memory, blank, error))
            return false;
    }
    return true;
}

bool instance_reset_otherwise(struct validation_kernels *validation, const struct instance *instance, size_t place,
                              struct error *error)
{
    instance_go_home(instance);
    instance_forget_values(instance);
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        bool blank = place == INSTANCE_ALL || place == instance->buffer_count + i;
        buffer->other = place == i || place == INSTANCE_ALL;
        buffer->blank = blank;
        if (!validation_blank_guards(validation, &buffer->memory, blank, error))
            return false;
        if (!instance_has_poison(buffer))
            continue;
        struct filling filling = buffer->other ? filling_other_poison() : buffer->filling;
        if (!validation_fill(validation, buffer->memory.address, instance_array(buffer), &filling, error))
            return false;
    }
    return instance_restore(validation, instance, error);
}

bool instance_check_unchanged(struct validation_kernels *validation, const struct instance *instance, size_t index,
                              size_t report, struct error *error)
{
    const struct instance_buffer *buffer = &instance->buffers[index];
    if (buffer->copy)
        return validation_check_copy(validation, buffer->memory.address, buffer->copy, instance_array(buffer), report,
                                     error);
    return validation_check_initial(validation, buffer->memory.address, instance_array(buffer), &buffer->filling,
                                    report, error);
}

bool instance_intact(struct validation_kernels *validation, const struct instance *instance, bool *intact,
                     struct error *error)
{
    uint64_t checksum;
    if (!template_sequences_checksum(validation, instance, &checksum, error))
        return false;
    *intact = checksum == instance->checksum;
    return true;
}
