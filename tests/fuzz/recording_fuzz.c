/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a recording. An accepted one must be consistent and form a search space. */
#include "tests/fuzz/fuzz.h"
#include "tuner/formats/recording_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check(const struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_result *result = &recording->results[i];
        if ((result->outcome == OUTCOME_OK) != (result->time_ns > 0) || !(recorded_cost(result) >= 0))
            abort();
        for (size_t j = 0; j < recording->parameter_count; j++) {
            if (recording->rows[i * recording->parameter_count + j] >= recording->parameters[j].count)
                abort();
        }
    }
    struct search_space *space = NULL;
    struct error error;
    if (!search_space_listed(recording->parameters, recording->parameter_count, recording->rows, recording->count,
                             &space, &error))
        abort();
    search_space_free(space);
}

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
        check(recording);
        recording_free(recording);
    }
    free(text);
    return 0;
}
