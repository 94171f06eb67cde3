/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/compiler_log.h"

#include "tuner/device/log_advice.h"
#include "tuner/error/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the assembler's line on a function's stack and spills, after the first number. */
static const char figures_start[] = "bytes stack frame,";

/* ---- messages ---- */

/* One of the assembler's lines with figures? */
static bool is_figure(const char *line, size_t length)
{
    if (memmem(line, length, figures_start, sizeof figures_start - 1))
        return true;
    if (length <= 6 || strncmp(line, "ptxas ", 6) != 0)
        return false;
    const char *text = line + 6 + strspn(line + 6, " ");
    return strncmp(text, "info", 4) == 0 || *text == '.';
}

static void copy_messages(FILE *stream, const char *log)
{
    bool lookup = false; /* inside a message about a failed lookup, which ends with an empty line */
    while (*log) {
        size_t length = strcspn(log, "\n");
        length += log[length] == '\n';
        if (strncmp(log, "__nv_name_map(", 14) == 0)
            lookup = true;
        if (!lookup && !is_figure(log, length))
            fwrite(log, 1, length, stream);
        if (*log == '\n')
            lookup = false;
        log += length;
    }
}

/* For a name that it cannot look up, NVRTC writes: Input name expression was: " & name" */
static bool lookup_failed(const char *log, const char *name)
{
    static const char before[] = "name expression was: \"";
    size_t length = strlen(name + (*name == '&'));
    for (const char *at = log; (at = strstr(at, before)); at++) {
        const char *expression = at + sizeof before - 1;
        expression += strspn(expression, *name == '&' ? " &" : " ");
        if (strncmp(expression, name + (*name == '&'), length) == 0 && expression[length] == '"')
            return true;
    }
    return false;
}

/* NVRTC: catastrophic error: cannot (or could not) open source file "stdio.h" */
static bool misses_host_header(const char *log)
{
    static const char before[] = " open source file \"";
    static const char *const names[] = {"stdio.h",  "stdlib.h", "math.h",  "assert.h",  "stdint.h",   "string.h",
                                        "stddef.h", "limits.h", "float.h", "stdbool.h", "inttypes.h", "time.h",
                                        "cstdio",   "cstdlib",  "cmath",   "cassert",   "cstdint",    "cstring",
                                        "cstddef",  "climits",  "cfloat",  "algorithm", "iostream",   "type_traits",
                                        "limits",   "utility",  "vector",  "string",    "tuple",      "array"};
    for (const char *at = log; (at = strstr(at, before)); at++) {
        const char *name = at + sizeof before - 1;
        size_t length = strcspn(name, "\"\n");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
                return true;
        }
    }
    return false;
}

char *compiler_log_messages(const char *log, const char *path, const struct image_name *names, size_t name_count,
                            const char *failure)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    for (size_t i = 0; failure && i < name_count; i++) {
        const char *name = names[i].name;
        if (lookup_failed(log, name))
            fprintf(stream.out, "%s: error: there is no %s '%s', or more than one\n", path,
                    *name == '&' ? "__constant__ or __device__ variable" : "__global__ function",
                    name + (*name == '&'));
    }
    copy_messages(stream.out, log);
    if (failure && misses_host_header(log))
        fputs("note: NVRTC compiles without the headers of the host's C and C++ libraries. printf, assert, malloc "
              "and the "
              "mathematical functions are built in: put the #include inside #ifndef __CUDACC_RTC__\n",
              stream.out);
    if (failure)
        log_advice_write(stream.out, log);
    bool silent = fflush(stream.out) == 0 && stream.length == 0;
    if (failure && silent)
        fprintf(stream.out, "%s: error: the compiler failed without a message (%s)\n", path, failure);
    return text_stream_close(&stream, NULL);
}

/* ---- spills ---- */

static bool is_kernel(const struct image_name *kernels, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(kernels[i].lowered) == length && strncmp(kernels[i].lowered, name, length) == 0)
            return true;
    }
    return false;
}

/* After each "Compiling entry function '<name>'" come the kernel's figures and those of the functions it calls. */
int64_t compiler_log_spills(const char *log, const struct image_name *kernels, size_t kernel_count)
{
    static const char entry[] = "Compiling entry function '";
    int64_t sum = -1;
    bool wanted = false;
    for (const char *line = log; *line; line += line[0] == '\n') {
        size_t length = strcspn(line, "\n");
        const char *name = memmem(line, length, entry, sizeof entry - 1);
        const char *figures = memmem(line, length, figures_start, sizeof figures_start - 1);
        long long stores, loads;
        if (name) {
            name += sizeof entry - 1;
            wanted = is_kernel(kernels, kernel_count, name, strcspn(name, "'\n"));
        } else if (figures && wanted &&
                   sscanf(figures, "bytes stack frame, %12lld bytes spill stores, %12lld bytes spill loads", &stores,
                          &loads) == 2 &&
                   stores >= 0 && loads >= 0) { /* of 12 digits at most, so that a sum cannot overflow */
            sum = (sum < 0 ? 0 : sum) + stores + loads;
        }
        line += length;
    }
    return sum;
}
