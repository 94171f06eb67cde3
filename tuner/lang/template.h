/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.h - a kernel template as written: sizes, buffers, launches, reference, checks, work.
 *
 * A template is a folder with one `*.template` file and the CUDA sources it names. This module reads the file into
 * the structs below and checks every name; it evaluates nothing. GRAMMAR.md beside this file has the grammar.
 *
 *     template saxpy "y = a*x + y"
 *     size     n = 100000 if device.kind == "cpu" else 2 ** 26
 *     awkward  n = 1237
 *     parameter BLOCK "threads of a block"
 *     source   "saxpy.cu"
 *     buffer   x : float[n] in uniform(-1, 1)
 *     buffer   y : float[n] out
 *     launch { saxpy<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, 2.0, n) }
 *     reference "reference.cu" { saxpy_reference<<<ceil_div(n, 256), 256>>>(x, ref(y), mag(y), 2.0, n) }
 *     check    y within sum_error(2)
 *     work     flops = 2 * n, bytes = 8 * n
 *
 * All members are read-only for everyone but the parser; everything belongs to the template and goes with
 * template_free. Lists are arrays with a count.
 */
#ifndef TUNE_LANG_TEMPLATE_H
#define TUNE_LANG_TEMPLATE_H

#include "tuner/lang/element.h"
#include "tuner/lang/expr.h"

struct size_declaration {
    const char *name;
    size_t slot;
    const struct expr *value;   /* the default; may read device.* and sizes declared before it */
    const struct expr *awkward; /* the second size at which every configuration is validated; NULL: none given */
};

struct parameter_declaration {
    const char *name;
    size_t slot;
    const char *meaning; /* "" if none was given */
};

struct source_choice {
    const char *file;             /* as written, relative to the template's folder */
    const struct expr *condition; /* NULL: always; the first choice whose condition holds is compiled */
    struct place place;
};

struct compiler_option {
    const char *text;
    const struct expr *condition; /* NULL: always */
};

struct let_declaration {
    const char *name;
    size_t slot;
    const struct expr *value;
};

enum buffer_role {
    BUFFER_IN,    /* initialised once, must come back unchanged */
    BUFFER_OUT,   /* poisoned before a validated run, every element must be written; needs a check */
    BUFFER_INOUT, /* initialised before every run, compared after it; needs a check */
    BUFFER_TEMP,  /* poisoned before a validated run, never compared */
};

enum initial_kind {
    INITIAL_NONE,     /* poison (out, temp), or made by `setup` */
    INITIAL_UNIFORM,  /* uniform(a, b): random reals in [a, b), or random integers a <= x < b for integer types */
    INITIAL_CONSTANT, /* constant(a) */
    INITIAL_INDEX,    /* index(): element i is i */
};

struct buffer_declaration {
    const char *name;
    enum element element;
    enum buffer_role role;
    const struct expr *extent; /* number of elements */
    enum initial_kind initial;
    const struct expr *a, *b; /* arguments of the initial value */
    struct place place;
};

enum argument_kind {
    ARGUMENT_BUFFER,    /* x, or x + offset */
    ARGUMENT_REFERENCE, /* ref(y): double[extent of y], where the reference writes the expected values */
    ARGUMENT_MAGNITUDE, /* mag(y): double[extent of y], the sum of absolute terms that the error bound scales with */
    ARGUMENT_SCALAR,    /* n, float(alpha), long(n * n): without a type, int for integers and float for floats */
};

struct argument {
    enum argument_kind kind;
    size_t buffer;             /* index into buffers */
    const struct expr *offset; /* in elements; NULL: 0 */
    const struct expr *value;  /* scalar */
    bool typed;                /* scalar: was a type written? */
    enum element element;      /* scalar: the type, if typed */
    struct place place;
};

struct statement;

struct block {
    const struct statement *statements;
    size_t count;
};

enum statement_kind {
    STATEMENT_LET,
    STATEMENT_LAUNCH,      /* kernel<<<grid, block, shared>>>(arguments) */
    STATEMENT_COPY_SYMBOL, /* copy symbol <- buffer[first : last]   a __constant__ or __device__ variable */
    STATEMENT_COPY,        /* copy target[at] <- buffer[first : last] */
    STATEMENT_FILL,        /* fill buffer = value */
    STATEMENT_SWAP,        /* swap a, b: from here on each name means the other buffer */
    STATEMENT_FOR,         /* for i in range(...) { } */
    STATEMENT_IF,          /* if c { } elif d { } else { }: elif is an if in the else block */
    STATEMENT_REPEAT,      /* repeat n while flag { }: at most n times, ends once flag[0] == 0 after a round */
};

struct statement {
    enum statement_kind kind;
    struct place place;
    size_t slot;                      /* let, for */
    const struct expr *value;         /* let, fill: value; for: the list; if: condition; repeat: n */
    const char *name;                 /* launch: kernel; copy_symbol: symbol */
    const struct expr *grid[3];       /* launch; NULL: 1 */
    const struct expr *block[3];      /* launch; NULL: 1 */
    const struct expr *shared;        /* launch: dynamic shared memory in bytes; NULL: 0 */
    const struct argument *arguments; /* launch */
    size_t argument_count;
    size_t buffer;                   /* copy: source; fill, swap, repeat: the (first) buffer */
    size_t other;                    /* copy: target; swap: the second buffer */
    const struct expr *at;           /* copy: first element of the target; NULL: 0 */
    const struct expr *first, *last; /* copies: elements [first, last) of the source; NULL: the ends */
    struct block body;               /* for, if, repeat */
    struct block otherwise;          /* if */
};

/* A sequence of statements with the source file its kernels are in. */
struct sequence {
    bool present;
    const char *file;   /* NULL: the configuration's own source */
    struct place place; /* of the file's name, or of the word that begins the sequence */
    struct block body;
};

struct check {
    size_t buffer;
    const struct expr *bound; /* |out - ref| <= bound * mag (mag = |ref| if the reference gives none); NULL: exact */
    struct place place;
};

struct template
{
    const char *name;
    const char *title;
    const char *path;          /* of the *.template file */
    const char *folder;        /* that holds it */
    const char *default_space; /* NULL: none named */
    struct scope *scope;       /* device fields, sizes, parameters, lets and loop variables */

    const struct size_declaration *sizes;
    size_t size_count;
    const struct parameter_declaration *parameters;
    size_t parameter_count;
    const struct source_choice *sources;
    size_t source_count;
    const struct compiler_option *options;
    size_t option_count;
    const struct let_declaration *lets; /* evaluated in order, lazily: a let that no one reads may be undefined */
    size_t let_count;
    const struct buffer_declaration *buffers;
    size_t buffer_count;
    struct sequence setup;     /* once a size, untimed, before the reference: makes inputs */
    struct sequence prepare;   /* once a configuration, untimed: its own data layout */
    struct sequence launch;    /* what is timed */
    struct sequence reference; /* what is right */
    const struct check *checks;
    size_t check_count;
    const struct expr *flops, *bytes; /* NULL: not given */

    /* 16 hex digits and NUL: XXH3 of the template's tokens and of the sources beside it (*.cu *.cuh *.h), comments
     * and white space left out. Any other change of the kernel changes it. */
    char hash[17];
};

/*
 * Read a template: `path` is a `*.template` file or a folder that holds just one. On failure the error has the place.
 */
bool template_read(const char *path, struct template **result, struct error *error);

/* The same from memory, for tests and fuzzing: `folder` is where sources would be; the hash covers the text alone. */
bool template_parse(const char *path, const char *folder, const char *text, size_t length, struct template **result,
                    struct error *error);

/*
 * Are the sources beside the template still those of its hash? Cheap while no file was touched (it looks at their
 * times). False: they were changed, or cannot be read any more. Only for templates that were read from files.
 */
bool template_is_current(const struct template *template, struct error *error);

void template_free(struct template *template);

#endif
