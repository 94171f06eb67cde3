/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_parts.h - a T1 file in memory: its expressions are texts in the language, already known to be expressions.
 */
#ifndef TUNE_FORMATS_T1_PARTS_H
#define TUNE_FORMATS_T1_PARTS_H

#include "tuner/formats/python_text.h"
#include "tuner/lang/element.h"

#include <stdint.h>

enum { T1_DIMENSIONS = 3 };

struct t1_parameter {
    const char *name;
    const char *values_text;
    const char *default_text; /* NULL: none, or none of the values */
    struct value *values;     /* allocated */
    size_t count;
};

enum t1_access { T1_READ, T1_WRITE, T1_READ_WRITE };
enum t1_fill { T1_CONSTANT, T1_RANDOM, T1_INDEX };

enum t1_memory {
    T1_VECTOR,
    T1_SCALAR,
    T1_LOCAL,  /* dynamic shared memory: no argument in CUDA */
    T1_SYMBOL, /* a variable of the source: no argument either */
};

struct t1_argument {
    enum t1_memory memory;
    const char *name;   /* of the buffer: an identifier that nothing else has */
    const char *symbol; /* the variable of the source that the buffer is copied to; NULL: none */
    enum element element;
    const char *size;  /* of vectors, in elements; of local memory, in bytes */
    const char *value; /* of scalars, and what constant vectors hold */
    double high;       /* random values are below it */
    enum t1_access access;
    enum t1_fill fill;
    const char *bound; /* the tolerance; NULL: none is given */
};

struct t1 {
    struct arena arena;
    const char *path;
    const char *name; /* an identifier */
    const char *kernel;
    const char *kernel_file;
    const char *language;
    bool foreign; /* a language that is not compiled here */

    struct t1_parameter *parameters;
    size_t parameter_count;
    const char **conditions;
    size_t condition_count;

    const char *sizes[T1_DIMENSIONS];       /* their names */
    const char *size_values[T1_DIMENSIONS]; /* texts */
    size_t size_count;
    const char *local[T1_DIMENSIONS]; /* of LocalSize, as the file has them */
    const char **options;
    size_t option_count;
    const char *shared; /* bytes */
    struct t1_argument *arguments;
    size_t argument_count;

    struct scope *scope; /* of parameters and sizes */

    FILE *notes;
    char *notes_text;
    size_t notes_length;
};

/*
 * The launch is read when it is known which value stands for each parameter: once with names, for the template, and
 * once with values, for its reference.
 */
struct t1_launch {
    const char *grid[T1_DIMENSIONS], *block[T1_DIMENSIONS];
};

struct json_t;

/* Read all but the launch; `document` is the file's. t1_clear in any case. */
bool t1_read(const struct json_t *document, const char *path, struct t1 *t1, struct error *error);
void t1_clear(struct t1 *t1);

/* `fixed` NULL: parameters by name; else a value for each. */
bool t1_read_launch(const struct json_t *document, struct t1 *t1, const struct value *fixed, struct t1_launch *launch,
                    struct error *error);

/* A text in the arena; NULL and an error when out of memory. */
char *t1_format(struct t1 *t1, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
