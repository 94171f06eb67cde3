/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.h - errors as values: a code, a text, a hint and a place.
 *
 * Every function that can fail returns bool and takes a `struct error *` as its last argument; it returns false after
 * it has filled the error in. Nothing in the library prints or exits: the command line prints an error once, at the
 * end of the road. An error owns no memory, so it can live on the stack and be copied.
 *
 *     if (size < 0)
 *         return error_set(error, ERROR_INPUT, "size %s is negative", name);
 */
#ifndef TUNE_ERROR_H
#define TUNE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum error_code {
    ERROR_NONE = 0,
    ERROR_INPUT,         /* the user's text, option or number is wrong: exit status 2 */
    ERROR_WORK,          /* the work itself failed: nothing valid found, device lost: exit status 1 */
    ERROR_SYSTEM,        /* files, processes, the database: exit status 1 */
    ERROR_OUT_OF_MEMORY, /* an allocation of our own failed: exit status 1 */
    ERROR_RESOURCES,     /* a kernel needs more than the device has (threads, registers, shared memory) */
    ERROR_DOES_NOT_FIT,  /* a kernel's buffers do not fit the device, or its compilation the compiler's limit */
    ERROR_FAULT,         /* a kernel faulted; the device context is dead and its process must end */
};

/* A span of a text: where in which file. `text` is the whole text of the file, `offset` counts bytes from its start.
 */
struct place {
    const char *file; /* NULL: no place */
    const char *text;
    size_t offset;
    size_t length;
};

struct error {
    enum error_code code;
    char text[1024];
    char hint[256];
    char file[512];
    unsigned line, column;        /* counted from 1; 0: no place */
    char excerpt[256];            /* the line of the file, without its end */
    unsigned caret, caret_length; /* columns of the excerpt to underline, counted from 0 */
};

/* Fill `error` in (NULL is allowed and ignored). Always returns false. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place, which error_print shows as file:line:column, the line and a caret. Always returns false. */
bool error_at(struct error *error, enum error_code code, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* An allocation failed: ERROR_OUT_OF_MEMORY. Always returns false. */
bool error_out_of_memory(struct error *error);

/* This machine lacks something (ERROR_SYSTEM, ERROR_OUT_OF_MEMORY): it says nothing about the kernel at hand. */
bool error_is_of_machine(const struct error *error);

/* Add a hint ("did you mean ...?") to a filled-in error. Always returns false. */
bool error_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells the compiler of "always", or it warns of values that stay unset where a failure returned true. */
static inline bool error_is_false(bool result)
{
    (void)result;
    return false;
}
#define error_set(...)             error_is_false(error_set(__VA_ARGS__))
#define error_out_of_memory(error) error_is_false(error_out_of_memory(error))
#define error_at(...)              error_is_false(error_at(__VA_ARGS__))
#define error_hint(...)            error_is_false(error_hint(__VA_ARGS__))

/* Write "tune: file:line:column: text", the line with a caret under the span, and the hint. */
void error_print(const struct error *error, FILE *stream);

/* The exit status for an error: 2 for ERROR_INPUT, else 1. */
int error_exit_status(const struct error *error);

/*
 * The name of the list nearest to `name` by Damerau-Levenshtein distance, or NULL when none is close enough to be a
 * slip of the finger (a third of the letters, at least one).
 */
const char *error_nearest(const char *name, const char *const *names, size_t count);

#endif
