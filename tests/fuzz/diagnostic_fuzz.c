/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the diagnostics that a check's worker leaves in a file. What is read reads back from what is written.
 */
#include "tests/fuzz/scratch.h"
#include "tuner/check/diagnostic.h"

#include <fcntl.h>

static struct raw_diagnostic *read_list(const char *path, size_t *count)
{
    struct error error = {0};
    struct raw_diagnostic *list = NULL;
    if (!raw_diagnostics_read(path, &list, count, &error))
        fuzz_refused(&error);
    return list;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_MAX];
    size_t count = 0, again_count = 0;
    scratch_path(path, "diagnostics");
    scratch_write(path, data, size);
    struct raw_diagnostic *list = read_list(path, &count);
    int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    fuzz_require(file >= 0);
    for (size_t i = 0; i < count; i++)
        fuzz_require((unsigned)list[i].kind < DIAGNOSTIC_KINDS && raw_diagnostic_write(file, &list[i]));
    close(file);
    struct raw_diagnostic *again = read_list(path, &again_count);
    fuzz_require(again_count == count);
    for (size_t i = 0; i < count; i++)
        fuzz_require(again[i].kind == list[i].kind && again[i].code == list[i].code && again[i].line == list[i].line);
    free(again);
    free(list);
    return 0;
}
