/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template.h - a kernel template as written: sizes, buffers, launches, reference, checks, work.
 *
 * A template is a folder with one `*.template` file and the CUDA sources it names. This module reads the file into
 * the structs below and resolves every name; it evaluates nothing. GRAMMAR.md documents the statements.
 *
 *     template saxpy "y = a*x + y"
 *     size     n = 100000 if device.kind == "cpu" else 2 ** 26
 *     awkward  n = 1237
 *     parameter BLOCK "threads per block"
 *     source   "saxpy.cu"
 *     buffer   x : float[n] in uniform(-1, 1)
 *     buffer   y : float[n] out
 *     launch { saxpy<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, 2.0, n) }
 *     reference "reference.cu" { saxpy_reference<<<ceil_div(n, 256), 256>>>(x, ref(y), mag(y), 2.0, n) }
 *     check    y within sum_error(2)
 *     work     flops = 2 * n, bytes = 8 * n
 *
 * Only the parser writes to these structs. Everything belongs to the template and is freed by template_free.
 */
#ifndef TUNE_LANG_TEMPLATE_H
#define TUNE_LANG_TEMPLATE_H

#include "tuner/evaluation/work.h"
#include "tuner/lang/expr.h"
#include "tuner/lang/type.h"

struct size_declaration {
    const char *name;
    size_t slot;
    const struct expr *value;   /* the default; may use device fields and earlier sizes */
    const struct expr *awkward; /* a second size for validation; NULL: the same size */
    bool defined;               /* sources see it as a macro */
    bool derived;               /* nobody sets it: a file with a matrix has it, or it follows from the others */
};

enum { DESCRIBED_VALUES = 256 }; /* of a parameter, at most */

/* A value with what it means: a rung of the ladder that reports draw. */
struct value_description {
    const char *value, *meaning;
};

struct parameter_declaration {
    const char *name;
    size_t slot;
    const char *meaning;                    /* "": not described */
    const struct value_description *values; /* those that are described, in order */
    size_t value_count;
};

struct source_choice {
    const char *file;             /* in the template's folder */
    const struct expr *condition; /* NULL: always; the first source whose condition holds is compiled */
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

/* A number that launches find out; blocks read it back. */
struct count_declaration {
    const char *name;
    size_t slot;
    const struct expr *most; /* it is a whole number from 0 to this */
};

enum buffer_role {
    BUFFER_IN,      /* initialised once, must stay unchanged */
    BUFFER_OUT,     /* poisoned before a validated run; what is checked must be written; needs a check */
    BUFFER_INOUT,   /* initialised before every run, compared after it; needs a check */
    BUFFER_TEMP,    /* poisoned before a validated run, never compared */
    BUFFER_SCRATCH, /* initialised before every run, never compared */
};

static inline bool role_is_output(enum buffer_role role)
{
    return role == BUFFER_OUT || role == BUFFER_INOUT;
}

/* Does it begin with values of its own, rather than poison? */
static inline bool role_is_initialised(enum buffer_role role)
{
    return role == BUFFER_IN || role == BUFFER_INOUT || role == BUFFER_SCRATCH;
}

/* Is it given its initial values again before each run? */
static inline bool role_is_restored(enum buffer_role role)
{
    return role == BUFFER_INOUT || role == BUFFER_SCRATCH;
}

enum initial_kind {
    INITIAL_NONE,     /* poison (out, temp), or written by `setup` */
    INITIAL_UNIFORM,  /* uniform(a, b): random numbers in [a, b), integers for integer types */
    INITIAL_CONSTANT, /* constant(a) */
    INITIAL_INDEX,    /* index(): element i is i */
    INITIAL_FILE,     /* file("x.npy"): data of the user's own */
};

struct buffer_declaration {
    const char *name;
    const struct type *type;
    enum buffer_role role;
    const struct expr *extent;            /* number of elements: the product of the dimensions */
    const struct expr *const *dimensions; /* float[rows, cols] has two */
    size_t dimension_count;
    enum initial_kind initial;
    const struct expr *a, *b; /* arguments of the initial value */
    const char *file;         /* of INITIAL_FILE, as written: relative to the template's folder */
    struct place place, file_place;
};

enum matrix_format { MATRIX_CSR, MATRIX_COO };
enum { MATRIX_PARTS = 3 };

/* What a derived size can say of a matrix: how many entries it has, and how many a row has at most. */
enum matrix_size { MATRIX_ENTRIES, MATRIX_LONGEST, MATRIX_SIZES };

/* Buffers that hold a sparse matrix together, which a file may have: entries in the order of rows, then columns. */
struct matrix_declaration {
    const char *name;
    enum matrix_format format;
    const struct expr *rows, *columns;
    size_t sizes[MATRIX_SIZES]; /* slots of derived sizes, the first `size_count` of enum matrix_size */
    size_t size_count;
    /* Buffers: where each row starts (CSR) or the row of each entry (COO); the columns of the entries; their values
     */
    size_t parts[MATRIX_PARTS];
    size_t part_count; /* 2: without values */
    const char *file;  /* relative to the template's folder; NULL: none */
    struct place place, file_place;
};

/* `given(x)` in the setup block: is there a file with this buffer or matrix? */
struct given_declaration {
    size_t slot;
    bool of_matrix;
    size_t index;
};

enum argument_kind {
    ARGUMENT_BUFFER,    /* x, or x + offset */
    ARGUMENT_REFERENCE, /* ref(y): a double for each number of y, for the expected values */
    ARGUMENT_MAGNITUDE, /* mag(y): likewise, for the sums of absolute values that the error bound is relative to */
    ARGUMENT_TEXTURE,   /* texture(x), texture(x, width, height, filter = "linear") */
    ARGUMENT_SURFACE,   /* surface(y, width, height) */
    ARGUMENT_SCALAR,    /* n, float(alpha), long(n * n); without a type, integers are int and floats are float */
    ARGUMENT_COMPOUND,  /* float4(a, b, c, d), body(...): a vector or struct by value */
};

struct texture_declaration {
    unsigned dimensions; /* 0: linear memory */
    const struct expr *extent[3];
    const struct expr *filter, *address, *normalized; /* NULL: "point", "clamp", false */
};

struct argument {
    enum argument_kind kind;
    size_t buffer;                /* index into buffers */
    const struct expr *offset;    /* in elements; NULL: 0 */
    const struct expr *value;     /* scalar */
    bool typed;                   /* scalar: a type was written */
    enum element element;         /* scalar: the type, if typed */
    const struct type *type;      /* compound */
    const struct argument *parts; /* compound: scalars with a type, and pointers */
    size_t part_count;
    size_t at;                                 /* of a part: its offset in the compound, bytes */
    const struct texture_declaration *texture; /* texture, surface */
    struct place place;
};

/* Of a kernel that is a C++ template. */
struct template_argument {
    const char *text;         /* C++, or NULL */
    const struct expr *value; /* or an expression, whose value stands in the name */
};

/* What follows grid, block and shared memory inside <<< >>>. */
struct launch_attributes {
    bool cooperative;
    const struct expr *cooperative_if; /* cooperative only if it holds; NULL: always */
    bool host;                         /* the host's cores run it, */
    const struct expr *host_if;        /* only if this holds; NULL: always */
    const struct expr *cluster[3];     /* blocks of a cluster; all NULL: no clusters; else NULL: 1 */
    const struct expr *stream;         /* NULL: 0, the main stream; copies and fills have one as well */
    const struct expr *launches;       /* by kernels that may wait at once; NULL: the device's usual number */
};

struct statement;

struct block {
    const struct statement *statements;
    size_t count;
};

enum statement_kind {
    STATEMENT_LET,
    STATEMENT_LAUNCH,      /* kernel<<<grid, block, shared, attributes>>>(arguments) */
    STATEMENT_COPY_SYMBOL, /* copy symbol <- buffer[first : last]   a __constant__ or __device__ variable */
    STATEMENT_COPY,        /* copy target[at] <- buffer[first : last] */
    STATEMENT_FILL,        /* fill buffer = value */
    STATEMENT_SWAP,        /* swap a, b: each name means the other buffer from here on */
    STATEMENT_FOR,         /* for i in range(...) { } */
    STATEMENT_IF,          /* if c { } elif d { } else { }: elif is an if in the else block */
    STATEMENT_REPEAT,      /* repeat n while flag { }: at most n rounds, until one leaves flag[0] == 0; or while a
                            * condition on counts holds */
    STATEMENT_WAIT,        /* wait a after b: what follows in stream a waits for all that is queued in b */
    STATEMENT_READ,        /* read m = buffer[at]: the host waits for a count */
};

struct statement {
    enum statement_kind kind;
    struct place place;
    size_t slot;              /* let, for, read; repeat, if it is numbered */
    bool numbered;            /* repeat: a name stands for the number of the round, from 0 */
    const struct expr *value; /* let, fill: value; for: the list; if: condition; repeat: n; wait: the stream */
    const char *name;         /* launch: kernel, as ns::k; copy_symbol: symbol */
    bool is_template;         /* launch: <> follows the name */
    const struct template_argument *template_arguments; /* launch */
    size_t template_argument_count;
    const struct expr *grid[3];  /* launch; NULL: 1 */
    const struct expr *block[3]; /* launch; NULL: 1 */
    const struct expr *shared;   /* launch: dynamic shared memory in bytes; NULL: 0 */
    struct launch_attributes attributes;
    const struct expr *awaited;       /* wait: the other stream */
    const struct argument *arguments; /* launch */
    size_t argument_count;
    const struct expr *condition;    /* repeat: goes on while it holds; NULL: while the flag does */
    size_t buffer;                   /* copy: source; fill, swap, repeat, read: the (first) buffer */
    size_t other;                    /* copy: target; swap: the second buffer */
    const struct expr *at;           /* copy: first element of the target; NULL: 0; read: the element */
    const struct expr *first, *last; /* copies: elements [first, last) of the source; NULL: the ends */
    struct block body;               /* for, if, repeat */
    struct block otherwise;          /* if */
};

/* A block and the source file of its kernels. */
struct sequence {
    bool present;
    const char *file;   /* NULL: the configuration's own source */
    struct place place; /* of the file name, or of the word that introduces the block */
    struct block body;
};

struct check {
    size_t buffer;
    /* |out - ref| <= bound * mag + absolute, where mag is |ref| unless the reference writes it. NULL: 0; both NULL:
     * exact. */
    const struct expr *bound, *absolute;
    const struct expr *below;        /* |out| <= below, and nothing is compared; NULL: out is compared as above */
    bool nonfinite;                  /* NaN and infinities may be expected */
    bool partial;                    /* only elements [first, last) are compared, and need to be written */
    const struct expr *first, *last; /* NULL: the ends */
    size_t first_leaf, leaf_count;   /* of each element, those of a field or of all */
    bool unordered;                  /* both sides are put in order first */
    struct place place;              /* of the buffer's name, its range and field */
};

/* A file with the expected values of an output. */
struct expected_file {
    size_t buffer;
    bool anonymous;   /* written without the buffer's name, as there is only one check */
    const char *file; /* as written: relative to the template's folder */
    struct place place;
};

enum { METRICS_MOST = 64, METRIC_NAME_LIMIT = 64 }; /* of a template; bytes */

enum metric_sense { METRIC_SHOWN, METRIC_MINIMIZED, METRIC_MAXIMIZED };

/* `metric` or `objective`: a figure computed of what was measured. */
struct metric_declaration {
    const char *name;
    enum metric_sense sense; /* METRIC_SHOWN: a metric; else an objective */
    const struct expr *value;
    struct place place; /* of the name */
};

struct template
{
    const char *name;
    const char *title;
    const char *path;          /* of the *.template file */
    const char *folder;        /* that contains it */
    const char *default_space; /* NULL: none named */
    struct scope *scope;       /* device fields, sizes, parameters, lets, counts and loop variables */

    const struct size_declaration *sizes;
    size_t size_count;
    const struct parameter_declaration *parameters;
    size_t parameter_count;
    const struct source_choice *sources;
    size_t source_count;
    const struct compiler_option *options;
    size_t option_count;
    const struct let_declaration *lets; /* in order; they are evaluated lazily: an unused let may be undefined */
    size_t let_count;
    const struct count_declaration *counts;
    size_t count_count;
    bool numbered; /* there is a numbered repeat */
    bool hosted;   /* there is a launch on the host */
    const struct buffer_declaration *buffers;
    size_t buffer_count;
    const struct matrix_declaration *matrices;
    size_t matrix_count;
    const struct given_declaration *givens;
    size_t given_count;
    struct sequence setup;                /* once per size, untimed, before the reference: produces inputs */
    struct sequence prepare;              /* once per configuration, untimed: its own data layout */
    struct sequence launch;               /* what is timed */
    struct sequence finish;               /* untimed, after a run that is validated: back from its own data layout */
    struct sequence verify;               /* untimed, after that: computes what is compared, e.g. a residual */
    struct sequence reference;            /* computes the expected results */
    const struct expected_file *expected; /* or files have them, at the tuned size only */
    size_t expected_count;
    const struct check *checks;
    size_t check_count;
    const struct expr *work[WORK_COUNT];      /* NULL: not given */
    const struct metric_declaration *metrics; /* and objectives, in order */
    size_t metric_count;
    const char *default_objective; /* NULL: none named */

    /* XXH3 of the template's tokens and of those of all that compilers read for it, in hexadecimal: comments and
     * layout do not matter, any other change does (sources.h). */
    char hash[17];
};

/*
 * Read a template: `path` is a `*.template` file or a folder that contains exactly one.
 */
bool template_read(const char *path, struct template **result, struct error *error);

/* The same from memory, without reading the sources in `folder`: the hash covers the text only. */
bool template_parse(const char *path, const char *folder, const char *text, size_t length, struct template **result,
                    struct error *error);

/*
 * Are the files that compilers read still those of the template's hash? Cheap as long as none was touched. False,
 * with an error: they have changed or cannot be read. `*touched`: files were written since the last call, and are as
 * they were; a compilation in between may have seen others. Only for templates that were read from files.
 */
bool template_is_current(const struct template *template, bool *touched, struct error *error);

/* Can a parameter have an effect: may its macro occur in a source, or does an expression of the template use it? True
 * for a template that was parsed from memory. */
bool template_uses(const struct template *template, size_t parameter);

/* Does an expression of the template use a parameter (a launch, an extent, a condition, ...)? If not, it can have an
 * effect only through the compiled image. True for a template that was parsed from memory. */
bool template_text_uses(const struct template *template, size_t parameter);

/* The matrix that a buffer is part of, or NULL; `*part` says which one. */
const struct matrix_declaration *template_matrix_of(const struct template *template, size_t buffer, size_t *part);

void template_free(struct template *template);

#endif
