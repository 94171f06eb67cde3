/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/outcome.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
} outcomes[OUTCOME_COUNT] = {
    [OUTCOME_OK] = {"ok", "valid and timed"},
    [OUTCOME_HOST_ERROR] = {"host_error", "an expression of the template fails for it"},
    [OUTCOME_COMPILE_ERROR] = {"compile_error", "does not compile"},
    [OUTCOME_COMPILE_CRASH] = {"compile_crash", "the compiler died"},
    [OUTCOME_COMPILE_TIMEOUT] = {"compile_timeout", "the compiler did not end in time"},
    [OUTCOME_RESOURCES] = {"resources", "needs more than the device has"},
    [OUTCOME_MEMORY] = {"memory", "buffers do not fit into memory"},
    [OUTCOME_LAUNCH_ERROR] = {"launch_error", "launch refused"},
    [OUTCOME_FAULT] = {"fault", "illegal address, trap or assertion"},
    [OUTCOME_WRONG_RESULT] = {"wrong_result", "wrong result"},
    [OUTCOME_NOT_FINITE] = {"not_finite", "NaN, infinity or nothing written"},
    [OUTCOME_OUT_OF_BOUNDS] = {"out_of_bounds", "out of bounds of a buffer, or wrote into an input"},
    [OUTCOME_TIMEOUT] = {"timeout", "did not end in time"},
    [OUTCOME_CRASH] = {"crash", "the measuring process died"},
    [OUTCOME_LIMIT] = {"limit", "outside a limit as compiled, so not measured"},
};

const char *outcome_name(enum outcome outcome)
{
    return outcomes[outcome].name;
}

const char *outcome_meaning(enum outcome outcome)
{
    return outcomes[outcome].meaning;
}

bool outcome_find(const char *name, enum outcome *outcome)
{
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        if (strcmp(outcomes[i].name, name) == 0) {
            *outcome = (enum outcome)i;
            return true;
        }
    }
    return false;
}
