/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_expressions.h - names and expressions of a T1 file as those of tune's language.
 */
#ifndef TUNE_FORMATS_T1_EXPRESSIONS_H
#define TUNE_FORMATS_T1_EXPRESSIONS_H

#include "tuner/formats/python_text.h"
#include "tuner/formats/t1_parts.h"

/* Letters, digits and underscores, not beginning with a digit. */
bool t1_is_plain_name(const char *text);

/* A name with every other character replaced by _. */
char *t1_identifier(struct t1 *t1, const char *name, struct error *error);

/* Whether a declaration may take the name: not reserved by the language, not a parameter, size or argument. False:
 * out of memory. */
bool t1_name_is_free(struct t1 *t1, const char *name, bool *is_free, struct error *error);

/* The identifier of `wanted`, with underscores appended until it is free. */
const char *t1_free_name(struct t1 *t1, const char *wanted, struct error *error);

/* What python_text needs to know of the file. The parameters stand for themselves, or with `fixed` each for its
 * value. False: out of memory. */
bool t1_names(struct t1 *t1, const struct value *fixed, struct python_names *names, struct error *error);

/* A single value: the text of a T1 expression in tune's language, known to parse. `where` is its place, for errors.
 */
bool t1_expression(struct t1 *t1, const char *text, const struct python_names *names, const char *where,
                   const char **result, struct error *error);

/*
 * A list of constants. As in Kernel Tuner it may also be "1, 2, 3" without brackets, and a single value is a list of
 * one. `*values` is allocated.
 */
bool t1_list(struct t1 *t1, const char *text, const char *where, const char **result, struct value **values,
             size_t *count, struct error *error);

#endif
