/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/literal.h"

#include <inttypes.h>

/* The least integer has no literal of its own. */
static void write_integer(FILE *stream, int64_t integer)
{
    if (integer == INT64_MIN)
        fprintf(stream, "(-%" PRId64 "LL - 1)", INT64_MAX);
    else if (integer < -INT32_MAX || integer > INT32_MAX)
        fprintf(stream, integer < 0 ? "(%" PRId64 "LL)" : "%" PRId64 "LL", integer);
    else
        fprintf(stream, integer < 0 ? "(%" PRId64 ")" : "%" PRId64, integer);
}

void literal_write(FILE *stream, struct value value)
{
    char text[64];
    if (value.kind == VALUE_BOOLEAN)
        write_integer(stream, value.boolean);
    else if (value.kind == VALUE_INTEGER)
        write_integer(stream, value.integer);
    else if (value.kind == VALUE_FLOAT) {
        value_text(value, text, sizeof text);
        fprintf(stream, value.real < 0 ? "(%s)" : "%s", text);
    }
}
