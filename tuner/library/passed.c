/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/passed.h"

#include <stdlib.h>
#include <string.h>

/* ---- what blocks mention ---- */

static bool argument_mentions(const struct argument *argument, size_t buffer)
{
    for (size_t i = 0; i < argument->part_count; i++) {
        if (argument_mentions(&argument->parts[i], buffer))
            return true;
    }
    switch (argument->kind) {
    case ARGUMENT_BUFFER:
    case ARGUMENT_TEXTURE:
    case ARGUMENT_SURFACE:
        return argument->buffer == buffer;
    default:
        return false;
    }
}

static bool statement_mentions(const struct statement *statement, size_t buffer)
{
    switch (statement->kind) {
    case STATEMENT_LAUNCH:
        for (size_t i = 0; i < statement->argument_count; i++) {
            if (argument_mentions(&statement->arguments[i], buffer))
                return true;
        }
        return false;
    case STATEMENT_COPY:
    case STATEMENT_SWAP:
        return statement->buffer == buffer || statement->other == buffer;
    case STATEMENT_COPY_SYMBOL:
    case STATEMENT_FILL:
    case STATEMENT_READ:
        return statement->buffer == buffer;
    case STATEMENT_REPEAT:
        return !statement->condition && statement->buffer == buffer;
    default:
        return false;
    }
}

static bool mentions(const struct block *block, size_t buffer)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        if (statement_mentions(statement, buffer) || mentions(&statement->body, buffer) ||
            mentions(&statement->otherwise, buffer))
            return true;
    }
    return false;
}

static bool is_launched_with(const struct template *template, size_t buffer)
{
    return mentions(&template->prepare.body, buffer) || mentions(&template->launch.body, buffer) ||
           mentions(&template->finish.body, buffer);
}

/* ---- roles ---- */

bool passed_is(const struct template *template, size_t buffer, enum tune_role *role)
{
    if (!is_launched_with(template, buffer))
        return false;
    switch (template->buffers[buffer].role) {
    case BUFFER_IN:
        *role = TUNE_IN;
        return true;
    case BUFFER_INOUT:
        *role = TUNE_INOUT;
        return true;
    case BUFFER_OUT:
        *role = TUNE_OUT;
        return true;
    default: /* its verify block judges it */
        *role = TUNE_OUT;
        return mentions(&template->verify.body, buffer);
    }
}

static bool place(const struct job_case *one, struct passed *passed, size_t index, struct error *error)
{
    struct passed_buffer *own = &passed->list[index];
    const struct job_buffer *buffer = &one->buffers[own->buffer];
    own->result = own->role == TUNE_IN ? own->buffer : job_holder(one, own->buffer);
    own->memory = own->role == TUNE_OUT ? own->result : own->buffer;
    if (__builtin_mul_overflow(buffer->extent, (uint64_t)buffer->layout->bytes, &own->bytes))
        return error_set(error, ERROR_DOES_NOT_FIT, "buffer %s does not fit in memory", buffer->name);
    own->alignment = buffer->layout->alignment;
    if (own->alignment < PASSED_VECTOR && own->bytes >= PASSED_VECTOR)
        own->alignment = PASSED_VECTOR;
    if (job_is_late(one, own->buffer)) {
        error_set(error, ERROR_INPUT, "the size of buffer %s depends on data, so a program cannot pass it",
                  buffer->name);
        return false;
    }
    if (passed->of[own->memory] != PASSED_NONE)
        return error_set(error, ERROR_INPUT, "the launches leave buffers %s and %s swapped, which a program passes",
                         buffer->name, one->buffers[passed->list[passed->of[own->memory]].buffer].name);
    passed->of[own->memory] = index;
    return true;
}

bool passed_find(const struct template *template, const struct job_case *one, struct passed *passed,
                 struct error *error)
{
    *passed = (struct passed){0};
    passed->list = calloc(one->buffer_count + 1, sizeof *passed->list);
    passed->of = malloc((one->buffer_count + 1) * sizeof *passed->of);
    if (!passed->list || !passed->of)
        return error_out_of_memory(error);
    for (size_t i = 0; i < one->buffer_count; i++)
        passed->of[i] = PASSED_NONE;
    for (size_t i = 0; i < one->buffer_count; i++) {
        struct passed_buffer *next = &passed->list[passed->count];
        next->buffer = i;
        if (passed_is(template, i, &next->role) && !place(one, passed, passed->count++, error))
            return false;
    }
    for (size_t i = 0; i < passed->count; i++) { /* what is copied back must be found in memory of the kernel's own */
        const struct passed_buffer *own = &passed->list[i];
        if (own->result != own->memory && passed->of[own->result] != PASSED_NONE)
            return error_set(error, ERROR_INPUT,
                             "the launches leave buffers %s and %s swapped, which a program passes",
                             one->buffers[own->buffer].name, one->buffers[own->result].name);
    }
    return true;
}

void passed_clear(struct passed *passed)
{
    free(passed->list);
    free(passed->of);
    *passed = (struct passed){0};
}
