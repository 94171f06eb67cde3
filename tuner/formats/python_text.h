/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_text.h - expressions of Kernel Tuner and T1 files in tune's language.
 *
 * Both languages have Python's expressions, so most pass unchanged. What differs is how names are reached:
 *   lambda p: p["block_size_x"] <= 1024      becomes  block_size_x <= 1024
 *   lambda block_size_x: block_size_x <= 64  becomes  block_size_x <= 64
 *   math.ceil(x), np.ceil(x)                 becomes  ceil(x)
 *   ProblemSize[0]                           becomes  the name of the first size
 *   max(filter_width), in an argument's size becomes  the largest value of that parameter
 * Everything else is left to the parser of expressions, which gives places in the result.
 */
#ifndef TUNE_FORMATS_PYTHON_TEXT_H
#define TUNE_FORMATS_PYTHON_TEXT_H

#include "tuner/error/error.h"
#include "tuner/lang/arena.h"
#include "tuner/lang/value.h"

/* A parameter as expressions may refer to it. */
struct python_parameter {
    const char *name;
    const struct value *values;
    size_t count;
    struct value fixed; /* replaces the name; VALUE_UNSET: the name is kept */
};

struct python_names {
    const struct python_parameter *parameters;
    size_t parameter_count;
    const char *const *sizes; /* of ProblemSize[i] */
    size_t size_count;
    bool extremes; /* max(NAME) and min(NAME) are taken over the parameter's values */
};

/* The text in tune's language, on one line, in the arena. NULL after an error: a lambda of another form, or an index
 * of ProblemSize out of range. `where` names the text in errors. */
char *python_text(struct arena *arena, const char *text, const struct python_names *names, const char *where,
                  struct error *error);

#endif
