/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a T1 file, which is refused or converted to texts that read back without error. */
#include "tests/fuzz/fuzz.h"
#include "tuner/formats/t1_import.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct t1_import import;
    struct error error;
    char *text = calloc(size + 1, 1);
    if (!text)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    t1_import("fuzz", text, size, &(struct t1_import_setting){0}, &import, &error);
    t1_import_clear(&import);
    free(text);
    return 0;
}
