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

enum job_step_kind { STEP_LAUNCH, STEP_COPY_SYMBOL, STEP_COPY, STEP_FILL, STEP_REPEAT, STEP_WAIT };

struct job_step {
    enum job_step_kind kind;
    size_t kernel;                  /* launch: index into the program's kernels */
    struct dimensions grid, block;  /* launch */
    uint64_t shared;                /* launch: dynamic shared memory, bytes */
    bool cooperative;               /* launch */
    struct dimensions cluster;      /* launch: blocks of a cluster; all 0: no clusters */
    unsigned stream;                /* launch, copies, fill: 0 is the main stream; wait: the one that waits */
    unsigned awaited;               /* wait: for what is queued in this stream */
    struct job_argument *arguments; /* launch */
    size_t argument_count;
    size_t statement;                    /* launch: index into the program's statements, if it has any */
    size_t symbol;                       /* copy_symbol: index into the program's symbols */
    size_t target, source;               /* copy: buffers; fill and repeat: target */
    uint64_t target_first, first, count; /* copies: in elements of the source */
    unsigned char bytes[8];              /* fill: the value in the type of the buffer's numbers */
    uint64_t rounds;                     /* repeat: at most so many */
    struct job_step *body;               /* repeat */
    size_t body_count;
};

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

/* Where a part of the template stands: a worker has no template at hand, but names its lines in messages. */
struct job_place {
    unsigned line, column, length; /* 0: unknown */
    char *excerpt;                 /* the line; NULL: the same as that of the part before it */
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

struct json_t *job_to_json(const struct job *job); /* new reference */
bool job_from_json(const struct json_t *json, struct job **result, struct error *error);

#endif
