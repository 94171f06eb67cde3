/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/written.h"

static bool passes(const struct argument *arguments, size_t count, size_t buffer)
{
    for (size_t i = 0; i < count; i++) {
        const struct argument *argument = &arguments[i];
        if (argument->kind == ARGUMENT_COMPOUND ? passes(argument->parts, argument->part_count, buffer)
                                                : argument->kind != ARGUMENT_SCALAR && argument->buffer == buffer)
            return true;
    }
    return false;
}

static bool block_writes(const struct block *block, size_t buffer);

static bool statement_writes(const struct statement *statement, size_t buffer)
{
    switch (statement->kind) {
    case STATEMENT_LAUNCH:
        return passes(statement->arguments, statement->argument_count, buffer);
    case STATEMENT_COPY:
        return statement->other == buffer;
    case STATEMENT_FILL:
        return statement->buffer == buffer;
    case STATEMENT_SWAP:
        return statement->buffer == buffer || statement->other == buffer;
    case STATEMENT_FOR:
    case STATEMENT_REPEAT:
    case STATEMENT_IF:
        return block_writes(&statement->body, buffer) || block_writes(&statement->otherwise, buffer);
    case STATEMENT_LET:
    case STATEMENT_COPY_SYMBOL:
    case STATEMENT_WAIT:
    case STATEMENT_READ:
        break;
    }
    return false;
}

static bool block_writes(const struct block *block, size_t buffer)
{
    for (size_t i = 0; i < block->count; i++) {
        if (statement_writes(&block->statements[i], buffer))
            return true;
    }
    return false;
}

bool template_may_write(const struct template *template, size_t buffer)
{
    return block_writes(&template->prepare.body, buffer) || block_writes(&template->launch.body, buffer) ||
           block_writes(&template->finish.body, buffer) || block_writes(&template->verify.body, buffer);
}
