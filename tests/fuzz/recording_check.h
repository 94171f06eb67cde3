/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_check.h - a recording that was accepted is consistent and forms a search space.
 */
#ifndef TUNE_FUZZ_RECORDING_CHECK_H
#define TUNE_FUZZ_RECORDING_CHECK_H

#include "tests/fuzz/fuzz.h"
#include "tuner/formats/recording.h"

static inline void recording_check(const struct recording *recording)
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

#endif
