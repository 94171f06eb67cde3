/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value.h - the values of the expression language: booleans, 64-bit integers, floats and strings.
 *
 * As in Python, 1 == 1.0 == True; integers and floats compare by their exact values, strings by their bytes. A string
 * belongs to the creator of the value; those of a parsed document live as long as the document.
 */
#ifndef TUNE_LANG_VALUE_H
#define TUNE_LANG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_UNSET = 0, VALUE_BOOLEAN, VALUE_INTEGER, VALUE_FLOAT, VALUE_STRING };

struct value {
    enum value_kind kind;
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *string;
    };
};

struct value value_boolean(bool boolean);
struct value value_integer(int64_t integer);
struct value value_float(double real);
struct value value_string(const char *string);

/* Python's ==; values that cannot be compared are unequal. */
bool value_equal(struct value a, struct value b);

/* Python's bool(): zero, 0.0, False and "" are false. */
bool value_truth(struct value value);

/* "bool", "int", "float", "str" or "unset", for messages. */
const char *value_kind_name(enum value_kind kind);

/*
 * Write the value as the language reads it (true, 16, 0.5, "joint") into `size` bytes; returns the full length, as
 * snprintf does. Floats have the fewest digits that read back equal.
 */
size_t value_text(struct value value, char *buffer, size_t size);

#endif
