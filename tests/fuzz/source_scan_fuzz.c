/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a source, after a line of defines. The same source has the same key. */
#include "tests/fuzz/fuzz.h"
#include "tuner/cache/source_scan.h"

static struct cache_key scan(const struct compile_request *request)
{
    struct source_scan scan;
    struct key_builder *builder = key_builder_create();
    fuzz_require(builder && source_scan_run(request, &scan, builder));
    for (size_t i = 0; i < scan.define_count; i++)
        fuzz_require(!scan.defines[i].used || !source_scan_can_drop(&scan, &scan.defines[i]));
    struct cache_key key = key_builder_key(builder);
    source_scan_clear(&scan);
    key_builder_free(builder);
    return key;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
    size_t first = newline ? (size_t)(newline - data) + 1 : 0;
    char *defines = fuzz_text(data, first), *text = fuzz_copy(data + first, size - first);
    for (char *c = defines; *c; c++)
        *c = *c == ';' ? '\n' : *c; /* several defines */
    const struct compile_request request = {.path = "/nonexistent/fuzz.cu",
                                            .text = text,
                                            .length = size - first,
                                            .folder = "/nonexistent",
                                            .defines = defines};
    struct cache_key once = scan(&request), again = scan(&request);
    fuzz_require(cache_key_equal(&once, &again));
    free(defines);
    free(text);
    return 0;
}
