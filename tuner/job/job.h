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

struct job_buffer {
    char *name;
    enum element element;
    uint64_t extent; /* elements */
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
};

enum job_step_kind { STEP_LAUNCH, STEP_COPY_SYMBOL, STEP_COPY, STEP_FILL, STEP_REPEAT };

struct job_step {
    enum job_step_kind kind;
    size_t kernel;                  /* launch: index into the program's kernels */
    struct dimensions grid, block;  /* launch */
    uint64_t shared;                /* launch: dynamic shared memory, bytes */
    struct job_argument *arguments; /* launch */
    size_t argument_count;
    size_t statement;                    /* launch: index into the program's statements, if it has any */
    size_t symbol;                       /* copy_symbol: index into the program's symbols */
    size_t target, source;               /* copy: buffers; fill and repeat: target */
    uint64_t target_first, first, count; /* copies: in elements of the source */
    unsigned char bytes[8];              /* fill: the value in the buffer's type */
    uint64_t rounds;                     /* repeat: at most so many */
    struct job_step *body;               /* repeat */
    size_t body_count;
};

struct job_steps {
    struct job_step *steps;
    size_t count;
};

struct job_check {
    size_t buffer;
    bool exact;
    double bound;   /* times the magnitude */
    bool nonfinite; /* NaN and infinities may be expected */
    char *file;     /* the template, and where the check stands in it; NULL: unknown */
    unsigned line, column;
};

/*
 * One size. Loops are unrolled and swaps applied, which leaves a list of steps. Where the launches leave two buffers
 * swapped, the check and the reference of each refer to the buffer that holds its result at the end.
 */
struct job_case {
    char *size_text;
    uint64_t reference_key; /* equal for cases with equal inputs and expected outputs */
    struct job_buffer *buffers;
    size_t buffer_count;
    struct job_steps setup, prepare, launch, reference;
    struct job_check *checks;
    size_t check_count;
    struct work work;
};

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
    char *defines; /* "#define TILE_M 64\n..." */
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

struct job {
    struct job_program program;   /* prepare and launch; compiled by a compile worker */
    struct job_program setup;     /* compiled by the measuring worker, once */
    struct job_program reference; /* likewise */
    struct job_case cases[JOB_CASES];
    bool has_awkward;
    uint64_t reference_key; /* of both cases: equal for jobs with equal inputs and expected outputs */
    uint64_t seed;          /* of the random inputs */
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
