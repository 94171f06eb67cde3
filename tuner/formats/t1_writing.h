/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_writing.h - what the writers of a T1 document share.
 */
#ifndef TUNE_FORMATS_T1_WRITING_H
#define TUNE_FORMATS_T1_WRITING_H

#include "tuner/formats/python_write.h"
#include "tuner/space/problem.h"

#include <jansson.h>

enum { T1_LETS_MOST = 64 };

struct t1_writing {
    const struct problem *problem;
    const struct template *template;
    const struct space *space;
    struct python_scope scope;
    const struct let_declaration *lets[T1_LETS_MOST]; /* of the blocks around the launch */
    struct let_declaration let_values[T1_LETS_MOST];
    size_t let_count;
    FILE *notes;
    struct error *error;
};

/* Both take over `value`, which may be NULL for out of memory. */
bool t1_set(struct t1_writing *writing, json_t *object, const char *name, json_t *value);
bool t1_append(struct t1_writing *writing, json_t *array, json_t *value);

/* An expression in Python; allocated, NULL after an error. */
char *t1_python(struct t1_writing *writing, const struct expr *expr, struct error *error);

/* An expression of the launch, "1" for NULL. One that T1 cannot express is kept as written, with a note. NULL: out of
 * memory. */
json_t *t1_launch_text(struct t1_writing *writing, const struct expr *expr);

/* The same for an extent, as a number where it is constant. */
json_t *t1_extent(struct t1_writing *writing, const struct expr *extent);

#endif
