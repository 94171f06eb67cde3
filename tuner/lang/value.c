/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/value.h"
#include "tuner/lang/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value value_boolean(bool boolean)
{
    return (struct value){.kind = VALUE_BOOLEAN, .boolean = boolean};
}

struct value value_integer(int64_t integer)
{
    return (struct value){.kind = VALUE_INTEGER, .integer = integer};
}

struct value value_float(double real)
{
    return (struct value){.kind = VALUE_FLOAT, .real = real};
}

struct value value_string(const char *string)
{
    return (struct value){.kind = VALUE_STRING, .string = string};
}

bool value_equal(struct value a, struct value b)
{
    return arithmetic_order(a, b) == ORDER_EQUAL;
}

bool value_truth(struct value value)
{
    switch (value.kind) {
    case VALUE_BOOLEAN:
        return value.boolean;
    case VALUE_INTEGER:
        return value.integer != 0;
    case VALUE_FLOAT:
        return value.real != 0;
    case VALUE_STRING:
        return value.string[0] != '\0';
    case VALUE_UNSET:
        break;
    }
    return false;
}

const char *value_kind_name(enum value_kind kind)
{
    static const char *const names[] = {
        [VALUE_UNSET] = "unset", [VALUE_BOOLEAN] = "bool", [VALUE_INTEGER] = "int",
        [VALUE_FLOAT] = "float", [VALUE_STRING] = "str",
    };
    return names[kind];
}

/* The shortest of %.1g .. %.17g that reads back equal; 17 digits always do. */
static size_t float_text(double real, char *buffer, size_t size)
{
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, real);
        if (strtod(digits, NULL) == real)
            break;
    }
    bool marked = strpbrk(digits, ".en") != NULL; /* n: inf, nan */
    return (size_t)snprintf(buffer, size, "%s%s", digits, marked ? "" : ".0");
}

/* A buffer that keeps counting when it is full. */
struct sink {
    char *buffer;
    size_t size, length;
};

static void put(struct sink *sink, char c)
{
    if (sink->length + 1 < sink->size)
        sink->buffer[sink->length] = c;
    sink->length++;
}

static size_t string_text(const char *string, char *buffer, size_t size)
{
    static const char plain[] = "\"\\\n\r\t", escaped[] = "\"\\nrt";
    struct sink sink = {buffer, size, 0};
    put(&sink, '"');
    for (const char *c = string; *c; c++) {
        const char *special = strchr(plain, *c);
        if (special)
            put(&sink, '\\');
        put(&sink, special ? escaped[special - plain] : *c);
    }
    put(&sink, '"');
    if (size)
        buffer[sink.length < size ? sink.length : size - 1] = '\0';
    return sink.length;
}

size_t value_text(struct value value, char *buffer, size_t size)
{
    switch (value.kind) {
    case VALUE_BOOLEAN:
        return (size_t)snprintf(buffer, size, "%s", value.boolean ? "true" : "false");
    case VALUE_INTEGER:
        return (size_t)snprintf(buffer, size, "%" PRId64, value.integer);
    case VALUE_FLOAT:
        return float_text(value.real, buffer, size);
    case VALUE_STRING:
        return string_text(value.string, buffer, size);
    case VALUE_UNSET:
        break;
    }
    return (size_t)snprintf(buffer, size, "unset");
}
