/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/steps.h"

#include "tuner/job/program.h"
#include "tuner/job/scalar.h"
#include "tuner/space/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct unrolling {
    const struct lowering *lowering;
    const struct job_case *now;
    const size_t *results;
    struct job_program *program;
    size_t *names;     /* names[i]: the buffer that the i-th name means here */
    bool makes_inputs; /* the setup may write to `in` buffers */
    size_t spent;      /* statements carried out */
};

struct step_list {
    struct job_step *steps;
    size_t count, capacity;
};

static struct error *error_of(const struct unrolling *unrolling)
{
    return unrolling->lowering->error;
}

static const struct job_buffer *meant(const struct unrolling *unrolling, size_t name, size_t *buffer)
{
    *buffer = unrolling->names[name];
    return &unrolling->now->buffers[*buffer];
}

/* A new step at the end of the list, all zero; NULL when out of memory. */
static struct job_step *append(const struct unrolling *unrolling, struct step_list *list, enum job_step_kind kind)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        struct job_step *steps = realloc(list->steps, capacity * sizeof *steps);
        if (!steps) {
            lowering_out_of_memory(unrolling->lowering);
            return NULL;
        }
        list->steps = steps;
        list->capacity = capacity;
    }
    struct job_step *step = &list->steps[list->count++];
    memset(step, 0, sizeof *step);
    step->kind = kind;
    return step;
}

/* --- launches --- */

static bool limit_dimension(const struct unrolling *unrolling, const struct statement *statement, struct place place,
                            const char *what, int64_t need, int64_t limit)
{
    if (need < 1)
        return error_at(error_of(unrolling), ERROR_INPUT, place, "kernel %s: %s is %" PRId64 ", must be at least 1",
                        statement->name, what, need);
    if (need > UINT32_MAX || (limit > 0 && need > limit))
        return error_at(error_of(unrolling), ERROR_RESOURCES, place,
                        "kernel %s: %s is %" PRId64 ", the device's limit is %" PRId64, statement->name, what, need,
                        limit > 0 ? limit : (int64_t)UINT32_MAX);
    return true;
}

static bool lower_dimensions(const struct unrolling *unrolling, const struct statement *statement,
                             const struct expr *const exprs[3], const char *const names[3], const int64_t limits[3],
                             struct dimensions *dimensions)
{
    int64_t values[3];
    for (size_t i = 0; i < 3; i++) {
        struct place place = exprs[i] ? expr_place(exprs[i]) : statement->place;
        if (!lowering_integer(unrolling->lowering, exprs[i], 1, &values[i]) ||
            !limit_dimension(unrolling, statement, place, names[i], values[i], limits[i]))
            return false;
    }
    *dimensions = (struct dimensions){(uint32_t)values[0], (uint32_t)values[1], (uint32_t)values[2]};
    return true;
}

static bool lower_grid(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    static const char *const names[] = {"the grid's x", "the grid's y", "the grid's z"};
    const struct device_description *device = unrolling->lowering->device;
    const int64_t limits[] = {device->max_grid_x, device->max_grid_y, device->max_grid_z};
    return lower_dimensions(unrolling, statement, statement->grid, names, limits, &step->grid);
}

static bool lower_threads(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    static const char *const names[] = {"the block's x", "the block's y", "the block's z"};
    const struct device_description *device = unrolling->lowering->device;
    const int64_t limits[] = {device->max_block_x, device->max_block_y, device->max_block_z};
    if (!lower_dimensions(unrolling, statement, statement->block, names, limits, &step->block))
        return false;
    struct dimensions block = step->block;
    double threads = (double)block.x * block.y * block.z; /* three 32-bit numbers may overflow 64 bits */
    if (device->max_threads_per_block > 0 && threads > (double)device->max_threads_per_block)
        return error_at(error_of(unrolling), ERROR_RESOURCES,
                        statement->block[0] ? expr_place(statement->block[0]) : statement->place,
                        "kernel %s: a block has %.0f threads (%u x %u x %u), the device's limit is %" PRId64,
                        statement->name, threads, block.x, block.y, block.z, device->max_threads_per_block);
    return true;
}

static bool lower_shared(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    int64_t shared, limit = unrolling->lowering->device->max_shared_per_block_optin;
    if (!lowering_integer(unrolling->lowering, statement->shared, 0, &shared))
        return false;
    if (shared < 0)
        return error_at(error_of(unrolling), ERROR_INPUT, expr_place(statement->shared),
                        "kernel %s: the dynamic shared memory is %" PRId64 " bytes", statement->name, shared);
    if (limit > 0 && shared > limit)
        return error_at(error_of(unrolling), ERROR_RESOURCES, expr_place(statement->shared),
                        "kernel %s: a block needs %" PRId64 " bytes of dynamic shared memory, the device's limit is "
                        "%" PRId64,
                        statement->name, shared, limit);
    step->shared = (uint64_t)shared;
    return true;
}

static bool lower_pointer(const struct unrolling *unrolling, const struct argument *argument,
                          struct job_argument *result)
{
    const struct job_buffer *buffer = meant(unrolling, argument->buffer, &result->buffer);
    int64_t offset;
    if (argument->kind != ARGUMENT_BUFFER)
        result->buffer = unrolling->results[argument->buffer];
    if (!lowering_integer(unrolling->lowering, argument->offset, 0, &offset))
        return false;
    if (offset < 0 || (uint64_t)offset > buffer->extent)
        return error_at(error_of(unrolling), ERROR_INPUT, argument->place,
                        "%s + %" PRId64 " is outside the buffer, which has %" PRIu64 " elements", buffer->name,
                        offset, buffer->extent);
    result->offset = (uint64_t)offset;
    return true;
}

static bool lower_scalar(const struct unrolling *unrolling, const struct argument *argument,
                         struct job_argument *result)
{
    struct value value;
    if (!lowering_value(unrolling->lowering, argument->value, &value))
        return false;
    result->element = argument->typed ? argument->element : scalar_default_type(value);
    return scalar_convert(value, result->element, argument->place, result->bytes, error_of(unrolling));
}

static bool lower_arguments(const struct unrolling *unrolling, const struct statement *statement,
                            struct job_step *step)
{
    step->arguments = calloc(statement->argument_count + 1, sizeof *step->arguments);
    if (!step->arguments)
        return lowering_out_of_memory(unrolling->lowering);
    for (size_t i = 0; i < statement->argument_count; i++) {
        const struct argument *argument = &statement->arguments[i];
        struct job_argument *result = &step->arguments[step->argument_count++];
        result->kind = argument->kind;
        if (argument->kind == ARGUMENT_SCALAR ? !lower_scalar(unrolling, argument, result)
                                              : !lower_pointer(unrolling, argument, result))
            return false;
    }
    return true;
}

static bool lower_launch(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_program *program = unrolling->program;
    struct job_step *step = append(unrolling, list, STEP_LAUNCH);
    if (!step)
        return false;
    if (!program_name(&program->kernels, &program->kernel_count, statement->name, &step->kernel))
        return lowering_out_of_memory(unrolling->lowering);
    return lower_grid(unrolling, statement, step) && lower_threads(unrolling, statement, step) &&
           lower_shared(unrolling, statement, step) && lower_arguments(unrolling, statement, step);
}

/* --- copies and fills --- */

static bool may_write(const struct unrolling *unrolling, const struct statement *statement,
                      const struct job_buffer *buffer)
{
    if (buffer->role != BUFFER_IN || unrolling->makes_inputs)
        return true;
    error_at(error_of(unrolling), ERROR_INPUT, statement->place, "buffer %s is an input and must stay unchanged",
             buffer->name);
    return error_hint(error_of(unrolling), "declare it inout or temp, or write it in setup");
}

/* The elements [first, last) of the source. */
static bool lower_range(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    const struct job_buffer *source = meant(unrolling, statement->buffer, &step->source);
    int64_t first, last;
    if (!lowering_integer(unrolling->lowering, statement->first, 0, &first) ||
        !lowering_integer(unrolling->lowering, statement->last, (int64_t)source->extent, &last))
        return false;
    if (first < 0 || last < first || (uint64_t)last > source->extent)
        return error_at(error_of(unrolling), ERROR_INPUT, statement->place,
                        "%s[%" PRId64 " : %" PRId64 "] is no range of the buffer, which has %" PRIu64 " elements",
                        source->name, first, last, source->extent);
    step->first = (uint64_t)first;
    step->count = (uint64_t)(last - first);
    return true;
}

static bool lower_target(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    const struct job_buffer *target = meant(unrolling, statement->other, &step->target);
    int64_t at;
    if (!may_write(unrolling, statement, target) || !lowering_integer(unrolling->lowering, statement->at, 0, &at))
        return false;
    if (at < 0 || (uint64_t)at > target->extent || step->count > target->extent - (uint64_t)at)
        return error_at(error_of(unrolling), ERROR_INPUT, statement->place,
                        "%" PRIu64 " elements from %s[%" PRId64 "] on are outside the buffer, which has %" PRIu64
                        " elements",
                        step->count, target->name, at, target->extent);
    uint64_t from = step->first, to = (uint64_t)at;
    if (step->target == step->source && from < to + step->count && to < from + step->count)
        return error_at(error_of(unrolling), ERROR_INPUT, statement->place,
                        "the copy within buffer %s writes to elements that it reads", target->name);
    step->target_first = to;
    return true;
}

/* A copy of nothing is no step. */
static void drop_empty(struct step_list *list)
{
    if (list->steps[list->count - 1].count == 0)
        list->count--;
}

static bool lower_copy_symbol(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_program *program = unrolling->program;
    struct job_step *step = append(unrolling, list, STEP_COPY_SYMBOL);
    if (!step)
        return false;
    if (!program_name(&program->symbols, &program->symbol_count, statement->name, &step->symbol))
        return lowering_out_of_memory(unrolling->lowering);
    if (!lower_range(unrolling, statement, step))
        return false;
    drop_empty(list);
    return true;
}

static bool lower_copy(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = append(unrolling, list, STEP_COPY);
    if (!step || !lower_range(unrolling, statement, step) || !lower_target(unrolling, statement, step))
        return false;
    drop_empty(list);
    return true;
}

static bool lower_fill(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = append(unrolling, list, STEP_FILL);
    struct value value;
    if (!step)
        return false;
    const struct job_buffer *target = meant(unrolling, statement->buffer, &step->target);
    return may_write(unrolling, statement, target) && lowering_value(unrolling->lowering, statement->value, &value) &&
           scalar_convert(value, target->element, expr_place(statement->value), step->bytes, error_of(unrolling));
}

/* --- control --- */

static bool lower_block(struct unrolling *unrolling, const struct block *block, struct step_list *list);

static bool spend(struct unrolling *unrolling, const struct statement *statement)
{
    if (++unrolling->spent <= STEPS_LIMIT)
        return true;
    error_at(error_of(unrolling), ERROR_INPUT, statement->place, "the sequence has more than %d steps", STEPS_LIMIT);
    return error_hint(error_of(unrolling), "its loops are carried out step by step; do more in one launch");
}

static bool lower_let(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    (void)list;
    return lowering_value(unrolling->lowering, statement->value, &unrolling->lowering->slots[statement->slot]);
}

static bool lower_for(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    struct value *values = NULL;
    size_t count;
    if (!expr_list(statement->value, lowering->slots, &values, &count, lowering->error))
        return slots_blame(lowering->template, lowering->space, statement->value, lowering->slots, lowering->error);
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        lowering->slots[statement->slot] = values[i];
        done = spend(unrolling, statement) && lower_block(unrolling, &statement->body, list);
    }
    lowering->slots[statement->slot] = (struct value){.kind = VALUE_UNSET};
    free(values);
    return done;
}

static bool lower_if(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    bool truth;
    return lowering_truth(unrolling->lowering, statement->value, true, &truth) &&
           lower_block(unrolling, truth ? &statement->body : &statement->otherwise, list);
}

static bool lower_swap(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    (void)list;
    size_t a, b;
    const struct job_buffer *first = meant(unrolling, statement->buffer, &a);
    const struct job_buffer *second = meant(unrolling, statement->other, &b);
    if (first->extent != second->extent)
        return error_at(error_of(unrolling), ERROR_INPUT, statement->place,
                        "buffers %s and %s cannot be swapped: they have %" PRIu64 " and %" PRIu64 " elements",
                        first->name, second->name, first->extent, second->extent);
    if (!may_write(unrolling, statement, first) || !may_write(unrolling, statement, second))
        return false;
    unrolling->names[statement->buffer] = b;
    unrolling->names[statement->other] = a;
    return true;
}

static bool lower_round(struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    size_t bytes = unrolling->now->buffer_count * sizeof *unrolling->names;
    size_t *before = malloc(bytes + 1);
    if (!before)
        return lowering_out_of_memory(unrolling->lowering);
    memcpy(before, unrolling->names, bytes);
    struct step_list body = {0};
    bool done = lower_block(unrolling, &statement->body, &body);
    step->body = body.steps;
    step->body_count = body.count;
    if (done && memcmp(before, unrolling->names, bytes) != 0)
        done = error_at(error_of(unrolling), ERROR_INPUT, statement->place,
                        "a round of repeat leaves buffers swapped; the swaps in it must cancel out");
    free(before);
    return done;
}

static bool lower_repeat(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    int64_t rounds;
    size_t target;
    const struct job_buffer *flag = meant(unrolling, statement->buffer, &target);
    if (!lowering_integer(unrolling->lowering, statement->value, 0, &rounds))
        return false;
    if (rounds < 0)
        return error_at(error_of(unrolling), ERROR_INPUT, expr_place(statement->value), "repeat %" PRId64 " times",
                        rounds);
    if (flag->extent == 0)
        return error_at(error_of(unrolling), ERROR_INPUT, statement->place, "buffer %s has no element to ask",
                        flag->name);
    struct job_step *step = append(unrolling, list, STEP_REPEAT);
    if (!step)
        return false;
    step->target = target;
    step->rounds = (uint64_t)rounds;
    return lower_round(unrolling, statement, step);
}

typedef bool statement_lowering(struct unrolling *, const struct statement *, struct step_list *);

static statement_lowering *const lowerings[] = {
    [STATEMENT_LET] = lower_let,   [STATEMENT_LAUNCH] = lower_launch, [STATEMENT_COPY_SYMBOL] = lower_copy_symbol,
    [STATEMENT_COPY] = lower_copy, [STATEMENT_FILL] = lower_fill,     [STATEMENT_SWAP] = lower_swap,
    [STATEMENT_FOR] = lower_for,   [STATEMENT_IF] = lower_if,         [STATEMENT_REPEAT] = lower_repeat,
};

static bool lower_block(struct unrolling *unrolling, const struct block *block, struct step_list *list)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        if (!spend(unrolling, statement) || !lowerings[statement->kind](unrolling, statement, list))
            return false;
    }
    return true;
}

static const struct statement *last_swap(const struct block *block)
{
    const struct statement *last = NULL;
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        const struct statement *inner = last_swap(&statement->body);
        const struct statement *otherwise = last_swap(&statement->otherwise);
        if (statement->kind == STATEMENT_SWAP)
            last = statement;
        else if (inner || otherwise)
            last = otherwise ? otherwise : inner;
    }
    return last;
}

static bool check_swapped(const struct unrolling *unrolling, const struct sequence *sequence)
{
    for (size_t i = 0; i < unrolling->now->buffer_count; i++) {
        if (unrolling->names[i] == i)
            continue;
        const struct statement *swap = last_swap(&sequence->body);
        error_at(error_of(unrolling), ERROR_INPUT, swap->place, "the sequence leaves buffer %s swapped with %s",
                 unrolling->now->buffers[i].name, unrolling->now->buffers[unrolling->names[i]].name);
        return error_hint(error_of(unrolling), "only the launches may; here the swaps must cancel out");
    }
    return true;
}

bool steps_lower(const struct lowering *lowering, const struct sequence *sequence, const struct job_case *now,
                 const size_t *results, struct job_program *program, size_t *swapped, struct job_steps *steps)
{
    size_t *names = malloc((now->buffer_count + 1) * sizeof *names);
    if (!names)
        return lowering_out_of_memory(lowering);
    for (size_t i = 0; i < now->buffer_count; i++)
        names[i] = i;
    struct unrolling unrolling = {.lowering = lowering,
                                  .now = now,
                                  .results = results,
                                  .program = program,
                                  .names = names,
                                  .makes_inputs = sequence == &lowering->template->setup};
    struct step_list list = {0};
    bool done = lower_block(&unrolling, &sequence->body, &list) && (swapped || check_swapped(&unrolling, sequence));
    if (swapped)
        memcpy(swapped, names, now->buffer_count * sizeof *names);
    steps->steps = list.steps;
    steps->count = list.count;
    free(names);
    return done;
}
