/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *t1_format(struct t1 *t1, struct error *error, const char *format, ...)
{
    char *text = NULL, *copy = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        copy = arena_string(&t1->arena, text, (size_t)length);
        free(text);
    }
    if (!copy)
        error_out_of_memory(error);
    return copy;
}

void t1_clear(struct t1 *t1)
{
    for (size_t i = 0; i < t1->parameter_count; i++)
        free(t1->parameters[i].values);
    t1_source_clear(&t1->source);
    text_stream_discard(&t1->notes);
    arena_free(&t1->arena);
    *t1 = (struct t1){0};
}

bool t1_has_parameter(const struct t1 *t1, const char *name)
{
    for (size_t i = 0; i < t1->parameter_count; i++) {
        if (strcmp(t1->parameters[i].name, name) == 0)
            return true;
    }
    return false;
}

bool t1_may_ignore(const struct t1 *t1, const struct error *error)
{
    return t1->foreign && error->code == ERROR_INPUT;
}

bool t1_is_output(const struct t1_argument *argument)
{
    return argument->name && argument->access != T1_READ && !argument->ignored;
}

bool t1_is_passed(const struct t1_argument *argument)
{
    return argument->memory == T1_VECTOR || argument->memory == T1_SCALAR;
}

bool t1_has_tolerance(const struct t1_argument *argument)
{
    return element_types[argument->element].floating &&
           (argument->answer.relative > 0 || argument->answer.absolute > 0);
}

bool t1_has_outputs(const struct t1 *t1)
{
    for (size_t i = 0; i < t1->argument_count; i++) {
        if (t1_is_output(&t1->arguments[i]))
            return true;
    }
    return false;
}
