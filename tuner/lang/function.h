/* SPDX-License-Identifier: Apache-2.0 */
/*
 * function.h - the functions of the language, one table.
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

enum { FUNCTION_ARGUMENTS = 3 }; /* of all but min and max */

struct function_entry {
    const char *name;
    unsigned least, most; /* arguments; most 0: any number */
    bool gives_list;
    bool takes_list; /* one list in place of several arguments */
    /* NULL for min, max and the lists, which the evaluator knows */
    bool (*apply)(const struct value *arguments, struct place place, struct value *result, struct error *error);
};

extern const struct function_entry functions[FUNCTION_COUNT];

bool function_find(const char *name, size_t length, enum function *function);

#endif
