/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording.h - measurements that were written down, by this program or another, in one form.
 *
 * A recording is what is known of one kernel (at one size) on one device: parameters, the configurations that were
 * evaluated, and how each of them did. Three kinds of files are read, told apart by their content, compressed by gzip
 * or not:
 *   - T4, the results format of the auto-tuning community (F.-J. Willemsen et al.: "FAIR sharing of auto-tuning
 *     results", https://github.com/odgaard/TuningSchema);
 *   - Kernel Tuner's cache files, also those that a run left unfinished (it closes the braces at its end);
 *   - tune's database: each of its problems is a recording, but for what came with tune: that is the best of sweeps.
 *
 * A configuration that is recorded more than once counts as it was recorded last. Configurations that were not
 * evaluated because a rule forbids them are not among those of T4 and Kernel Tuner, so a recording's configurations
 * are a space of their own (search_space_listed takes `rows` as they are).
 */
#ifndef TUNE_FORMATS_RECORDING_H
#define TUNE_FORMATS_RECORDING_H

#include "tuner/error/error.h"
#include "tuner/evaluation/evaluation.h"
#include "tuner/lang/arena.h"
#include "tuner/space/search_space.h"

/* How the evaluation of a configuration went. Seconds are 0 where they are not recorded. */
struct recorded_result {
    enum outcome outcome;
    const char *message; /* what the file says of a failure, "" if nothing */
    double time_ns;      /* the objective as recorded: Kernel Tuner's is the mean of the samples, ours the median;
                            0 unless ok */
    const double *samples_ns; /* raw, in the order taken; NULL if none */
    size_t sample_count;
    double compile_seconds, validate_seconds;
    double measure_seconds;   /* of all samples: as recorded, or else (T4) their sum */
    double framework_seconds; /* what the tuner itself took; not part of what an evaluation costs */
    const char *timestamp;    /* as the file has it, "" if it has none */
};

struct recording {
    const char *name; /* for tables: of the file, without folders and endings; of our own, "gemm M=64 on <device>" */
    const char *kernel; /* "" where the file does not tell (T4); likewise the others */
    const char *device;
    const char *size;

    struct dimension *parameters; /* values in the order in which they appear; VALUE_UNSET in a configuration that
                                     lacks a parameter that others have */
    size_t parameter_count;
    uint16_t *rows; /* for each configuration and parameter, an index into the parameter's values */
    struct recorded_result *results;
    size_t count; /* configurations */

    struct arena arena; /* holds all of it but rows and results */
};

struct recordings {
    struct recording **items;
    size_t count;
};

/*
 * Read the recordings of a file and append them to `recordings` (zero-initialised by the caller; freed with
 * recordings_clear, also after an error). Errors: what cannot be opened or is none of these formats, text that is not
 * JSON (with its place), an entry without a configuration, a parameter that is no number, text or boolean, an unknown
 * unit of time; a database's own (see store_open).
 */
bool recordings_read(const char *path, struct recordings *recordings, struct error *error);
void recordings_clear(struct recordings *recordings);

/* The same for the text of a T4 or Kernel Tuner cache file, which has a NUL behind its `length` bytes; `path` names
 * it in errors and gives the name. */
bool recording_parse(const char *path, const char *text, size_t length, struct recording **result,
                     struct error *error);
void recording_free(struct recording *recording);

/* What the evaluation of a configuration cost: compiling, validating and measuring it, in seconds. */
double recorded_cost(const struct recorded_result *result);

/* How many configurations are valid, and the valid one with the least time (false: none). */
size_t recording_valid_count(const struct recording *recording);
bool recording_best(const struct recording *recording, size_t *index);

#endif
