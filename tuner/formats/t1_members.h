/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_members.h - members of the JSON objects of a T1 file; errors name the file and the member.
 */
#ifndef TUNE_FORMATS_T1_MEMBERS_H
#define TUNE_FORMATS_T1_MEMBERS_H

#include "tuner/formats/t1_parts.h"

#include <jansson.h>

bool t1_member_object(const struct t1 *t1, const json_t *object, const char *name, const json_t **member,
                      struct error *error);

/* An array that may be missing or null; `*array` is then one that jansson takes for empty. */
bool t1_optional_array(const struct t1 *t1, const json_t *object, const char *name, const json_t **array,
                       struct error *error);

/* A string that is not empty; `where` describes the object in errors. */
bool t1_member_text(const struct t1 *t1, const json_t *object, const char *name, const char *where, const char **text,
                    struct error *error);

/* A number, boolean or string as the text of an expression; `*text` is NULL for anything else. False: out of memory.
 */
bool t1_scalar_text(struct t1 *t1, const json_t *json, const char **text, struct error *error);

/* The same where anything else is an error: `what` "must be a number or an expression". */
bool t1_expression_text(struct t1 *t1, const json_t *json, const char *what, const char **text, struct error *error);

#endif
