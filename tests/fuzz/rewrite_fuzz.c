/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as CUDA source for the CPU device. Each line stays where it was. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cpu/rewrite.h"

static size_t newlines(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size), *written;
    size_t length;
    struct rewritten rewritten = {0};
    FILE *stream = open_memstream(&written, &length);
    fuzz_require(stream && rewrite_source(text, size, stream, &rewritten));
    fclose(stream);
    fuzz_require(newlines(written, length) == newlines(text, size));
    free(written);
    free(text);
    return 0;
}
