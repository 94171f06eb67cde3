/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagnostic.h - what a check found: first as a worker reports it, then merged over all configurations.
 *
 * A worker appends each diagnostic to a file, a line of JSON, the moment it is found, so nothing is lost when the
 * kernel takes the process down. There a location is an offset into the module; the parent resolves it to a file and
 * a line (collect.h).
 */
#ifndef TUNE_CHECK_DIAGNOSTIC_H
#define TUNE_CHECK_DIAGNOSTIC_H

#include "tuner/error/error.h"

#include <stdint.h>

enum diagnostic_kind {
    DIAGNOSTIC_OUT_OF_BOUNDS,
    DIAGNOSTIC_UNINITIALISED,
    DIAGNOSTIC_MISALIGNED, /* of a vector, as a rule: a fault on a GPU */
    DIAGNOSTIC_RACE,
    DIAGNOSTIC_DIVERGENT_BARRIER,
    DIAGNOSTIC_FAULT,   /* a trap, a failed assertion, an unmapped address */
    DIAGNOSTIC_COMPILE, /* the source does not compile */
    DIAGNOSTIC_HOST,    /* an expression of the template fails: nothing can be compiled or launched */
    DIAGNOSTIC_TIMEOUT,
    DIAGNOSTIC_RESULT, /* differs from the reference, which may itself be at fault */
    DIAGNOSTIC_KINDS,
};
extern const char *const diagnostic_kind_names[]; /* "out of bounds", ... */

/* As a worker reports it. */
struct raw_diagnostic {
    enum diagnostic_kind kind;
    uint64_t code, other; /* return addresses as offsets into the module; 0: unknown, or no second access */
    int line;             /* of the program's file, if `code` is unknown; 0: unknown as well */
    int column;           /* of an index expression whose variable is unknown; 0: unknown */
    char variable[64];
    char text[512]; /* DIAGNOSTIC_OTHER stands for the location of the second access */
};
#define DIAGNOSTIC_OTHER "%OTHER%"

/* Append to a file. Does not allocate and may be called in a signal handler. */
bool raw_diagnostic_write(int file, const struct raw_diagnostic *diagnostic);

/* Read a whole file into an allocated list. A last line cut short by the death of its process is skipped. */
bool raw_diagnostics_read(const char *path, struct raw_diagnostic **list, size_t *count, struct error *error);

/* As the user sees it. */
struct diagnostic {
    enum diagnostic_kind kind;
    char file[512];
    unsigned line; /* 0: unknown */
    char variable[64];
    char text[1024];
    const char *tool;
    size_t configurations; /* how many have it */
    char *example;         /* one of them, canonical JSON */
    char *size;            /* the size it was found at */
    size_t last;           /* the configuration counted last */
};

struct diagnostics {
    struct diagnostic *list;
    size_t count, capacity;
};

/* Add one, found in configuration `number`. Those of the same kind, file and line are merged. */
bool diagnostics_add(struct diagnostics *list, const struct diagnostic *diagnostic, size_t number,
                     const char *example, const char *size, struct error *error);
void diagnostics_sort(struct diagnostics *list); /* by file, line, kind */
void diagnostics_clear(struct diagnostics *list);

#endif
