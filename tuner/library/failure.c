/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/failure.h"

#include "tuner/error/utf8.h"

#include <stdarg.h>
#include <string.h>

const char *tune_code_name(enum tune_code code)
{
    static const char *const names[] = {
        [TUNE_OK] = "ok",
        [TUNE_ERROR_ARGUMENT] = "argument",
        [TUNE_ERROR_INPUT] = "input",
        [TUNE_ERROR_DATABASE] = "database",
        [TUNE_ERROR_COMPILE] = "compile",
        [TUNE_ERROR_DEVICE] = "device",
        [TUNE_ERROR_MEMORY] = "memory",
        [TUNE_ERROR_UNVALIDATED] = "unvalidated",
        [TUNE_ERROR_CAPTURING] = "capturing",
        [TUNE_ERROR_SYSTEM] = "system",
    };
    return (size_t)code < sizeof names / sizeof *names ? names[code] : "unknown";
}

static enum tune_code code_of(enum error_code code)
{
    switch (code) {
    case ERROR_INPUT:
        return TUNE_ERROR_INPUT;
    case ERROR_WORK:
    case ERROR_FAULT:
    case ERROR_DEVICE:
        return TUNE_ERROR_DEVICE;
    case ERROR_RESOURCES:
        return TUNE_ERROR_COMPILE;
    case ERROR_OUT_OF_MEMORY:
    case ERROR_DOES_NOT_FIT:
        return TUNE_ERROR_MEMORY;
    case ERROR_NONE:
    case ERROR_SYSTEM:
    case ERROR_MESSAGE:
        break;
    }
    return TUNE_ERROR_SYSTEM;
}

_Static_assert(sizeof((struct tune_error *)0)->text >= sizeof((struct error *)0)->text, "texts must fit");
_Static_assert(sizeof((struct tune_error *)0)->hint >= sizeof((struct error *)0)->hint, "hints must fit");
_Static_assert(sizeof((struct tune_error *)0)->file >= sizeof((struct error *)0)->file, "paths must fit");

enum tune_code failure_as(enum tune_code code, const struct error *own, struct tune_error *error)
{
    if (own->code == ERROR_OUT_OF_MEMORY)
        code = TUNE_ERROR_MEMORY;
    if (!error)
        return code;
    *error = (struct tune_error){.code = code, .line = own->line, .column = own->column};
    strcpy(error->text, own->text);
    strcpy(error->hint, own->hint);
    strcpy(error->file, own->file);
    return code;
}

enum tune_code failure_of(const struct error *own, struct tune_error *error)
{
    return failure_as(code_of(own->code), own, error);
}

enum tune_code failure_argument(struct tune_error *error, const char *format, ...)
{
    if (!error)
        return TUNE_ERROR_ARGUMENT;
    va_list arguments;
    *error = (struct tune_error){.code = TUNE_ERROR_ARGUMENT};
    va_start(arguments, format);
    int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->text)
        utf8_drop_cut(error->text);
    return error->code;
}

enum tune_code failure_out_of_memory(struct tune_error *error)
{
    struct error own;
    error_out_of_memory(&own);
    return failure_of(&own, error);
}
