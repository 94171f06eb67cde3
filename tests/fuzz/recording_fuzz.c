/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a recording. An accepted one must be consistent and form a search space. */
#include "tests/fuzz/recording_check.h"
#include "tuner/formats/recording_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recording *recording;
    struct error error;
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (recording_parse("fuzz.json", text, size, &recording, &error)) {
        recording_check(recording);
        recording_free(recording);
    }
    free(text);
    return 0;
}
