/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a source that may define macros. A definition is on a line that the source has. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/define_scan.h"

static unsigned line_count(const char *text, size_t size)
{
    unsigned lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct macro_definition definitions[] = {{.name = "N", .name_length = 1}, {.name = "UNROLL", .name_length = 6}};
    bool complete;
    char *text = fuzz_copy(data, size);
    fuzz_require(define_scan("/nonexistent/fuzz.cu", text, size, NULL, definitions, 2, &complete));
    for (size_t i = 0; i < 2; i++) {
        const struct macro_definition *definition = &definitions[i];
        fuzz_require(!definition->path || (definition->line > 0 && definition->line <= line_count(text, size) &&
                                           memmem(text, size, definition->name, definition->name_length)));
        free(definition->path);
    }
    free(text);
    return 0;
}
