/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/steps.h"

#include "tuner/measure/instance_run.h"
#include "tuner/measure/late_step.h"
#include "tuner/measure/launching.h"
#include "tuner/measure/streams.h"
#include "tuner/measure/textures.h"

#include <string.h>

/* A sequence that runs. */
struct running {
    struct validation_kernels *validation;
    const struct program *program;
    const struct instance *instance;
    uint32_t streams;        /* of all its steps */
    struct stopwatch *watch; /* times its pieces; NULL: nobody does */
};

struct stopwatch {
    bool runs;
    double nanoseconds;
};

/* A piece begins: nothing of it runs before all of it is queued. */
static bool begin_piece(const struct running *running, struct error *error)
{
    const struct device_driver *driver = running->validation->driver;
    struct device *device = running->validation->device;
    if (!running->watch || running->watch->runs)
        return true;
    running->watch->runs = true;
    return (!driver->blocking_kernel || driver->blocking_kernel(device, error)) && driver->start(device, error) &&
           streams_fork(driver, device, running->streams, error);
}

/* The host is about to wait for the device. */
static bool end_piece(const struct running *running, struct error *error)
{
    const struct device_driver *driver = running->validation->driver;
    struct device *device = running->validation->device;
    double nanoseconds;
    if (!running->watch || !running->watch->runs)
        return true;
    running->watch->runs = false;
    if (!streams_join(driver, device, running->streams, error) || !driver->stop(device, &nanoseconds, error))
        return false;
    running->watch->nanoseconds += nanoseconds;
    return true;
}

/* ---- copies and fills ---- */

static bool copy_symbol(struct validation_kernels *validation, const struct program *program,
                        const struct job_step *step, const struct instance *instance, struct error *error)
{
    if (step->symbol >= program->symbol_count)
        return error_set(error, ERROR_WORK, "a copy refers to symbol %zu of %zu", step->symbol,
                         program->symbol_count);
    const struct symbol *symbol = &program->symbols[step->symbol];
    const struct instance_buffer *source = &instance->buffers[step->source];
    uint64_t size = source->layout->bytes;
    uint64_t bytes = step->count * size, at = step->target_first * size;
    if (at + bytes > symbol->bytes)
        return error_set(error, ERROR_RESOURCES, "a copy of %llu bytes exceeds its symbol of %zu bytes",
                         (unsigned long long)(at + bytes), symbol->bytes);
    return validation->driver->copy(validation->device, symbol->address + at,
                                    source->memory.address + step->first * size, (size_t)bytes, error);
}

static bool copy(struct validation_kernels *validation, const struct job_step *step, const struct instance *instance,
                 struct error *error)
{
    const struct instance_buffer *source = &instance->buffers[step->source];
    const struct instance_buffer *target = &instance->buffers[step->target];
    uint64_t size = source->layout->bytes;
    return validation->driver->copy(validation->device, target->memory.address + step->target_first * size,
                                    source->memory.address + step->first * size, (size_t)(step->count * size), error);
}

static bool fill(struct validation_kernels *validation, const struct job_step *step, const struct instance *instance,
                 struct error *error)
{
    const struct instance_buffer *target = &instance->buffers[step->target];
    const enum element element = target->layout->leaves[0].element;
    size_t size = element_types[element].bytes;
    bool even = true;
    for (size_t i = 1; i < size; i++)
        even = even && step->bytes[i] == step->bytes[0];
    if (even) /* usually zeros: the device's own fill is faster than a kernel */
        return validation->driver->fill(validation->device, target->memory.address, step->bytes[0],
                                        (size_t)(target->extent * target->layout->bytes), error);
    uint64_t bits = 0;
    memcpy(&bits, step->bytes, size);
    struct filling filling = filling_of_bits(bits);
    return validation_fill(validation, target->memory.address, instance_array(target), &filling, error);
}

/* ---- counts ---- */

/* The integer that `bytes` little-endian bytes of a type are; false: it does not fit 64 bits with a sign. */
static bool integer_of(uint64_t bits, const struct element_type *type, int64_t *integer)
{
    unsigned unused = (unsigned)(64 - 8 * type->bytes);
    *integer = type->is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
    return type->is_signed || bits <= INT64_MAX;
}

/* Whatever the value is: a kernel that is right has written it. */
static bool check_count(const struct job_step *step, const struct instance_buffer *buffer, uint64_t bits,
                        struct value *value, struct error *error)
{
    const enum element element = buffer->layout->leaves[0].element;
    const struct element_type *type = &element_types[element];
    const char *name = step->late->name;
    const unsigned long long at = step->first, most = step->count;
    int64_t count;
    bool fits = integer_of(bits, type, &count);
    bool within = fits && count >= 0 && (uint64_t)count <= step->count;
    if (instance_has_poison(buffer) && filling_is_poison(element, bits) && (type->bytes >= 4 || !within))
        error_set(error, ERROR_INPUT, "%s is read from %s[%llu], which nothing has written", name, buffer->name, at);
    else if (fits && count < 0)
        error_set(error, ERROR_INPUT, "%s is %lld, read from %s[%llu]; a count is not negative", name,
                  (long long)count, buffer->name, at);
    else if (!within)
        error_set(error, ERROR_INPUT, "%s is %llu, read from %s[%llu]; it is declared to be at most %llu", name,
                  (unsigned long long)bits, buffer->name, at, most);
    else {
        *value = value_integer(count);
        return true;
    }
    return late_step_locate(step, error);
}

/* Read a count back, once all that was queued before has run. */
static bool read_count(const struct running *running, const struct job_step *step, struct error *error)
{
    const struct device_driver *driver = running->validation->driver;
    struct device *device = running->validation->device;
    const struct instance_buffer *buffer = &running->instance->buffers[step->target];
    const size_t bytes = buffer->layout->bytes;
    uint64_t bits = 0;
    return streams_join(driver, device, running->streams, error) && end_piece(running, error) &&
           driver->download(device, &bits, buffer->memory.address + step->first * bytes, bytes, error) &&
           check_count(step, buffer, bits, &running->instance->values[step->late->slot], error);
}

static bool set_name(const struct running *running, const struct job_step *step, struct error *error)
{
    struct value value;
    if (!step->late || !late_step_value(step, running->instance, &value, error))
        return false;
    running->instance->values[step->late->slot] = value;
    return true;
}

/* ---- loops and conditions ---- */

static bool run(const struct running *running, const struct job_step *steps, size_t count, struct error *error);

static bool run_body(const struct running *running, const struct job_step *step, struct error *error)
{
    return run(running, step->body, step->body_count, error);
}

/* Does the flag go on? Ignores the sign of floating-point numbers: -0.0 is 0 as well. */
static bool read_flag(const struct running *running, const struct job_step *step, uint32_t streams, bool *goes_on,
                      struct error *error)
{
    const struct device_driver *driver = running->validation->driver;
    struct device *device = running->validation->device;
    const struct instance_buffer *flag = &running->instance->buffers[step->target];
    const struct element_type *type = &element_types[flag->layout->leaves[0].element];
    uint64_t value = 0;
    if (flag->extent == 0)
        return error_set(error, ERROR_INPUT, "buffer %s is empty and cannot be a condition", flag->name);
    if (!streams_join(driver, device, streams, error) || !end_piece(running, error) ||
        !driver->download(device, &value, flag->memory.address, type->bytes, error))
        return false;
    if (type->floating)
        value &= UINT64_MAX >> (65 - 8 * type->bytes);
    *goes_on = value != 0;
    return true;
}

/* If it has a name for it. */
static void number_round(const struct running *running, const struct job_step *step, uint64_t round)
{
    if (step->late && step->late->name)
        running->instance->values[step->late->slot] = value_integer((int64_t)round);
}

static bool repeat(const struct running *running, const struct job_step *step, struct error *error)
{
    uint32_t streams = streams_of(running->validation->driver, step->body, step->body_count);
    bool goes_on = true;
    for (uint64_t round = 0; goes_on && round < step->rounds; round++) {
        number_round(running, step, round);
        if (!run_body(running, step, error) || !read_flag(running, step, streams, &goes_on, error))
            return false;
    }
    return true;
}

static bool repeat_while(const struct running *running, const struct job_step *step, struct error *error)
{
    bool goes_on = true;
    for (uint64_t round = 0; goes_on && round < step->rounds; round++) {
        number_round(running, step, round);
        if (!run_body(running, step, error) || !late_step_truth(step, running->instance, &goes_on, error))
            return false;
    }
    return true;
}

static bool run_range(const struct running *running, const struct job_step *step, struct error *error)
{
    struct late_range range;
    if (!late_step_range(step, running->instance, &range, error))
        return false;
    for (uint64_t i = 0; i < range.count; i++) {
        running->instance->values[step->late->slot] = value_integer(range.first + (int64_t)i * range.stride);
        if (!run_body(running, step, error))
            return false;
    }
    return true;
}

static bool run_branch(const struct running *running, const struct job_step *step, struct error *error)
{
    bool truth;
    return late_step_truth(step, running->instance, &truth, error) &&
           (truth ? run_body(running, step, error) : run(running, step->otherwise, step->otherwise_count, error));
}

/* ---- all steps ---- */

/* A step whose numbers are known. */
static bool run_known(const struct running *running, const struct job_step *step, struct error *error)
{
    struct validation_kernels *validation = running->validation;
    const struct instance *instance = running->instance;
    switch (step->kind) {
    case STEP_LAUNCH:
        return launching_queue(validation, running->program, step, instance, error);
    case STEP_COPY_SYMBOL:
        return copy_symbol(validation, running->program, step, instance, error);
    case STEP_COPY:
        return copy(validation, step, instance, error);
    case STEP_FILL:
        return fill(validation, step, instance, error);
    case STEP_REPEAT:
        return repeat(running, step, error);
    case STEP_WHILE:
        return repeat_while(running, step, error);
    case STEP_WAIT:
        return true; /* a device that runs everything in order */
    case STEP_READ:
        return read_count(running, step, error);
    case STEP_LET:
        return set_name(running, step, error);
    case STEP_IF:
        return run_branch(running, step, error);
    case STEP_FOR:
        return run_range(running, step, error);
    case STEP_SWAP:
        instance_swap(instance, step->target, step->source);
        return true;
    case STEP_ALLOCATE:
        return late_step_allocate(validation, step, instance, error);
    }
    return error_set(error, ERROR_WORK, "unknown step %d", (int)step->kind);
}

static bool run_step(const struct running *running, const struct job_step *step, struct error *error)
{
    struct job_step now;
    if (!step->late)
        return run_known(running, step, error);
    bool done = late_step_resolve(running->validation, running->program, step, running->instance, &now, error) &&
                run_known(running, &now, error);
    late_step_release(step, &now);
    return done;
}

/* A step in a stream of its own; the current stream is the main one before and after it. */
static bool run_aside(const struct running *running, const struct job_step *step, struct error *error)
{
    const struct device_driver *driver = running->validation->driver;
    struct device *device = running->validation->device;
    if (step->kind == STEP_WAIT)
        return driver->wait(device, 1u << step->stream, 1u << step->awaited, error);
    bool done = driver->use_stream(device, step->stream, error) && run_step(running, step, error);
    return driver->use_stream(device, 0, done ? error : NULL) && done;
}

/* Does the device do something for it, at once? */
static bool is_queued(enum job_step_kind kind)
{
    return kind == STEP_LAUNCH || kind == STEP_COPY || kind == STEP_COPY_SYMBOL || kind == STEP_FILL;
}

static bool run(const struct running *running, const struct job_step *steps, size_t count, struct error *error)
{
    bool has_streams = running->validation->driver->use_stream != NULL;
    for (size_t i = 0; i < count; i++) {
        bool aside = has_streams && (steps[i].stream > 0 || steps[i].kind == STEP_WAIT);
        if (is_queued(steps[i].kind) && !begin_piece(running, error))
            return false;
        if (aside ? !run_aside(running, &steps[i], error) : !run_step(running, &steps[i], error))
            return false;
    }
    return true;
}

bool steps_queue(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
                 const struct instance *instance, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    const struct running running = {validation, program, instance, streams_of(driver, steps->steps, steps->count),
                                    NULL};
    return streams_fork(driver, validation->device, running.streams, error) &&
           run(&running, steps->steps, steps->count, error) &&
           streams_join(driver, validation->device, running.streams, error);
}

bool steps_queue_in_pieces(struct validation_kernels *validation, const struct program *program,
                           const struct job_steps *steps, const struct instance *instance, double *nanoseconds,
                           struct error *error)
{
    struct stopwatch watch = {0};
    const struct running running = {validation, program, instance,
                                    streams_of(validation->driver, steps->steps, steps->count), &watch};
    bool done = run(&running, steps->steps, steps->count, error) && end_piece(&running, error);
    *nanoseconds = watch.nanoseconds;
    return done;
}

bool steps_begin(struct validation_kernels *validation, const struct job_steps *steps,
                 const struct instance *instance, struct error *error)
{
    return textures_fill(validation, steps->steps, steps->count, instance, error);
}

bool steps_end(struct validation_kernels *validation, const struct job_steps *steps, const struct instance *instance,
               struct error *error)
{
    return textures_drain(validation, steps->steps, steps->count, instance, error);
}

bool steps_run(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
               const struct instance *instance, struct error *error)
{
    return steps_begin(validation, steps, instance, error) &&
           steps_queue(validation, program, steps, instance, error) && steps_end(validation, steps, instance, error);
}

bool steps_prepare(struct validation_kernels *validation, const struct program *program, const struct job_case *one,
                   const struct instance *instance, struct error *error)
{
    bool done = steps_run(validation, program, &one->prepare, instance, error);
    instance_settle(instance);
    return done;
}
