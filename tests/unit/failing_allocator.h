/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failing_allocator.h - an allocator that counts and fails one allocation on demand.
 *
 * The linker's --wrap redirects every allocation of our own code here (tests/unit/CMakeLists.txt); jansson and SQLite
 * are redirected through their own hooks. Run a scenario repeatedly, failing one allocation later each time, until it
 * completes without reaching the failing one:
 *
 *     for (size_t n = 1; failing_allocator_begin(n), scenario(), failing_allocator_end(); n++)
 *         ...
 *
 * LeakSanitizer reports leaks in the sanitized build.
 */
#ifndef TUNE_TESTS_FAILING_ALLOCATOR_H
#define TUNE_TESTS_FAILING_ALLOCATOR_H

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    size_t count;   /* allocations since failing_allocator_begin */
    size_t failing; /* number of the one that fails; 0: none */
    bool on, failed;
    void (*on_failure)(void); /* called when it fails; may be NULL */
} failing_allocator;

static inline bool allocation_fails(void)
{
    if (!failing_allocator.on || ++failing_allocator.count != failing_allocator.failing)
        return false;
    failing_allocator.failed = true;
    if (failing_allocator.on_failure)
        failing_allocator.on_failure();
    errno = ENOMEM;
    return true;
}

/* Start counting and fail the n-th allocation from here; 0 only counts. */
static inline void failing_allocator_begin(size_t n)
{
    failing_allocator.count = 0;
    failing_allocator.failing = n;
    failing_allocator.failed = false;
    failing_allocator.on = true;
}

/* Stop failing allocations. Returns whether one failed. */
static inline bool failing_allocator_end(void)
{
    failing_allocator.on = false;
    return failing_allocator.failed;
}

/* The wrapped functions; the linker dictates their names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_reallocarray(void *memory, size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
int __real_vasprintf(char **text, const char *format, va_list arguments);
FILE *__real_open_memstream(char **text, size_t *length);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_reallocarray(void *memory, size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_vasprintf(char **text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
/* what the two above become with _FORTIFY_SOURCE */
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...) __attribute__((format(printf, 3, 4)));
int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
FILE *__wrap_open_memstream(char **text, size_t *length);

void *__wrap_malloc(size_t bytes)
{
    return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return allocation_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return allocation_fails() ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_reallocarray(void *memory, size_t count, size_t bytes)
{
    return allocation_fails() ? NULL : __real_reallocarray(memory, count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return allocation_fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    return allocation_fails() ? ENOMEM : __real_posix_memalign(memory, alignment, bytes);
}

char *__wrap_strdup(const char *text)
{
    return allocation_fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
    return allocation_fails() ? NULL : __real_strndup(text, length);
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    return allocation_fails() ? -1 : __real_vasprintf(text, format, arguments);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return __wrap_vasprintf(text, format, arguments);
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

FILE *__wrap_open_memstream(char **text, size_t *length)
{
    return allocation_fails() ? NULL : __real_open_memstream(text, length);
}

/* NOLINTEND(bugprone-reserved-identifier) */

/* jansson 2.14 does not look whether the buffer of the token that it reads could grow, and goes on beyond its end:
 * the sizes that this doubles to are always there. */
static inline void *failing_allocator_for_jansson(size_t bytes)
{
    bool doubled = bytes > 16 && (bytes & (bytes - 1)) == 0;
    return doubled ? __real_malloc(bytes) : __wrap_malloc(bytes);
}

/* Make jansson allocate here as well. */
static inline void failing_allocator_take_jansson(void)
{
    json_set_alloc_funcs(failing_allocator_for_jansson, free);
}

#endif
