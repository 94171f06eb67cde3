/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording.h - recorded measurements of one kernel, at one size, on one device.
 *
 * A recording has parameters, the configurations that were evaluated, and the result of each. Rows, not rules: T4 and
 * Kernel Tuner's files leave out configurations that a constraint forbids, so the recorded ones form a space of their
 * own (search_space_listed takes `rows` as they are).
 */
#ifndef TUNE_FORMATS_RECORDING_H
#define TUNE_FORMATS_RECORDING_H

#include "tuner/error/error.h"
#include "tuner/evaluation/evaluation.h"
#include "tuner/lang/arena.h"
#include "tuner/space/search_space.h"

/* The result of one configuration. Seconds are 0 where not recorded. */
struct recorded_result {
    enum outcome outcome;
    const char *message; /* the file's words for a failure, or "" */
    double time_ns;      /* as recorded: Kernel Tuner has the mean of the samples, tune the median; 0 unless ok */
    double energy_j;     /* 0: not known */
    const char *metrics; /* what else is known of it, as a JSON object of numbers; NULL or "": nothing */
    const double *samples_ns; /* raw, in the order taken; NULL if none */
    size_t sample_count;
    double compile_seconds, validate_seconds;
    double measure_seconds;   /* of all samples: as recorded, otherwise (T4) their sum */
    double framework_seconds; /* the tuner's own time; not part of an evaluation's cost */
    const char *timestamp;    /* as in the file, or "" */
};

struct recording {
    const char *name;   /* for tables: the file's, without folders and endings; tune's own "gemm M=64 on <device>" */
    const char *kernel; /* "" where the file has none (T4); likewise below */
    const char *device;
    const char *device_kind; /* as in struct device_description; also "" where measured by another program */
    const char *size;
    const char *definitions; /* of the metrics, as in struct store_problem: which of them are objectives; "": none */
    const char *objective;   /* by which it is ranked unless told otherwise; "": time */
    size_t left_out;         /* measurements of the file that are not kept */
    bool has_default;        /* the configuration with which the sweep began is known: */
    size_t default_index;    /* the default that its space names */

    struct dimension *parameters; /* values in order of appearance; VALUE_UNSET where a configuration lacks a
                                     parameter that others have */
    size_t parameter_count;
    uint16_t *rows; /* an index into the parameter's values, for each configuration and parameter */
    struct recorded_result *results;
    size_t count; /* configurations */

    struct arena arena; /* everything but rows and results */
};

struct recordings {
    struct recording **items;
    size_t count;
};

void recording_free(struct recording *recording);

/* Free the items; zero-initialise before the first use. */
void recordings_clear(struct recordings *recordings);

/* Takes over the recording, also on failure. */
bool recordings_append(struct recordings *recordings, struct recording *recording, struct error *error);

/* Seconds spent on compiling, validating and measuring a configuration. */
double recorded_cost(const struct recorded_result *result);

/* The number of valid configurations, and the fastest of them (false: none). */
size_t recording_valid_count(const struct recording *recording);
bool recording_best(const struct recording *recording, size_t *index);

#endif
