/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_kernel.h"

#include "tuner/error/text_stream.h"
#include "tuner/job/program.h"
#include "tuner/source/kernel_name.h"

#include <inttypes.h>
#include <stdlib.h>

static bool refuse_float(const struct lowering *lowering, const struct expr *expr, double value)
{
    error_at(lowering->error, ERROR_INPUT, expr_place(expr), "a template argument cannot be the float %g", value);
    return error_hint(lowering->error, "write // or int(...) for a whole number; C++17 has no others");
}

static bool write_value(const struct lowering *lowering, const struct expr *expr, FILE *stream)
{
    struct value value;
    if (!lowering_value(lowering, expr, &value))
        return false;
    switch (value.kind) {
    case VALUE_BOOLEAN:
        fputs(value.boolean ? "true" : "false", stream);
        return true;
    case VALUE_INTEGER:
        if (value.integer == INT64_MIN)
            fprintf(stream, "-%" PRId64 "LL - 1", INT64_MAX);
        else
            fprintf(stream, "%" PRId64 "%s", value.integer, llabs(value.integer) > INT32_MAX ? "LL" : "");
        return true;
    case VALUE_STRING:
        if (kernel_name_is_argument(value.string)) {
            fputs(value.string, stream);
            return true;
        }
        error_at(lowering->error, ERROR_INPUT, expr_place(expr), "\"%.100s\" is no template argument", value.string);
        return error_hint(lowering->error, "a C++ type or constant, with its brackets closed");
    case VALUE_FLOAT:
        return refuse_float(lowering, expr, value.real);
    case VALUE_UNSET:
        break;
    }
    return error_at(lowering->error, ERROR_INPUT, expr_place(expr), "this template argument has no value");
}

static bool write_name(const struct lowering *lowering, const struct statement *statement, FILE *stream)
{
    fputs(statement->name, stream);
    if (!statement->is_template)
        return true;
    fputs("<", stream);
    for (size_t i = 0; i < statement->template_argument_count; i++) {
        const struct template_argument *argument = &statement->template_arguments[i];
        fputs(i ? ", " : "", stream);
        if (argument->text)
            fputs(argument->text, stream);
        else if (!write_value(lowering, argument->value, stream))
            return false;
    }
    fputs(">", stream);
    return true;
}

bool step_kernel_lower(const struct unrolling *unrolling, const struct statement *statement, const char *before,
                       struct job_step *step)
{
    struct job_program *program = unrolling->program;
    struct text_stream stream;
    if (!text_stream_open(&stream, unrolling->lowering->error))
        return false;
    fputs(before, stream.out);
    if (!write_name(unrolling->lowering, statement, stream.out)) {
        text_stream_discard(&stream);
        return false;
    }
    char *name = text_stream_close(&stream, unrolling->lowering->error);
    bool done = name && (program_name(&program->kernels, &program->kernel_count, name, &step->kernel) ||
                         lowering_out_of_memory(unrolling->lowering));
    free(name);
    return done;
}
