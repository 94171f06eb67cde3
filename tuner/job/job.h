/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job.h - one evaluation in concrete terms, with all names resolved and all expressions evaluated.
 *
 * The parent lowers a configuration of a problem to a job (lower.c); a measuring worker executes it on its device.
 * The job is passed between the processes as JSON (write.h). It has one case at the tuned size and, if the
 * configuration is valid there, one at the template's awkward size.
 */
#ifndef TUNE_JOB_JOB_H
#define TUNE_JOB_JOB_H

#include "tuner/data/matrix.h"
#include "tuner/device/device.h"
#include "tuner/evaluation/work.h"
#include "tuner/lang/template.h"
#include "tuner/space/problem.h"

struct json_t;

/* Every buffer lies between two guard bands, whose bytes show out-of-bounds writes. */
enum { BUFFER_GUARD_BYTES = 16 << 10 }; /* a multiple of every alignment that vector loads need */

/*
 * Where the values of a buffer, or the expected ones, are in a file. The parent has read the header; workers compare
 * the file's stamp, which shows a change, and the hash where it differs (tuner/data/data_file.h).
 */
struct job_data {
    char *path;                /* absolute; NULL: none */
    char *name;                /* as the user knows the file */
    uint64_t offset, count;    /* of the first element; elements */
    uint64_t stamp, hash, all; /* the hash is that of so many bytes: of all elements that the file has */
    bool records;              /* elements lie in the file as in the buffer; else there are numbers, */
    enum element element;      /* of this type */
    enum matrix_array array;   /* of a Matrix Market file, all of which must be read; MATRIX_NONE: of another file */
};

struct job_buffer {
    char *name;
    const struct layout *layout; /* of a scalar, or one of the job's layouts */
    uint64_t extent;             /* elements */
    enum buffer_role role;
    enum initial_kind initial;
    double a, b;
};

struct job_argument {
    enum argument_kind kind;
    size_t buffer;
    uint64_t offset;        /* in elements */
    enum element element;   /* scalar: its type */
    unsigned char bytes[8]; /* scalar: its value in that type, little-endian */
    struct job_compound *compound;
    size_t at;                    /* of a pointer in a compound: its place there, bytes */
    struct texture_shape texture; /* texture, surface */
};

/* A vector or struct by value. */
struct job_compound {
    char *name, *c_name; /* of its type */
    unsigned char *value;
    size_t bytes;
    struct job_argument *pointers; /* into buffers; their places in the value are 0 */
    size_t pointer_count;
};
enum { COMPOUND_BYTES_MOST = 32764 }; /* a kernel's parameters have no more */

enum job_step_kind {
    STEP_LAUNCH,
    STEP_COPY_SYMBOL,
    STEP_COPY,
    STEP_FILL,
    STEP_REPEAT, /* while a flag is set */
    STEP_WAIT,
    STEP_READ,     /* a count */
    STEP_LET,      /* what a name means from here on */
    STEP_IF,       /* body or otherwise */
    STEP_WHILE,    /* a repeat while a condition holds */
    STEP_FOR,      /* of a range */
    STEP_SWAP,     /* two buffers exchange their memory; swaps that are known beforehand are no steps */
    STEP_ALLOCATE, /* a late buffer */
};

/* What of a step depends on counts: a number that is computed when the step runs. */
enum formula_use {
    FORMULA_GRID_X,
    FORMULA_GRID_Y,
    FORMULA_GRID_Z,
    FORMULA_SHARED,
    FORMULA_ARGUMENT, /* the value of argument `index` */
    FORMULA_PART,     /* a number of type `element` at byte `at` of argument `index`, a compound */
    FORMULA_OFFSET,   /* of argument `index`, a buffer */
    FORMULA_POINTER,  /* the offset of pointer `at` of argument `index`, a compound */
    FORMULA_FIRST,    /* copies, for; read: the element */
    FORMULA_LAST,     /* copies, for: the first one that is not included */
    FORMULA_AT,       /* copy: first element of the target */
    FORMULA_STRIDE,   /* for: the step of its range */
    FORMULA_ROUNDS,   /* repeat, while */
    FORMULA_VALUE,    /* let; if, while: the condition; allocate: the extent */
};
enum { FORMULA_USES = FORMULA_VALUE + 1 };

struct job_formula {
    enum formula_use use;
    size_t index, at;
    enum element element;
    char *text;              /* in the language of templates, with the values of all names but those of the job */
    const struct expr *expr; /* the same, parsed (formula.h); belongs to the job */
};

struct job_late;

struct job_step {
    enum job_step_kind kind;
    size_t kernel;                  /* launch: index into the program's kernels */
    struct dimensions grid, block;  /* launch */
    uint64_t shared;                /* launch: dynamic shared memory, bytes */
    bool cooperative;               /* launch */
    struct dimensions cluster;      /* launch: blocks of a cluster; all 0: no clusters */
    uint32_t launches;              /* launch: by kernels, that may wait at once; 0: the device's usual number */
    unsigned stream;                /* launch, copies, fill: 0 is the main stream; wait: the one that waits */
    unsigned awaited;               /* wait: for what is queued in this stream */
    struct job_argument *arguments; /* launch */
    size_t argument_count;
    size_t statement;                    /* launch: index into the program's statements, if it has any */
    size_t symbol;                       /* copy_symbol: index into the program's symbols */
    size_t target, source;               /* copy, swap: buffers; fill, repeat, read, allocate: target */
    uint64_t target_first, first, count; /* copies: in elements of the source; read: first; count is the bound */
    unsigned char bytes[8];              /* fill: the value in the type of the buffer's numbers */
    uint64_t rounds;                     /* repeat, while: at most so many */
    struct job_step *body;               /* repeat, while, for, if */
    size_t body_count;
    struct job_step *otherwise; /* if */
    size_t otherwise_count;
    struct job_late *late; /* what is known of the step only when it runs; NULL: nothing */
};

/* Is `source`, is `target` a buffer? */
static inline bool step_has_source(enum job_step_kind kind)
{
    return kind == STEP_COPY || kind == STEP_COPY_SYMBOL || kind == STEP_SWAP;
}
static inline bool step_has_target(enum job_step_kind kind)
{
    return kind == STEP_COPY || kind == STEP_FILL || kind == STEP_REPEAT || kind == STEP_READ || kind == STEP_SWAP ||
           kind == STEP_ALLOCATE;
}

struct job_steps {
    struct job_step *steps;
    size_t count;
};

struct job_check {
    size_t buffer;                 /* that holds the values at the end, */
    char *name;                    /* and the one that the template names, if it is another; NULL: the same */
    size_t first_leaf, leaf_count; /* of each element; 0 leaves: all of them */
    bool exact;
    double bound;    /* times the magnitude, */
    double absolute; /* plus this, is the error allowed */
    bool below;      /* the value itself must not exceed `absolute`: nothing is compared with it */
    bool nonfinite;  /* NaN and infinities may be expected */
    bool partial;    /* only `count` elements from `first` on are compared; else all */
    uint64_t first, count;
    struct job_late *late;    /* first and last, known once the reference has run; NULL: known */
    bool unordered;           /* both sides are put in order first */
    struct job_data expected; /* the values of all of ref(buffer), if a file has them */
    char *file;               /* the template, and where the check stands in it; NULL: unknown */
    unsigned line, column;
};

/* The elements that a check compares. */
static inline uint64_t job_check_first(const struct job_check *check)
{
    return check->partial ? check->first : 0;
}
static inline uint64_t job_check_count(const struct job_check *check, uint64_t extent)
{
    return check->partial ? check->count : extent;
}
/* How many numbers of each of them. */
static inline size_t job_check_leaves(const struct job_check *check, const struct layout *layout)
{
    return check->leaf_count ? check->leaf_count : layout->leaf_count;
}

/*
 * One size. Loops are unrolled and swaps applied, which leaves a list of steps. Where the launches leave two buffers
 * swapped, the check, the reference, finish and verify refer to the buffer that holds the result of each at the end.
 */
struct job_case {
    char *size_text;
    uint64_t reference_key; /* equal for cases with equal inputs and expected outputs */
    struct job_buffer *buffers;
    size_t buffer_count;
    struct job_data *data; /* of each buffer; NULL: no buffer has a file */
    bool *late; /* of each buffer: its extent depends on counts, and is 0 until a step allocates it; NULL: none */
    bool *host; /* of each buffer: it lies in memory of the host's, as its launches take it; NULL: none does */
    /* Of each buffer: the one that has its values behind the launches, since these may have swapped them; NULL: none
     * has been swapped. For those who launch here: no part of the JSON. */
    size_t *holders;
    struct job_steps setup, prepare, launch, finish, verify, reference;
    struct job_check *checks;
    size_t check_count;
    struct work work;
};

/* What the template calls the buffer of a check. */
static inline const char *job_check_name(const struct job_case *one, const struct job_check *check)
{
    return check->name ? check->name : one->buffers[check->buffer].name;
}

/* The file that a buffer is read from; NULL: none. */
static inline const struct job_data *job_data_of(const struct job_case *one, size_t buffer)
{
    return one->data && one->data[buffer].path ? &one->data[buffer] : NULL;
}

static inline bool job_is_late(const struct job_case *one, size_t buffer)
{
    return one->late && one->late[buffer];
}

static inline size_t job_holder(const struct job_case *one, size_t buffer)
{
    return one->holders ? one->holders[buffer] : buffer;
}

static inline bool job_is_hosted(const struct job_case *one, size_t buffer)
{
    return one->host && one->host[buffer];
}

/* Where a part of the template stands: a worker has no template at hand, but names its lines in messages. */
struct job_place {
    unsigned line, column, length; /* 0: unknown */
    char *excerpt;                 /* the line; NULL: the same as that of the part before it */
};

/* Beside the numbers that are computed late: where the step stands, since that may fail. */
struct job_late {
    char *name;  /* launch: the kernel; read, let, for, repeat, while: the name that is set; NULL: none */
    size_t slot; /* of that name among the job's names */
    struct job_formula *formulas;
    size_t formula_count;
    char *file; /* the template; NULL: unknown */
    struct job_place place;
};

/* A launch as it is written, for messages: once, however often it is carried out. */
struct job_statement {
    struct job_place place;
    struct job_place *arguments;
    size_t argument_count;
    size_t offset; /* in the template; it identifies the statement while a job is lowered */
};

/* A source to compile, and the kernels and symbols that steps refer to by index. */
struct job_program {
    char *path; /* NULL: not used */
    char *folder;
    char *defines;         /* "#define TILE_M 64\n..." */
    char *awkward_defines; /* at the awkward size, for which there is another image; NULL: the same */
    char **kernels;
    size_t kernel_count;
    char **symbols;
    size_t symbol_count;
    char **options;
    size_t option_count;
    char *template_file; /* which the statements are in; NULL: unknown, and there are none */
    struct job_statement *statements;
    size_t statement_count;
};

enum { JOB_TUNED, JOB_AWKWARD, JOB_CASES };

/* The program as it is compiled for a case. What it points to belongs to the original. */
struct job_program job_program_for(const struct job_program *program, size_t which);

struct job {
    /* prepare, launch and finish; compiled by a compile worker, for each case if the defines differ (images.h) */
    struct job_program program;
    struct job_program setup;     /* compiled by the measuring worker, once */
    struct job_program reference; /* likewise */
    struct job_program verify;    /* likewise */
    struct job_case cases[JOB_CASES];
    bool has_awkward;
    uint64_t reference_key;  /* of both cases: equal for jobs with equal inputs and expected outputs */
    uint64_t seed;           /* of the random inputs */
    struct layout **layouts; /* of vectors and structs; the job owns them */
    size_t layout_count;
    /* What formulas may read: the template's counts, then lets and loop variables that depend on these, each with a
     * slot. */
    char **names;
    size_t name_count, count_count;
    struct formulas *formulas; /* parsed; NULL: the template has no counts */
};

/*
 * Lower configuration `index` of `problem`. ERROR_INPUT: an expression of the template cannot be evaluated, or an
 * extent or a grid is negative or overflows. ERROR_RESOURCES: a launch needs more threads, blocks or shared memory
 * than the device has, known without compiling. ERROR_DOES_NOT_FIT: the buffers need more memory than the device has.
 *
 * Scalars without a type: integers become int (an error if they do not fit), floats become float. Parameters become
 * defines: numbers as they are, booleans as 0 or 1, and a string P = "v" as `#define P v` and `#define P_v 1`, so
 * that kernels can test `#if VARIANT_joint`.
 */
bool job_lower(const struct problem *problem, size_t index, uint64_t seed, struct job **result, struct error *error);
void job_free(struct job *job);

/* Free steps and what is inside them. */
void job_steps_free(struct job_step *steps, size_t count);

struct json_t *job_to_json(const struct job *job); /* new reference */
bool job_from_json(const struct json_t *json, struct job **result, struct error *error);

#endif
