/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/plan.h"

#include "tuner/device/host_part.h"
#include "tuner/measure/launching.h"
#include "tuner/measure/step_use.h"

#include <stdlib.h>
#include <string.h>

/* Room for values, which are as well aligned as any: of an argument in one, unless it is compound. */
union slot {
    unsigned char bytes[16];
    uint64_t words[2];
};
enum { WORD = sizeof((union slot *)0)->words[0] };

/* What a launch may pass: the parameters of a kernel have 4 KB, on recent devices more, which plans leave alone. */
enum { SLOTS_MOST = 4096 / sizeof(union slot) };
enum { SLOTS_FEW = 32 };

/* An address: of the kernel's own memory, or in a buffer of the program's. */
struct target {
    size_t passed; /* PASSED_NONE: `offset` is the address itself */
    uint64_t offset;
};

/* Where in a launch's values an address of the program's goes. */
struct relocation {
    size_t word;
    struct target target;
};

struct plan_launch {
    struct device_kernel *kernel;
    struct launch_shape shape;
    union slot *slots; /* the values of all arguments, but for the relocations; with these and the places behind it */
    size_t slot_count;
    struct relocation *relocations;
    size_t relocation_count;
    uint16_t *places; /* the slot that each argument begins in */
    size_t count;
};

struct plan_step {
    enum job_step_kind kind; /* launch, copy or fill */
    struct plan_launch launch;
    struct target to, from; /* copy; fill: to */
    size_t bytes;
    unsigned char byte;
};

struct plan {
    const struct device_guest *guest;
    struct device *device;
    bool at_once; /* it is one launch, of few slots, and the device can do that */
    size_t count;
    struct plan_step steps[];
};

/* ---- is it flat? ---- */

static bool has_texture(const struct job_step *step)
{
    for (size_t i = 0; i < step->argument_count; i++) {
        if (step->arguments[i].kind == ARGUMENT_TEXTURE || step->arguments[i].kind == ARGUMENT_SURFACE)
            return true;
    }
    return false;
}

static size_t argument_slots(const struct job_argument *argument)
{
    return argument->kind == ARGUMENT_COMPOUND
               ? (argument->compound->bytes + sizeof(union slot) - 1) / sizeof(union slot)
               : 1;
}

static bool has_pointers_at_words(const struct job_argument *argument)
{
    for (size_t i = 0; argument->kind == ARGUMENT_COMPOUND && i < argument->compound->pointer_count; i++) {
        if (argument->compound->pointers[i].at % WORD != 0)
            return false;
    }
    return true;
}

static bool fits(const struct job_step *step)
{
    size_t slots = 0;
    for (size_t i = 0; i < step->argument_count; i++) {
        slots += argument_slots(&step->arguments[i]);
        if (!has_pointers_at_words(&step->arguments[i]))
            return false;
    }
    return slots <= SLOTS_MOST && step->argument_count <= SLOTS_MOST;
}

static bool is_flat(const struct plan_parts *parts, const struct job_step *step)
{
    const struct code *code = parts->code;
    const bool streams = code->attached->driver->use_stream != NULL;
    if (step->late || (streams && step->stream > 0))
        return false;
    switch (step->kind) {
    case STEP_LAUNCH:
        return !has_texture(step) && fits(step) &&
               !(streams && host_kernel_name(code->job->program.kernels[step->kernel]));
    case STEP_COPY:
    case STEP_COPY_SYMBOL:
        return true;
    case STEP_FILL:
        return code_fills_bytes(step, code_case(code)->buffers[step->target].layout);
    case STEP_WAIT:
        return !streams;
    default:
        return false;
    }
}

static bool begins_with_bytes(const struct plan_parts *parts, const struct job_steps *steps)
{
    const struct job_case *one = code_case(parts->code);
    unsigned char byte;
    for (size_t i = 0; i < one->buffer_count; i++) {
        if (one->buffers[i].role == BUFFER_SCRATCH && steps_use_buffer(steps, i) &&
            !code_begins_with_bytes(&one->buffers[i], &byte))
            return false;
    }
    return true;
}

static bool has_late_buffer(const struct plan_parts *parts, const struct job_steps *steps)
{
    const struct job_case *one = code_case(parts->code);
    for (size_t i = 0; i < one->buffer_count; i++) {
        if (job_is_late(one, i) && steps_use_buffer(steps, i))
            return true;
    }
    return false;
}

static bool all_flat(const struct plan_parts *parts, const struct job_steps *steps, bool begins)
{
    if (has_late_buffer(parts, steps))
        return false;
    for (size_t i = 0; i < steps->count; i++) {
        if (!is_flat(parts, &steps->steps[i]))
            return false;
    }
    return !begins || begins_with_bytes(parts, steps);
}

/* ---- making ---- */

static struct target target_of(const struct plan_parts *parts, size_t buffer, uint64_t elements)
{
    const struct instance_buffer *own = &parts->instance->buffers[buffer];
    const size_t passed = parts->passed->of[buffer];
    const uint64_t offset = elements * own->layout->bytes;
    return (struct target){passed, passed == PASSED_NONE ? own->memory.address + offset : offset};
}

/* Write an address, or note that it comes with the call. */
static void set_address(const struct plan_parts *parts, struct plan_launch *launch, size_t word,
                        const struct job_argument *argument)
{
    const struct target target = target_of(parts, argument->buffer, argument->offset);
    if (target.passed == PASSED_NONE)
        launch->slots[word / 2].words[word % 2] = target.offset;
    else
        launch->relocations[launch->relocation_count++] = (struct relocation){word, target};
}

static void set_argument(const struct plan_parts *parts, struct plan_launch *launch,
                         const struct job_argument *argument)
{
    const size_t at = launch->slot_count;
    launch->places[launch->count++] = (uint16_t)at;
    launch->slot_count += argument_slots(argument);
    if (argument->kind == ARGUMENT_SCALAR) {
        memcpy(&launch->slots[at], argument->bytes, sizeof argument->bytes);
    } else if (argument->kind == ARGUMENT_COMPOUND) {
        const struct job_compound *compound = argument->compound;
        memcpy(&launch->slots[at], compound->value, compound->bytes);
        for (size_t i = 0; i < compound->pointer_count; i++)
            set_address(parts, launch, 2 * at + compound->pointers[i].at / WORD, &compound->pointers[i]);
    } else {
        set_address(parts, launch, 2 * at, argument);
    }
}

static bool add_launch(const struct plan_parts *parts, const struct job_step *step, struct plan_step *added,
                       struct error *error)
{
    struct plan_launch *launch = &added->launch;
    size_t slots = 0, pointers = 0;
    for (size_t i = 0; i < step->argument_count; i++) {
        const struct job_argument *argument = &step->arguments[i];
        slots += argument_slots(argument);
        pointers += argument->kind == ARGUMENT_COMPOUND ? argument->compound->pointer_count : 1;
    }
    launch->kernel = parts->code->program.kernels[step->kernel];
    launch->shape = launching_shape(step);
    launch->slots = calloc(1, slots * sizeof *launch->slots + pointers * sizeof *launch->relocations +
                                  step->argument_count * sizeof *launch->places + 1);
    if (!launch->slots)
        return error_out_of_memory(error);
    launch->relocations = (struct relocation *)(launch->slots + slots);
    launch->places = (uint16_t *)(launch->relocations + pointers);
    for (size_t i = 0; i < step->argument_count; i++)
        set_argument(parts, launch, &step->arguments[i]);
    return true;
}

static bool add_symbol(const struct plan_parts *parts, const struct job_step *step, struct plan_step *added,
                       struct error *error)
{
    const struct symbol *symbol = &parts->code->program.symbols[step->symbol];
    const size_t size = parts->instance->buffers[step->source].layout->bytes;
    const uint64_t at = step->target_first * size;
    added->kind = STEP_COPY;
    added->bytes = (size_t)step->count * size;
    added->to = (struct target){PASSED_NONE, symbol->address + at};
    added->from = target_of(parts, step->source, step->first);
    return at + added->bytes <= symbol->bytes ||
           error_set(error, ERROR_RESOURCES, "a copy of %llu bytes exceeds its symbol of %zu bytes",
                     (unsigned long long)(at + added->bytes), symbol->bytes);
}

/* Drivers refuse to do nothing. */
static bool is_empty(const struct plan_parts *parts, const struct job_step *step)
{
    return step->kind == STEP_FILL ? instance_buffer_bytes(&parts->instance->buffers[step->target]) == 0
                                   : step->kind != STEP_LAUNCH && step->count == 0;
}

static bool add(const struct plan_parts *parts, struct plan *plan, const struct job_step *step, struct error *error)
{
    struct plan_step *added = &plan->steps[plan->count];
    if (step->kind == STEP_WAIT || is_empty(parts, step))
        return true;
    plan->count++;
    added->kind = step->kind;
    switch (step->kind) {
    case STEP_LAUNCH:
        return add_launch(parts, step, added, error);
    case STEP_COPY_SYMBOL:
        return add_symbol(parts, step, added, error);
    case STEP_COPY:
        added->to = target_of(parts, step->target, step->target_first);
        added->from = target_of(parts, step->source, step->first);
        added->bytes = (size_t)(step->count * parts->instance->buffers[step->source].layout->bytes);
        return true;
    default:
        added->to = target_of(parts, step->target, 0);
        added->bytes = (size_t)instance_buffer_bytes(&parts->instance->buffers[step->target]);
        added->byte = step->bytes[0];
        return true;
    }
}

static void add_beginnings(const struct plan_parts *parts, const struct job_steps *steps, struct plan *plan)
{
    const struct job_case *one = code_case(parts->code);
    for (size_t i = 0; i < one->buffer_count; i++) {
        unsigned char byte;
        if (one->buffers[i].role == BUFFER_SCRATCH && one->buffers[i].extent > 0 && steps_use_buffer(steps, i) &&
            code_begins_with_bytes(&one->buffers[i], &byte))
            plan->steps[plan->count++] =
                (struct plan_step){.kind = STEP_FILL,
                                   .to = target_of(parts, i, 0),
                                   .bytes = (size_t)instance_buffer_bytes(&parts->instance->buffers[i]),
                                   .byte = byte};
    }
}

static void add_ends(const struct plan_parts *parts, struct plan *plan)
{
    for (size_t i = 0; i < parts->passed->count; i++) {
        const struct passed_buffer *own = &parts->passed->list[i];
        if (own->result != own->memory)
            plan->steps[plan->count++] = (struct plan_step){.kind = STEP_COPY,
                                                            .to = target_of(parts, own->memory, 0),
                                                            .from = target_of(parts, own->result, 0),
                                                            .bytes = (size_t)own->bytes};
    }
}

bool plan_make(const struct plan_parts *parts, const struct job_steps *steps, bool begins, bool ends,
               struct plan **result, struct error *error)
{
    const size_t most = steps->count + parts->instance->buffer_count + parts->passed->count;
    *result = NULL;
    if (!all_flat(parts, steps, begins))
        return true;
    struct plan *plan = calloc(1, sizeof *plan + most * sizeof *plan->steps);
    if (!plan)
        return error_out_of_memory(error);
    plan->guest = parts->code->attached->driver->guest;
    plan->device = parts->code->attached->device;
    if (begins)
        add_beginnings(parts, steps, plan);
    for (size_t i = 0; i < steps->count; i++) {
        if (!add(parts, plan, &steps->steps[i], error)) {
            plan_free(plan);
            return false;
        }
    }
    if (ends)
        add_ends(parts, plan);
    plan->at_once = plan->guest->launch_at_once && plan->count == 1 && plan->steps[0].kind == STEP_LAUNCH &&
                    plan->steps[0].launch.slot_count <= SLOTS_FEW;
    *result = plan;
    return true;
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->count; i++)
        free(plan->steps[i].launch.slots);
    free(plan);
}

/* ---- queueing ---- */

static uint64_t address_of(const struct target *target, const struct tune_buffer *buffers)
{
    return target->passed == PASSED_NONE ? target->offset
                                         : (uint64_t)(uintptr_t)buffers[target->passed].address + target->offset;
}

static void fill_in(const struct plan_launch *launch, const struct tune_buffer *buffers, union slot *slots,
                    void **pointers)
{
    for (size_t i = 0; i < launch->slot_count; i++)
        slots[i] = launch->slots[i];
    for (size_t i = 0; i < launch->relocation_count; i++) {
        const size_t word = launch->relocations[i].word;
        slots[word / 2].words[word % 2] = address_of(&launch->relocations[i].target, buffers);
    }
    for (size_t i = 0; i < launch->count; i++)
        pointers[i] = &slots[launch->places[i]];
}

static bool queue_launch(const struct plan *plan, const struct plan_launch *launch, void *stream,
                         const struct tune_buffer *buffers, struct error *error)
{
    _Alignas(ALIGNMENT_LIMIT) union slot slots[SLOTS_MOST];
    void *pointers[SLOTS_MOST];
    fill_in(launch, buffers, slots, pointers);
    return plan->guest->launch(plan->device, stream, launch->kernel, &launch->shape, pointers, launch->count, error);
}

bool plan_queue(const struct plan *plan, void *stream, const struct tune_buffer *buffers, struct error *error)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        bool done = step->kind == STEP_LAUNCH ? queue_launch(plan, &step->launch, stream, buffers, error)
                    : step->kind == STEP_COPY
                        ? plan->guest->copy(plan->device, stream, address_of(&step->to, buffers),
                                            address_of(&step->from, buffers), step->bytes, error)
                        : plan->guest->fill(plan->device, stream, address_of(&step->to, buffers), step->byte,
                                            step->bytes, error);
        if (!done)
            return false;
    }
    return true;
}

bool plan_queue_at_once(const struct plan *plan, void *stream, const struct tune_buffer *buffers)
{
    const struct plan_launch *launch = &plan->steps[0].launch;
    _Alignas(ALIGNMENT_LIMIT) union slot slots[SLOTS_FEW];
    void *pointers[SLOTS_FEW];
    if (!plan->at_once)
        return false;
    fill_in(launch, buffers, slots, pointers);
    return plan->guest->launch_at_once(plan->device, stream, launch->kernel, &launch->shape, pointers);
}
