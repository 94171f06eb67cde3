/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.h - errors as values: a code, a text, a hint and a place.
 *
 * A function that can fail returns bool and takes a `struct error *` as its last argument, which it fills in before
 * it returns false. The library never prints or exits: the command line prints the error, once. An error owns no
 * memory, so it can live on the stack and be copied.
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
    ERROR_OUT_OF_MEMORY, /* an allocation failed on the host: exit status 1 */
    ERROR_RESOURCES,     /* a kernel needs more threads, registers or shared memory than the device has */
    ERROR_DOES_NOT_FIT, /* a kernel's buffers do not fit the device, or its compilation the compiler's memory limit */
    ERROR_FAULT,        /* a kernel faulted; the device context is dead and its process must exit */
    ERROR_DEVICE,       /* the device failed or went away, whatever the kernel; its process must exit */
    ERROR_MESSAGE,      /* another process sent what it must not: exit status 1 */
};

/* A span of a file: `text` is the whole file, `offset` and `length` are in bytes. */
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
    char excerpt[256];            /* that line of the file, without its newline */
    unsigned caret, caret_length; /* bytes of the excerpt to underline, counted from 0 */
};

/* Fill in `error`, which may be NULL. Always returns false. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place, which error_print shows as file:line:column with the line and a caret. */
bool error_at(struct error *error, enum error_code code, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* An allocation failed: ERROR_OUT_OF_MEMORY. Always returns false. */
bool error_out_of_memory(struct error *error);

/* Is the machine at fault (ERROR_SYSTEM, ERROR_OUT_OF_MEMORY, ERROR_DEVICE)? Such an error says nothing about a
 * kernel. */
bool error_is_of_machine(const struct error *error);

/* Add a hint ("did you mean ...?") to a filled-in error. Always returns false. */
bool error_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lets the compiler see "always returns false", or it warns about variables left unset after a failure. */
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

/* "file:line:column: ", "file: " or "", cut off at `size`. */
void error_place_text(const struct error *error, char *text, size_t size);

/* The exit status for an error: 2 for ERROR_INPUT, else 1. */
int error_exit_status(const struct error *error);

/*
 * The name nearest to `name` by Damerau-Levenshtein distance, for "did you mean"; NULL if none is within a third of
 * the letters of `name` (at least one).
 */
const char *error_nearest(const char *name, const char *const *names, size_t count);

#endif
