/* SPDX-License-Identifier: Apache-2.0 */
/*
 * function.h - the table of the language's functions.
 */
#ifndef TUNE_LANG_FUNCTION_H
#define TUNE_LANG_FUNCTION_H

#include "tuner/error/error.h"
#include "tuner/lang/value.h"

enum function {
    FUNCTION_MIN,
    FUNCTION_MAX,
    FUNCTION_ABS,
    FUNCTION_CEIL,
    FUNCTION_FLOOR,
    FUNCTION_ROUND,
    FUNCTION_SQRT,
    FUNCTION_LOG2,
    FUNCTION_INT,
    FUNCTION_FLOAT,
    FUNCTION_CEIL_DIV,
    FUNCTION_ROUND_UP,
    FUNCTION_GAMMA,
    FUNCTION_SUM_ERROR,
    FUNCTION_POW2,  /* a list */
    FUNCTION_RANGE, /* a list */
    FUNCTION_LIST,  /* a list */
    FUNCTION_COUNT,
};

enum { FUNCTION_ARGUMENTS = 3 }; /* at most, except for min and max */

struct function_entry {
    const char *name;
    unsigned least, most; /* number of arguments; most = 0: no limit */
    bool gives_list;
    bool takes_list; /* a single argument must be a list */
    /* NULL for min, max and the functions that give lists: the evaluator implements those */
    bool (*apply)(const struct value *arguments, struct place place, struct value *result, struct error *error);
};

extern const struct function_entry functions[FUNCTION_COUNT];

bool function_find(const char *name, size_t length, enum function *function);

#endif
