/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune.h - libtune: the best known configuration of a kernel, in a program of your own.
 *
 *     struct tune_error error;
 *     struct tune *tune;
 *     struct tune_answer *answer;
 *     struct tune_kernel *gemm;
 *     const struct tune_size sizes[] = {{"M", 4096}, {"N", 4096}, {"K", 512}};
 *     const struct tune_problem problem = {
 *         .bytes = sizeof problem, .kernel = "gemm", .sizes = sizes, .size_count = 3};
 *     const struct tune_buffer buffers[] = {{a, 0}, {b, 0}, {c, 0}};
 *
 *     if (tune_open(NULL, &tune, &error) || tune_best(tune, &problem, &answer, &error) ||
 *         tune_load(tune, answer, NULL, &gemm, &error) || tune_launch(gemm, stream, buffers, 3, &error))
 *         fprintf(stderr, "%s\n", error.text);
 *
 * For C and C++, with CUDA or without: streams and functions of CUDA are `void *` here. Nothing is printed, no signal
 * handler installed, no process ended, and no state is kept outside of handles; threads are started only where an
 * option asks for that, and by the CPU device, which has a pool of them for its blocks. What is not validated for at
 * least one problem is never launched, unless a flag says so.
 *
 * Every function may be called by several threads at once, also with the same handle, unless it says otherwise; to
 * free a handle that another thread still uses is an error of the caller. Handles may be freed in any order: each
 * keeps what it needs. Functions that return an enum tune_code fill in `error`, which may be NULL, if and only if
 * they return another than TUNE_OK; then they leave their results NULL. Strings belong to the handle that they come
 * from. A structure whose first member is `bytes` may grow: set that to its size, and the rest to zero.
 */
#ifndef TUNE_H
#define TUNE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TUNE_API __attribute__((visibility("default")))
#else
#define TUNE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface; the library's own is tune_version(). Programs that have not read this header when they
 * were built compare it with tune_interface(). */
#define TUNE_INTERFACE 1

enum tune_code {
    TUNE_OK = 0,
    TUNE_ERROR_ARGUMENT,    /* the call: a null pointer, a wrong count, a buffer that is too small */
    TUNE_ERROR_INPUT,       /* a name or a size that does not exist, a template or file that is wrong */
    TUNE_ERROR_DATABASE,    /* stored results cannot be read */
    TUNE_ERROR_COMPILE,     /* the kernel does not compile here, or needs more than the device has */
    TUNE_ERROR_DEVICE,      /* no device, or it failed: its context is lost */
    TUNE_ERROR_MEMORY,      /* of the host or the device */
    TUNE_ERROR_UNVALIDATED, /* nothing that was ever validated fits the problem */
    TUNE_ERROR_CAPTURING,   /* what was asked for waits for the device, which a stream that is captured cannot */
    TUNE_ERROR_SYSTEM       /* files, threads */
};

struct tune_error {
    enum tune_code code;
    char text[1024];
    char hint[256];        /* "": none */
    char file[512];        /* "": no place */
    unsigned line, column; /* from 1; 0: none */
};

/* "argument", "input", ... */
TUNE_API const char *tune_code_name(enum tune_code code);

/* "0.1.0" */
TUNE_API const char *tune_version(void);

/* The library's TUNE_INTERFACE. */
TUNE_API int tune_interface(void);

/* ---- knowledge ---- */

struct tune;

struct tune_options {
    size_t bytes;
    /* The folder of templates, spaces and shipped knowledge. NULL: $TUNE_HOME, else share/tune beside or above the
     * library's folder, else the source tree that the library was built in. */
    const char *home;
    /* The user's own results, beside what the site ($TUNE_SITE) and tune itself know. NULL: $TUNE_DB, else the usual
     * place. It need not exist, is only read, and is not kept open. */
    const char *database;
    /* A file of `tune export --known`, which alone is asked then. NULL: the database. */
    const char *known;
    /* Compiled images. NULL: the user's cache ($TUNE_CACHE, else the usual place). */
    const char *cache;
};

/*
 * `options` may be NULL. What of the knowledge is damaged is left out (tune_trouble); without any, the defaults of
 * the spaces are the answers. If $TUNE_CAPTURE is the path of a file, kernels that are loaded with this handle add to
 * it, when they are freed, with which sizes and how often they were launched, for `tune NAME --sizes FILE`. With the
 * path of a folder in $TUNE_CAPTURE_DATA they also write there what their inputs hold at the first launch, which then
 * waits for its stream: such a sweep has these data where it would make some up. A sparse matrix becomes a file in
 * Matrix Market format. Left out is what setup makes of other inputs, and a matrix that has an element twice.
 */
TUNE_API enum tune_code tune_open(const struct tune_options *options, struct tune **tune, struct tune_error *error);
TUNE_API void tune_close(struct tune *tune); /* NULL: nothing happens */

/* What could not be read: TUNE_OK if all could. */
TUNE_API enum tune_code tune_trouble(struct tune *tune, struct tune_error *error);

/* Read again what is known, and templates: results that were stored after the first question about a kernel, by this
 * process or others, and sources that were edited since are seen by tune_best only after this. */
TUNE_API void tune_refresh(struct tune *tune);

/* ---- answers ---- */

struct tune_size {
    const char *name;
    int64_t value;
};

/*
 * Sizes that follow from a sparse matrix (`matrix A[ROWS, COLUMNS, NONZEROS, LONGEST] = ...` in a template; `tune
 * show` calls them derived) are those of the matrix that the program passes: of spmv, with a matrix of 1000 rows and
 * 4960 nonzeros, at most 5 in a row,
 *
 *     {"ROWS", 1000}, {"COLUMNS", 1000}, {"NONZEROS", 4960}, {"LONGEST", 5}
 *
 * Give all of those that the template has of a matrix, or none: then the matrix must be one such as its setup block
 * makes. What only setup reads (MEAN and SHAPE of spmv) still weighs in what is nearest to the problem. The kernel
 * relies on these numbers; the entries of a row must be in the order of their columns, each column once.
 */

struct tune_problem {
    size_t bytes;
    const char *kernel; /* a shipped template ("gemm"), or the path of one */
    /* "cuda:0", "cpu:0", or the path of a description (`tune list devices --json`). NULL: the device of the calling
     * thread's CUDA context if it has one, else the first GPU, else the CPU device. */
    const char *device;
    const struct tune_size *sizes; /* those left out have the template's defaults */
    size_t size_count;
    const char *objective; /* NULL: the template's own, else time */
};

/* Which rule gave the answer; but for the first, from the surest on. See README, "What answers without a search". */
enum tune_rule {
    TUNE_RULE_NONE,        /* nothing is known that is valid, or only what is too far away: the space's default */
    TUNE_RULE_EXACT,       /* a result for this very problem */
    TUNE_RULE_TREE,        /* the tree that a sweep over many sizes left for this model of device */
    TUNE_RULE_DATA,        /* a result for other data */
    TUNE_RULE_SIZE,        /* the nearest: for another size, */
    TUNE_RULE_DEVICE,      /* for another device of the same architecture, */
    TUNE_RULE_ARCHITECTURE /* for a device of another architecture */
};

struct tune_answer; /* immutable */

/* The configuration that would be launched. An answer that was given before is found again in about a microsecond. */
TUNE_API enum tune_code tune_best(struct tune *tune, const struct tune_problem *problem, struct tune_answer **answer,
                                  struct tune_error *error);
TUNE_API void tune_answer_free(struct tune_answer *answer);

/* The answer for the same problem if nothing were known, to compare with: the default of the space, which may never
 * have been validated. */
TUNE_API enum tune_code tune_default(struct tune *tune, const struct tune_answer *answer, struct tune_answer **usual,
                                     struct tune_error *error);

struct tune_answer_info {
    size_t bytes;
    enum tune_rule rule;
    const char *kernel;        /* the template's name */
    const char *size;          /* "M=4096,N=4096,K=512" */
    const char *device;        /* its model */
    const char *configuration; /* canonical JSON */
    const char *defines;       /* "#define TILE_M 64\n...", as its source sees them */
    const char *origin;        /* in words: "your database, measured 2026-11-20 with NVRTC 13.0" */
    double time_ns;            /* where it was measured; 0: nowhere */
    double octaves;            /* from there to the problem (0: it is the same) */
    int validated;             /* for at least one problem */
};
TUNE_API void tune_answer_describe(const struct tune_answer *answer, struct tune_answer_info *info);

enum tune_kind { TUNE_INTEGER, TUNE_REAL, TUNE_TEXT, TUNE_BOOLEAN };

struct tune_parameter {
    size_t bytes;
    const char *name;
    enum tune_kind kind;
    int64_t integer;  /* of booleans, too: 0 or 1 */
    double real;      /* of integers, too */
    const char *text; /* of any kind, as written */
};
TUNE_API size_t tune_answer_parameter_count(const struct tune_answer *answer);
TUNE_API enum tune_code tune_answer_parameter(const struct tune_answer *answer, size_t index,
                                              struct tune_parameter *parameter, struct tune_error *error);
/* By name. */
TUNE_API enum tune_code tune_answer_find(const struct tune_answer *answer, const char *name,
                                         struct tune_parameter *parameter, struct tune_error *error);

/* ---- kernels ---- */

struct tune_kernel;

enum {
    /* If it must be compiled: do so in a thread, and launch the default until that is done. */
    TUNE_LOAD_IN_BACKGROUND = 1,
    /* Load what was never validated, too. */
    TUNE_LOAD_UNVALIDATED = 2
};

struct tune_load_options {
    size_t bytes;
    unsigned flags;
    /* Try other configurations on the program's calls (see "online tuning" below), within this share of their time:
     * 0.05 is 5 %, 0.5 the most. 0: no. */
    double online;
};

/*
 * Load the answer's kernels into the calling thread's CUDA context, or the process if the device is the CPU. What is
 * not in the cache of images is compiled and stored there, once, however many threads and processes ask. Without a
 * current context the device's primary one is retained until the kernel is freed, and current during calls. A context
 * of the program's must last as long as the kernel.
 * TUNE_ERROR_INPUT: the template's sources were edited since they were read (tune_refresh).
 */
TUNE_API enum tune_code tune_load(struct tune *tune, const struct tune_answer *answer,
                                  const struct tune_load_options *options, struct tune_kernel **kernel,
                                  struct tune_error *error);
/* Before the context, if any, that it was loaded into is destroyed; what it has launched must have ended. */
TUNE_API void tune_kernel_free(struct tune_kernel *kernel);

/* Another handle to the same code, with buffers of its own for what launches keep to themselves: for each stream in
 * which the kernel may run at the same time as in another. It launches what is best by now, and tries nothing. */
TUNE_API enum tune_code tune_kernel_fork(struct tune_kernel *kernel, struct tune_kernel **fork,
                                         struct tune_error *error);

enum tune_role { TUNE_IN, TUNE_OUT, TUNE_INOUT };

/* A buffer that the caller passes, in the template's order: its inputs and outputs, and what only its verify block
 * judges. Those that launches keep to themselves the kernel has. */
struct tune_buffer_info {
    size_t bytes;
    const char *name; /* "A" */
    const char *type; /* "float", "half", "float2", "edge" */
    enum tune_role role;
    uint64_t elements, size; /* size: in bytes */
    int on_host;             /* memory that host and device both reach */
};

struct tune_kernel_info {
    size_t bytes;
    const struct tune_answer *answer; /* that is launched now */
    size_t buffer_count;
    uint64_t workspace;  /* bytes of the device that the kernel holds */
    size_t launch_count; /* of the launch sequence; 0: it depends on the data */
    int must_prepare;    /* tune_prepare does something */
    int must_finish;     /* tune_finish does */
    int waits;           /* launches wait for the device, since what comes next depends on the data */
    int from_cache;      /* its image */
    const void *image;   /* a cubin, or a shared object; stays while the kernel does */
    size_t image_bytes;
};
TUNE_API void tune_kernel_describe(const struct tune_kernel *kernel, struct tune_kernel_info *info);
TUNE_API enum tune_code tune_kernel_buffer(const struct tune_kernel *kernel, size_t index,
                                           struct tune_buffer_info *info, struct tune_error *error);

/* For those who launch themselves. */
struct tune_launch_info {
    size_t bytes;
    const char *kernel;
    void *function;                         /* CUfunction; NULL on the CPU device */
    uint32_t grid[3], block[3], cluster[3]; /* cluster: zeros if there are none */
    size_t shared_bytes;                    /* dynamic */
    int cooperative;
};
TUNE_API enum tune_code tune_kernel_launch(const struct tune_kernel *kernel, size_t index,
                                           struct tune_launch_info *info, struct tune_error *error);

struct tune_buffer {
    void *address; /* of the device */
    uint64_t size; /* bytes; refused if that is too few; 0: the caller is sure of it */
};

/*
 * Queue the template's launch sequence in `stream` (CUstream or cudaStream_t; NULL: the default stream), whose
 * context must be the kernel's. The CPU device runs it before the call returns. Refused before anything runs: a count
 * that is wrong, a null pointer, a buffer that is too small, and an address that is no multiple of what the type
 * needs, or of 16 if the buffer has as many bytes, since any configuration may load vectors. A kernel handle must not
 * run in two streams at once if it has a workspace (tune_kernel_fork).
 */
TUNE_API enum tune_code tune_launch(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers,
                                    size_t count, struct tune_error *error);

/* What templates do once for inputs that stay the same, such as changing a layout: before the first launch, and
 * whenever inputs change that it reads. With the same buffers as tune_launch. */
TUNE_API enum tune_code tune_prepare(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers,
                                     size_t count, struct tune_error *error);
/* What they do after launches to make outputs of what these leave. */
TUNE_API enum tune_code tune_finish(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers,
                                    size_t count, struct tune_error *error);

/* ---- online tuning ---- */

/*
 * A kernel that is loaded with the option `online` tries other configurations on the program's own calls of
 * tune_launch, and goes on with what is faster. The share bounds what that costs: all that calls take longer because
 * something is tried - copies, launches on copies, the time that a slower configuration takes longer, and on a GPU
 * what the host does for it - divided by all that they take. Nothing is tried unless it is expected to stay below
 * that; what takes longer than expected is made up for before the next. Compiling, in a thread, is not counted.
 *
 *   - What may be tried: what a sweep found valid for this version of the kernel on this model of device, at any size
 *     (yours, the site's and shipped knowledge), 32 configurations at most, the likeliest first. A kernel that faults
 *     would end the program's context, so nothing is tried that never ran elsewhere.
 *   - Each is first launched on copies of a call's buffers, beside the one in use on the buffers themselves. Only if
 *     twice its outputs agree with those within the template's tolerance, its inputs are as they were, and the memory
 *     around is untouched, further calls launch it for the program, in turns with the one in use. It takes over if it
 *     is faster by 1 % in 8 of 8 pairs of calls, in 13 of 14 or in 17 of 20: noise alone would do that in 6 cases of
 *     1000.
 *   - It ends when all were tried, or 8 in a row were no better. Then, or when the kernel is freed before, what was
 *     learnt is stored in the user's database, which is created if it is not there: for this problem tune_best
 *     answers with it, in this handle after tune_refresh, until a sweep measures the problem again, and the next run
 *     does not repeat what was to no avail. That is done in the thread, or in tune_kernel_free. With a file of known
 *     results nothing is stored.
 *   - Refused, with a reason: templates whose results no two configurations have in common (in any order, judged by a
 *     verify block or by their size), that prepare or finish, whose launches depend on data, use textures or several
 *     streams, buffers of more than half a GiB in all, and objectives other than time; and where no thread can be
 *     started.
 *   - Calls into a stream that is captured, or whose buffers overlap, try nothing. Calls by several threads may; one
 *     at a time does. Nothing waits for a stream: times are taken by events around the launch and read at a later
 *     call; the CPU device has the clock. The copies take the memory of the buffers twice.
 *
 * A fault of a kernel remains one, and a configuration that is right on two calls' data may be wrong on others, as
 * one that a sweep has validated may be.
 */
enum tune_online_state {
    TUNE_ONLINE_OFF,     /* not asked for */
    TUNE_ONLINE_REFUSED, /* nothing can be tried: see `why` */
    TUNE_ONLINE_TRYING,
    TUNE_ONLINE_DONE
};

struct tune_online_info {
    size_t bytes;
    enum tune_online_state state;
    const char *why;           /* why nothing is tried, in words; "": something is */
    const char *configuration; /* the one that is launched now */
    double ratio;              /* of its time to that of the one in use at first: 0.8 is a fifth less */
    size_t candidates;         /* that may be tried, */
    size_t tried;              /* were, */
    size_t wrong;              /* and had other results */
    uint64_t calls, tries;     /* while something was tried: of tune_launch, and launches of candidates */
    double time_ns, excess_ns; /* of these calls; and what of it trying took */
    int stored;                /* what was learnt is in the database */
};
TUNE_API enum tune_code tune_kernel_online(const struct tune_kernel *kernel, struct tune_online_info *info,
                                           struct tune_error *error);

#ifdef __cplusplus
}
#endif

#endif
