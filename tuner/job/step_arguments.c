/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_arguments.h"

#include "tuner/job/late.h"
#include "tuner/job/operand.h"
#include "tuner/job/scalar.h"
#include "tuner/job/texture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An argument, or a part of one, of the step that is lowered. */
struct arguments {
    const struct unrolling *unrolling;
    const struct statement *statement;
    struct job_step *step;
    size_t index; /* of the argument */
};

/* `formula`: what it is if it depends on counts. */
static bool lower_pointer(const struct arguments *arguments, const struct argument *argument,
                          struct job_formula formula, struct job_argument *result)
{
    const struct unrolling *unrolling = arguments->unrolling;
    const struct job_buffer *buffer = unrolling_buffer(unrolling, argument->buffer, argument->place, &result->buffer);
    int64_t offset;
    if (!buffer)
        return false;
    if (argument->kind != ARGUMENT_BUFFER)
        result->buffer = unrolling->results[argument->buffer];
    if (job_is_late(unrolling->now, result->buffer) && argument->offset)
        return operand_late(unrolling, arguments->statement, arguments->step, formula, argument->offset);
    if (!operand_integer(unrolling, arguments->statement, arguments->step, formula, argument->offset, 0, &offset))
        return false;
    if (offset < 0 || (uint64_t)offset > buffer->extent)
        return error_at(unrolling->lowering->error, ERROR_INPUT, argument->place,
                        "%s + %" PRId64 " is outside the buffer, which has %" PRIu64 " elements", buffer->name,
                        offset, buffer->extent);
    result->offset = (uint64_t)offset;
    return true;
}

/* A number whose type is not written has that of a value that it may have. */
static bool lower_late_scalar(const struct arguments *arguments, const struct argument *argument,
                              struct job_formula formula, struct job_argument *result)
{
    const struct lowering *lowering = arguments->unrolling->lowering;
    struct value trial;
    formula.element = argument->element;
    if (!operand_late(arguments->unrolling, arguments->statement, arguments->step, formula, argument->value) ||
        !late_trial(lowering, arguments->step, &trial))
        return false;
    result->element = argument->typed ? argument->element : scalar_default_type(trial);
    return true;
}

static bool lower_scalar(const struct arguments *arguments, const struct argument *argument,
                         struct job_formula formula, struct job_argument *result)
{
    const struct lowering *lowering = arguments->unrolling->lowering;
    struct value value;
    if (late_is(lowering, argument->value))
        return lower_late_scalar(arguments, argument, formula, result);
    if (!lowering_value(lowering, argument->value, &value))
        return false;
    result->element = argument->typed ? argument->element : scalar_default_type(value);
    return scalar_convert(value, result->element, argument->place, result->bytes, lowering->error);
}

/* The parts of a vector or struct: numbers go into its value, pointers are kept apart. */
static bool lower_parts(const struct arguments *arguments, const struct argument *argument,
                        struct job_compound *compound)
{
    for (size_t i = 0; i < argument->part_count; i++) {
        const struct argument *part = &argument->parts[i];
        struct job_argument lowered = {.kind = part->kind, .at = part->at};
        struct job_formula formula = {.use = FORMULA_PART, .index = arguments->index, .at = part->at};
        if (part->kind != ARGUMENT_SCALAR) {
            formula.use = FORMULA_POINTER;
            formula.at = compound->pointer_count;
            if (!lower_pointer(arguments, part, formula, &lowered))
                return false;
            compound->pointers[compound->pointer_count++] = lowered;
        } else {
            if (!lower_scalar(arguments, part, formula, &lowered))
                return false;
            memcpy(compound->value + part->at, lowered.bytes, element_types[part->element].bytes);
        }
    }
    return true;
}

static bool lower_compound(const struct arguments *arguments, const struct argument *argument,
                           struct job_argument *result)
{
    const struct unrolling *unrolling = arguments->unrolling;
    const struct layout *layout = argument->type->layout;
    if (layout->bytes > COMPOUND_BYTES_MOST)
        return error_at(unrolling->lowering->error, ERROR_INPUT, argument->place,
                        "%s has %zu bytes; the arguments of a kernel have at most %d", layout->name, layout->bytes,
                        COMPOUND_BYTES_MOST);
    struct job_compound *compound = result->compound = calloc(1, sizeof *compound);
    if (!compound)
        return lowering_out_of_memory(unrolling->lowering);
    compound->bytes = layout->bytes;
    compound->name = strdup(layout->name);
    compound->c_name = strdup(layout->c_name);
    compound->value = calloc(layout->bytes, 1);
    compound->pointers = calloc(argument->part_count + 1, sizeof *compound->pointers);
    if (!compound->name || !compound->c_name || !compound->value || !compound->pointers)
        return lowering_out_of_memory(unrolling->lowering);
    return lower_parts(arguments, argument, compound);
}

static bool lower_argument(const struct arguments *arguments, const struct argument *argument,
                           struct job_argument *result)
{
    const struct job_formula value = {.use = FORMULA_ARGUMENT, .index = arguments->index};
    const struct job_formula offset = {.use = FORMULA_OFFSET, .index = arguments->index};
    result->kind = argument->kind;
    switch (argument->kind) {
    case ARGUMENT_TEXTURE:
    case ARGUMENT_SURFACE:
        return texture_lower(arguments->unrolling, argument, result);
    case ARGUMENT_SCALAR:
        return lower_scalar(arguments, argument, value, result);
    case ARGUMENT_COMPOUND:
        return lower_compound(arguments, argument, result);
    default:
        return lower_pointer(arguments, argument, offset, result);
    }
}

bool step_arguments_lower(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    struct arguments arguments = {.unrolling = unrolling, .statement = statement, .step = step};
    step->arguments = calloc(statement->argument_count + 1, sizeof *step->arguments);
    if (!step->arguments)
        return lowering_out_of_memory(unrolling->lowering);
    for (arguments.index = 0; arguments.index < statement->argument_count; arguments.index++) {
        struct job_argument *result = &step->arguments[step->argument_count++];
        if (!lower_argument(&arguments, &statement->arguments[arguments.index], result))
            return false;
    }
    return true;
}
