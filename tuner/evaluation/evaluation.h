/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluation.h - what is known of one configuration once it was compiled, validated and measured, or has failed.
 */
#ifndef TUNE_EVALUATION_EVALUATION_H
#define TUNE_EVALUATION_EVALUATION_H

#include "tuner/description/resources.h"
#include "tuner/description/state.h"
#include "tuner/error/error.h"
#include "tuner/evaluation/outcome.h"

#include <stddef.h>

struct json_t; /* jansson */

struct evaluation {
    enum outcome outcome;
    char *message; /* "" if all is well; allocated */

    double time_ns;                   /* median; 0 unless ok */
    double time_low_ns, time_high_ns; /* 95 % confidence interval of the median */
    double *samples_ns;               /* raw, in the order taken; allocated */
    size_t sample_count;
    double error_ratio; /* largest error over the allowed one; <= 1 when ok; -1: not validated */
    int64_t throttled; /* samples taken while the device was throttled; repeated, unless it did not end (see state) */

    double energy_j;       /* of one run of the launches; -1: not measured */
    double energy_error_j; /* half the width of its interval */

    char uuid[64]; /* of the device that measured it; "" if none did */
    uint64_t seed; /* of the inputs that it was validated on */

    struct kernel_resources resources; /* of the kernel that needs most registers */
    int64_t spill_bytes;
    struct device_state state;
    double compile_seconds, validate_seconds, measure_seconds;
    double framework_seconds; /* what another tool took for itself, of rows that were imported; 0: not known */
};

/* Any bytes as a JSON string (new reference): a compiler's log can hold what is not UTF-8, and then what is not ASCII
 * becomes '?'. NULL: out of memory. */
struct json_t *evaluation_text_json(const char *text);

void evaluation_clear(struct evaluation *evaluation);
struct json_t *evaluation_to_json(const struct evaluation *evaluation);
bool evaluation_from_json(const struct json_t *json, struct evaluation *evaluation, struct error *error);

#endif
