/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluation.h - what is known about one configuration after it was compiled, validated and measured, or has failed.
 */
#ifndef TUNE_EVALUATION_EVALUATION_H
#define TUNE_EVALUATION_EVALUATION_H

#include "tuner/description/resources.h"
#include "tuner/description/state.h"
#include "tuner/error/error.h"
#include "tuner/evaluation/fields.h"
#include "tuner/evaluation/outcome.h"

#include <stddef.h>

struct json_t; /* jansson */

enum { EVALUATION_MESSAGE_MOST = 64 << 10 }; /* bytes of a message that another process sends */

#define EVALUATION_NOTHING(part, type, name, document, rule)

struct evaluation {
    enum outcome outcome;
    char *message;      /* "" if all is well; allocated */
    double *samples_ns; /* raw, in the order taken; allocated */
    size_t sample_count;
    char uuid[64]; /* of the device that measured it; "" if none did */
    uint64_t seed; /* of the inputs that it was validated on */
    char *awkward; /* the sizes at which it was to be validated besides the tuned ones, "" for none; NULL: not known;
                      allocated */
    char *
        metrics; /* the values of the template's metrics: JSON (tuner/space/metrics.h); NULL or "": none; allocated */

    /* Its own numbers, then those of the kernel and the device; fields.h explains each. */
    EVALUATION_NUMBERS(EVALUATION_MEMBER, EVALUATION_NOTHING)
    struct kernel_resources resources;
    struct device_state state;
    struct work work; /* of this very configuration, as the template counts it */
};

/* An evaluation that has not failed, with all numbers unknown. */
extern const struct evaluation evaluation_unmeasured;

void evaluation_clear(struct evaluation *evaluation);

/* Set outcome and message of a failure, replacing earlier ones. False: out of memory. */
bool evaluation_fail(struct evaluation *evaluation, enum outcome outcome, struct error *error, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* As JSON between processes: every field under its column's name, numbers as they are, but not `awkward` and
 * `metrics`, which only the parent knows. New reference; NULL: out of memory. */
struct json_t *evaluation_to_json(const struct evaluation *evaluation);
/* ERROR_MESSAGE: a field is missing, unknown or of the wrong type. */
bool evaluation_from_json(const struct json_t *json, struct evaluation *evaluation, struct error *error);

/* Does it have values that an evaluation can have: a time exactly if it is valid, within its interval; finite,
 * positive or unknown numbers? Else ERROR_MESSAGE. */
bool evaluation_check(const struct evaluation *evaluation, struct error *error);

#endif
