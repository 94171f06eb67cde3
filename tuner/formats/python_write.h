/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_write.h - expressions of templates and spaces as Python's, in terms of the parameters alone.
 *
 * What reads no parameter becomes its value; lets become what they stand for; the functions that Python lacks become
 * what they mean. An expression that is Python's already, of parameters alone, stays as it is written.
 */
#ifndef TUNE_FORMATS_PYTHON_WRITE_H
#define TUNE_FORMATS_PYTHON_WRITE_H

#include "tuner/lang/space.h"

struct python_scope {
    const struct template *template;
    const struct space *space;
    const struct value *slots;                  /* a valid configuration's: sizes and device fields are read there */
    const struct let_declaration *const *extra; /* lets of a block */
    size_t extra_count;
};

/* Write it. False: it reads a name that has no place here, or needs too much; the error says so. */
bool python_write(FILE *out, const struct expr *expr, const struct python_scope *scope, struct error *error);

/* The value of an expression that reads no parameter, not even through a let; false if it reads one. */
bool python_constant(const struct expr *expr, const struct python_scope *scope, struct value *value);

#endif
