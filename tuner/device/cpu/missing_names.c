/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/missing_names.h"

#include "tuner/device/log_advice.h"
#include "tuner/error/text_stream.h"

#include <stdio.h>
#include <string.h>

/* GCC's words about an overloaded name, on the line before `at`. */
static bool follows_ambiguity(const char *log, const char *at)
{
    static const char words[] = "unable to deduce";
    const char *start = at;
    while (start > log && start[-1] == '\n')
        start--;
    while (start > log && start[-1] != '\n')
        start--;
    return memmem(start, (size_t)(at - start), words, sizeof words - 1);
}

static bool complains(const char *log, size_t line)
{
    char start[96];
    int length = snprintf(start, sizeof start, MISSING_NAMES_TABLES ":%zu:", line);
    for (const char *at = log; (at = strstr(at, start)); at += length) {
        const char *after = at + length + strspn(at + length, "0123456789");
        if (strncmp(after, ": error", 7) == 0 || follows_ambiguity(log, at))
            return true;
    }
    return false;
}

/* A table takes a line of its own before its names, and one behind. */
char *missing_names_explain(const char *log, const struct compile_request *request)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    for (size_t i = 0; i < request->kernel_count; i++) {
        if (complains(log, 2 + i))
            fprintf(stream.out, "%s: error: there is no __global__ function '%s', or more than one\n", request->path,
                    request->kernels[i]);
    }
    for (size_t i = 0; i < request->symbol_count; i++) {
        if (complains(log, 4 + request->kernel_count + i))
            fprintf(stream.out, "%s: error: there is no __constant__ or __device__ variable '%s', or more than one\n",
                    request->path, request->symbols[i]);
    }
    fputs(log, stream.out);
    log_advice_write(stream.out, log);
    return text_stream_close(&stream, NULL);
}
