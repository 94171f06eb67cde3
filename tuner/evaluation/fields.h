/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.h - the fields of an evaluation: one table from which everything that lists them is made.
 *
 * It yields the members of struct evaluation and struct store_row, the JSON that workers send, the database's columns
 * and upsert, the files of known results, and the evaluations in a report's document. To add a number, add its
 * line here and its column to the next schema-<n>.sql; a test compares the two.
 *
 * EVALUATION_NUMBERS(OWN, PART) lists the numbers in the order of documents:
 *
 *     OWN(type, name, document, rule)         a member `name` of struct evaluation
 *     PART(part, type, name, document, rule)  a member of its struct `part`: resources, state or work
 *
 * `type` is int64_t or double; `name` is also the column; `document` is the name in documents; `rule` says how an
 * unknown value is represented (enum number_rule). EVALUATION_TEXTS(TEXT) lists the text columns as TEXT(name,
 * document).
 */
#ifndef TUNE_EVALUATION_FIELDS_H
#define TUNE_EVALUATION_FIELDS_H

#include "tuner/evaluation/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which values are unknown, NULL in the database, and what NULL reads as. */
enum number_rule {
    NUMBER_OR_MINUS_ONE, /* unknown: negative or NaN; NULL reads as -1 */
    NUMBER_OR_ZERO,      /* unknown: negative or NaN; NULL reads as 0 */
    POSITIVE_OR_ZERO,    /* unknown: not positive or not finite; NULL reads as 0 */
};

/* clang-format off */
#define EVALUATION_NUMBERS(OWN, PART)                                                                                \
    /* median, and its 95 % confidence interval; 0 unless ok */                                                      \
    OWN(double, time_ns, time_ns, POSITIVE_OR_ZERO)                                                                  \
    OWN(double, time_low_ns, low_ns, POSITIVE_OR_ZERO)                                                               \
    OWN(double, time_high_ns, high_ns, POSITIVE_OR_ZERO)                                                             \
    /* of it, without what the host's waiting for counts and flags adds; 0: the launches wait for neither */          \
    OWN(double, device_ns, device_ns, POSITIVE_OR_ZERO)                                                              \
    /* largest error over the allowed one; at most 1 when ok; -1: not validated */                                   \
    OWN(double, error_ratio, error_ratio, NUMBER_OR_MINUS_ONE)                                                       \
    /* of one run of the launches, and half the width of its 95 % interval; -1 or 0: not measured */                 \
    OWN(double, energy_j, energy_j, POSITIVE_OR_ZERO)                                                                \
    OWN(double, energy_error_j, energy_error_j, NUMBER_OR_ZERO)                                                      \
    /* samples taken while the device was throttled; repeated, unless the throttling did not end */                  \
    OWN(int64_t, throttled, throttled, NUMBER_OR_MINUS_ONE)                                                          \
    /* of the kernel that needs most registers */                                                                    \
    PART(resources, int64_t, registers, registers, NUMBER_OR_MINUS_ONE)                                              \
    PART(resources, int64_t, local_bytes, local_bytes, NUMBER_OR_MINUS_ONE)                                          \
    OWN(int64_t, spill_bytes, spill_bytes, NUMBER_OR_MINUS_ONE)                                                      \
    PART(resources, int64_t, shared_bytes, shared_bytes, NUMBER_OR_MINUS_ONE)                                        \
    PART(resources, int64_t, max_threads, max_threads, NUMBER_OR_MINUS_ONE)                                          \
    PART(resources, double, occupancy, occupancy, NUMBER_OR_MINUS_ONE)                                               \
    PART(state, int64_t, sm_clock_mhz, sm_clock_mhz, NUMBER_OR_MINUS_ONE)                                            \
    PART(state, int64_t, memory_clock_mhz, memory_clock_mhz, NUMBER_OR_MINUS_ONE)                                    \
    PART(state, int64_t, temperature_c, temperature_c, NUMBER_OR_MINUS_ONE)                                          \
    PART(state, int64_t, power_mw, power_mw, NUMBER_OR_MINUS_ONE)                                                    \
    PART(state, int64_t, throttle_reasons, throttle_reasons, NUMBER_OR_MINUS_ONE)                                    \
    OWN(double, compile_seconds, compile_seconds, NUMBER_OR_ZERO)                                                    \
    OWN(double, validate_seconds, validate_seconds, NUMBER_OR_ZERO)                                                  \
    OWN(double, measure_seconds, measure_seconds, NUMBER_OR_ZERO)                                                    \
    /* what another tool took for itself; of imported rows */                                                        \
    OWN(double, framework_seconds, framework_seconds, POSITIVE_OR_ZERO)                                              \
    /* the work of this very configuration, as the template counts it */                                             \
    WORK_FIGURES(WORK_PART, PART)                                                                                    \
    /* of a timeout: the time that was allowed */                                                                    \
    OWN(double, deadline_seconds, deadline_seconds, POSITIVE_OR_ZERO)                                                \
    /* 1: a failure that may not recur (transient.h) */                                                              \
    OWN(int64_t, transient, transient, POSITIVE_OR_ZERO)

#define WORK_PART(PART, NAME, name, column, unit, pipe, peak) PART(work, double, column, column, POSITIVE_OR_ZERO)

#define EVALUATION_TEXTS(TEXT)                                                                                       \
    TEXT(outcome, outcome)                                                                                           \
    TEXT(message, message)                                                                                           \
    TEXT(samples_ns, samples)                                                                                        \
    TEXT(uuid, uuid)                                                                                                 \
    TEXT(seed, seed)                                                                                                 \
    TEXT(awkward, awkward)                                                                                           \
    TEXT(metrics, metrics)
/* clang-format on */

/* A list of members, for a struct that holds all the numbers side by side, but the work as a struct of its own. */
#define EVALUATION_MEMBER(type, name, document, rule)            type name;
#define EVALUATION_PART_MEMBER(part, type, name, document, rule) EVALUATION_##part##_MEMBER(type, name)
#define EVALUATION_resources_MEMBER(type, name)                  type name;
#define EVALUATION_state_MEMBER(type, name)                      type name;
#define EVALUATION_work_MEMBER(type, name)
#define EVALUATION_MEMBERS EVALUATION_NUMBERS(EVALUATION_MEMBER, EVALUATION_PART_MEMBER) struct work work;

/* The table at run time, in its order. */
struct evaluation_number {
    const char *column, *document;
    size_t offset; /* in struct evaluation */
    bool integer;  /* an int64_t, else a double */
    enum number_rule rule;
};
extern const struct evaluation_number evaluation_numbers[];
extern const size_t evaluation_number_count;

/* Is the value known, by its rule? */
bool evaluation_real_known(const struct evaluation_number *number, double value);

/* What stands for a value that is not known: -1 or 0. */
double evaluation_unknown(const struct evaluation_number *number);

#endif
