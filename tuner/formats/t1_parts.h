/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_parts.h - a T1 file in memory. Its expressions are kept as text in tune's language and are known to parse.
 */
#ifndef TUNE_FORMATS_T1_PARTS_H
#define TUNE_FORMATS_T1_PARTS_H

#include "tuner/error/text_stream.h"
#include "tuner/formats/t1_signature.h"
#include "tuner/lang/arena.h"
#include "tuner/lang/element.h"
#include "tuner/lang/scope.h"
#include "tuner/lang/value.h"

#include <jansson.h>

enum {
    T1_DIMENSIONS = 3,
    T1_COPIES_MOST = 256,
    T1_MACROS_MOST = 8,
    T1_WHERE = 512 /* bytes of a description of a place in the file */
};

struct t1_parameter {
    const char *name;
    const char *values_text;
    const char *default_text; /* NULL: no default, or not one of the values */
    struct value *values;     /* allocated */
    size_t count;
};

enum t1_access { T1_READ, T1_WRITE, T1_READ_WRITE };
enum t1_fill { T1_CONSTANT, T1_RANDOM, T1_INDEX, T1_FILE };

enum t1_memory {
    T1_VECTOR,
    T1_SCALAR,
    T1_LOCAL,  /* dynamic shared memory: not an argument in CUDA */
    T1_SYMBOL, /* a variable of the source: not an argument either */
};

/* Expected values: |result - expected| <= relative * |expected| + absolute. */
struct t1_answer {
    const char *file;          /* beside the template; NULL: none */
    bool computed;             /* by the reference kernel, instead of a file */
    double relative, absolute; /* both 0: not given */
};

struct t1_argument {
    enum t1_memory memory;
    const char *name;     /* of the buffer: a unique identifier; NULL for scalars and local memory */
    const char *symbol;   /* the source's variable that the buffer is copied to; NULL: none */
    enum element element; /* of its numbers */
    const char *type;     /* in templates: "float", "float4" */
    unsigned width;       /* numbers in one of that type */
    const char *size;     /* vectors: elements; local memory: bytes */
    const char *value;    /* scalars, and constant vectors */
    double low, high;     /* bounds of random values; the upper one is exclusive */
    enum t1_access access;
    bool overwritten; /* the kernel writes it and, by its source, never reads it */
    bool ignored;     /* an output that is not compared: there are answers for others alone */
    enum t1_fill fill;
    const char *file; /* of T1_FILE: its name beside the template */
    const char *hint; /* what is doubtful, for a comment at its place; NULL: nothing */
    struct t1_answer answer;
};

/* Another kernel that computes expected values, where the file names one: its macros and its launch, as expressions.
 */
struct t1_reference_kernel {
    const char *name;    /* NULL: none */
    const char *defines; /* lines of #define */
    const char *grid[T1_DIMENSIONS], *block[T1_DIMENSIONS];
};

/* A size that the source has as a macro: the value of another one. */
struct t1_macro {
    const char *name;
    size_t size;
};

/* A file that lies beside the T1 file, to be copied beside the template. */
struct t1_copy {
    const char *from, *name;
};

struct t1 {
    struct arena arena;
    const char *path;
    const char *name; /* an identifier */
    const char *kernel;
    const char *kernel_file;
    const char *language;
    bool foreign; /* a language that tune does not compile */

    struct t1_parameter *parameters;
    size_t parameter_count;
    const char **conditions;
    size_t condition_count;

    const char *sizes[T1_DIMENSIONS];       /* names */
    const char *size_values[T1_DIMENSIONS]; /* expressions */
    size_t size_count;
    struct t1_macro macros[T1_MACROS_MOST];
    size_t macro_count;
    const char *local[T1_DIMENSIONS]; /* LocalSize, as written in the file */
    const char **options;
    size_t option_count;
    const char *shared; /* bytes */
    struct t1_argument *arguments;
    size_t argument_count;

    struct scope *scope; /* of parameters and sizes */

    const char *beside;      /* the path of a file beside which others are looked for; NULL: none are */
    struct t1_source source; /* the kernel's, if it was found */
    struct t1_reference_kernel reference;
    struct t1_copy *copies;
    size_t copy_count;
    const json_t *metrics; /* name: expression; NULL: none */

    struct text_stream notes; /* what is lost or assumed in the import, one line each */
};

/* Every way a T1 file is read ends here, also after an error. */
void t1_clear(struct t1 *t1);

bool t1_has_parameter(const struct t1 *t1, const char *name);

/* A kernel in another language is imported for its space alone: input errors elsewhere in the kernel do not matter.
 */
bool t1_may_ignore(const struct t1 *t1, const struct error *error);

/* Is it a buffer that the kernel writes and that is compared, and is there any such? */
bool t1_is_output(const struct t1_argument *argument);
bool t1_has_outputs(const struct t1 *t1);

/* Does the file say what error a floating-point output may have? */
bool t1_has_tolerance(const struct t1_argument *argument);

/* Is it an argument of the launch? Shared memory and symbols are not. */
bool t1_is_passed(const struct t1_argument *argument);

/* A formatted text in the arena; NULL and an error when out of memory. */
char *t1_format(struct t1 *t1, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
