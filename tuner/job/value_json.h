/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_json.h - the values that jobs consist of as JSON: numbers, keys, words, texts. Internal to what writes and
 * reads jobs (write.h).
 */
#ifndef TUNE_JOB_VALUE_JSON_H
#define TUNE_JOB_VALUE_JSON_H

#include "tuner/job/job.h"

/*
 * Writers return a new reference, or NULL when out of memory. Passing it on passes the failure on: an item that is
 * NULL is not added, and what is not complete is released.
 */
struct json_t *write_finish(struct json_t *json, bool complete); /* json, or NULL */
bool write_add(struct json_t *array, struct json_t *item);
bool write_set(struct json_t *object, const char *name, struct json_t *item);

struct json_t *write_key(uint64_t key);                   /* 16 hexadecimal digits */
struct json_t *write_whole(uint64_t number);              /* the same for a number beyond JSON's integers */
struct json_t *write_bytes(const unsigned char bytes[8]); /* of a scalar, in order */
struct json_t *write_dimensions(struct dimensions dimensions);
struct json_t *write_text(const char *text); /* NULL: null */

/* Readers: ERROR_SYSTEM if `json` is NULL, of another kind or out of range; `what` says what it should have been. */
bool read_refuse(struct error *error, const char *what); /* is that error; always false */

bool read_key(const struct json_t *json, const char *what, uint64_t *key, struct error *error);
bool read_whole(const struct json_t *json, const char *what, uint64_t *number, struct error *error);
bool read_index(const struct json_t *json, const char *what, size_t *index, struct error *error);
bool read_bytes(const struct json_t *json, unsigned char bytes[8], struct error *error);
bool read_real(const struct json_t *json, const char *what, double *real, struct error *error);
bool read_flag(const struct json_t *json, const char *what, bool *flag, struct error *error);
bool read_line(const struct json_t *json, const char *what, unsigned *line, struct error *error); /* or a column */

bool read_dimensions(const struct json_t *json, struct dimensions *dimensions, struct error *error);

/* A copy, which is the caller's. */
bool read_text(const struct json_t *json, const char *what, char **text, struct error *error);

/* The index of a word in a table, and the element type of a name. */
bool read_word(const struct json_t *json, const char *what, const char *const *words, size_t count, size_t *index,
               struct error *error);
bool read_element(const struct json_t *json, enum element *element, struct error *error);

/* Zeroed memory for the items of an array, and one more; NULL and an error unless `json` is an array. */
void *read_allocate(const struct json_t *json, const char *what, size_t size, struct error *error);

/* An array of texts. `*count` is raised with each: what was read before an error is freed with the rest. */
bool read_names(const struct json_t *json, const char *what, char ***names, size_t *count, struct error *error);

#endif
