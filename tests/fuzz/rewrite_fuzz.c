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
    char *text = fuzz_copy(data, size), *written, *clusters;
    size_t length, clusters_length;
    struct rewritten rewritten = {0};
    FILE *stream = open_memstream(&written, &length), *list = open_memstream(&clusters, &clusters_length);
    fuzz_require(stream && list && rewrite_source(text, size, stream, list, &rewritten));
    fclose(stream);
    fclose(list);
    fuzz_require(newlines(written, length) == newlines(text, size));
    free(written);
    free(clusters);
    free(text);
    return 0;
}
