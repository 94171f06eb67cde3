/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_write.h - expressions of templates and spaces in Python, over the parameters alone.
 *
 * Whatever reads no parameter becomes its value, lets are replaced by their definitions, and functions that Python
 * lacks are spelled out. An expression that is already Python over parameters is copied as written.
 */
#ifndef TUNE_FORMATS_PYTHON_WRITE_H
#define TUNE_FORMATS_PYTHON_WRITE_H

#include "tuner/lang/space.h"

struct python_scope {
    const struct template *template;
    const struct space *space;
    const struct value *slots;                  /* of a valid configuration: values of sizes and device fields */
    const struct let_declaration *const *extra; /* lets of blocks */
    size_t extra_count;
};

/* Errors: something that Python or T1 cannot express. */
bool python_write(FILE *out, const struct expr *expr, const struct python_scope *scope, struct error *error);

/* The value of an expression that reads no parameter, not even through a let; false if it reads one. */
bool python_constant(const struct expr *expr, const struct python_scope *scope, struct value *value);

#endif
