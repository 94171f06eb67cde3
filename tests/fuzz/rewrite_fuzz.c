/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as CUDA source for the CPU device. Each line stays where it was, and nothing is included that is not
 * there. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cpu/inclusion.h"
#include "tuner/device/cpu/rewrite.h"

#include <string.h>

static size_t newlines(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

static void expand(const char *text, size_t size)
{
    const struct compile_request request = {.path = "/absent/k.cu", .text = text, .length = size};
    size_t length = 0;
    char *expanded = inclusion_expand(&request, &length, NULL);
    fuzz_require(expanded && (memmem(text, size, "\"/", 2) || memmem(text, size, "</", 2) ||
                              (length == size && memcmp(expanded, text, size) == 0)));
    free(expanded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size), *written, *clusters, *launched;
    size_t length, clusters_length, launched_length;
    struct rewritten rewritten = {0};
    const struct rewrite_to to = {.text = open_memstream(&written, &length),
                                  .clusters = open_memstream(&clusters, &clusters_length),
                                  .launched = open_memstream(&launched, &launched_length)};
    fuzz_require(to.text && to.clusters && to.launched && rewrite_source(text, size, &to, &rewritten));
    fclose(to.text);
    fclose(to.clusters);
    fclose(to.launched);
    expand(text, size);
    fuzz_require(newlines(written, length) == newlines(text, size));
    free(written);
    free(clusters);
    free(launched);
    free(text);
    return 0;
}
