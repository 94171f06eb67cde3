/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a source that may define macros. An event is on a line that the source has. */
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
    static const struct macro_name names[] = {{"N", 1}, {"UNROLL", 6}};
    struct define_scan scan;
    char *text = fuzz_copy(data, size);
    fuzz_require(define_scan("/nonexistent/fuzz.cu", text, size, NULL, names, 2, &scan));
    for (size_t i = 0; i < scan.count; i++) {
        const struct macro_event *event = &scan.events[i];
        fuzz_require(event->in_source && event->line > 0 && event->line <= line_count(text, size) &&
                     event->end <= size && (event->kind == MACRO_INCLUDED || event->name < 2));
    }
    define_scan_clear(&scan);
    free(text);
    return 0;
}
