/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flaw.h - what a check has found: on its way from the worker that found it, and gathered over configurations.
 *
 * A worker appends each flaw to a file as it is made, a line of JSON, so that nothing is lost when the kernel ends
 * the process. There the place is an offset into the module; the parent makes a file and a line of it (location.h).
 */
#ifndef TUNE_CHECK_FLAW_H
#define TUNE_CHECK_FLAW_H

#include "tuner/error/error.h"

#include <stdint.h>

enum flaw_kind {
    FLAW_OUT_OF_BOUNDS,
    FLAW_UNINITIALISED,
    FLAW_RACE,
    FLAW_DIVERGENT_BARRIER,
    FLAW_FAULT,   /* a trap, an assertion, an address that is not there */
    FLAW_COMPILE, /* the source does not compile */
    FLAW_TIMEOUT,
    FLAW_KINDS,
};
extern const char *const flaw_kind_names[]; /* "out of bounds", ... */

/* As a worker tells it. */
struct raw_flaw {
    enum flaw_kind kind;
    uint64_t code, other; /* offsets behind the instructions; 0: not known, or no other */
    int line;             /* of the program's file, where no offset is known; 0: not known either */
    int column;           /* of an index without a variable; 0: not known */
    char variable[64];
    char text[512]; /* "%OTHER%" stands for the place of the other instruction */
};

/* Append to a file. Makes no use of the heap and may be called in a signal handler. */
bool raw_flaw_write(int file, const struct raw_flaw *flaw);

/* Read all of a file; the list is allocated. A line that was cut short by the end of its process is left out. */
bool raw_flaws_read(const char *path, struct raw_flaw **list, size_t *count, struct error *error);

/* As people are told. */
struct flaw {
    enum flaw_kind kind;
    char file[512];
    unsigned line; /* 0: not known */
    char variable[64];
    char text[1024];
    const char *tool;
    size_t configurations; /* in how many */
    char *example;         /* one of them, canonical JSON */
    char *size;            /* at which it was found */
    size_t last;           /* number of the configuration that was counted last */
};

struct flaws {
    struct flaw *list;
    size_t count, room;
};

/* Add one, of configuration number `number`; one of the same kind, file and line counts as the same. */
bool flaws_add(struct flaws *list, const struct flaw *flaw, size_t number, const char *example, const char *size,
               struct error *error);
void flaws_sort(struct flaws *list); /* by file, line, kind */
void flaws_clear(struct flaws *list);

#endif
