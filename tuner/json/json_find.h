/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_find.h - where in a text a value of it stands, for errors with a place: jansson's values do not know.
 */
#ifndef TUNE_JSON_JSON_FIND_H
#define TUNE_JSON_JSON_FIND_H

#include <stdbool.h>
#include <stddef.h>

/* A step from a value to one within it. */
struct json_step {
    const char *name; /* of an object's member, without backslashes; NULL: an element of an array */
    size_t index;     /* of the element */
};

/*
 * The bytes of the value that `count` steps lead to from the whole of a text that jansson accepts. False: there is no
 * such value; then `*offset` and `*length` are those of the last one on the way. Names with escapes in the text are
 * not recognised. Of any other text the answer means nothing, but lies within it.
 */
bool json_find(const char *text, size_t length, const struct json_step *steps, size_t count, size_t *offset,
               size_t *span);

#endif
