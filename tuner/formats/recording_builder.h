/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_builder.h - putting a recording together, for the readers of the formats.
 *
 * The parameters first, then entry by entry. The recording belongs to the builder until it is finished.
 */
#ifndef TUNE_FORMATS_RECORDING_BUILDER_H
#define TUNE_FORMATS_RECORDING_BUILDER_H

#include "tuner/formats/lookup.h"
#include "tuner/formats/recording.h"

#include <jansson.h>

struct recording_builder {
    struct recording *recording;
    struct list parameters; /* struct dimension */
    struct list *values;    /* of each parameter: struct value; parameter_count of them */
    size_t capacity;        /* of rows and results */
    struct lookup value_lookup, row_lookup;
    struct list value_places; /* struct value_place, what value_lookup numbers */
};

bool recording_builder_create(struct recording_builder *builder, const char *name, struct error *error);

/* Add a parameter unless there is one of this name; all of them before the first entry. */
bool recording_builder_parameter(struct recording_builder *builder, const char *name, struct error *error);

/* Room for all members of a JSON object as parameters. */
bool recording_builder_parameters(struct recording_builder *builder, const json_t *configuration,
                                  struct error *error);

/* An entry; `configuration` has the parameters' values among its members. Texts and samples of `result` are to be
 * the arena's. */
bool recording_builder_add(struct recording_builder *builder, const json_t *configuration,
                           const struct recorded_result *result, struct error *error);

/* Copies in the recording's arena: a text (NULL is ""), and an array of numbers, scaled (`*count` 0 if there is no
 * such array). */
bool recording_builder_text(struct recording_builder *builder, const char *text, const char **copy,
                            struct error *error);
bool recording_builder_samples(struct recording_builder *builder, const json_t *array, double scale,
                               struct recorded_result *result, struct error *error);

/* Hand the recording out. Errors: no entries. */
bool recording_builder_finish(struct recording_builder *builder, struct recording **result, struct error *error);

/* To be called in any case. */
void recording_builder_clear(struct recording_builder *builder);

/* The readers. `path` is for messages. */
bool t4_read(const char *path, const json_t *document, struct recording_builder *builder, struct error *error);
bool kernel_tuner_read(const char *path, const json_t *document, struct recording_builder *builder,
                       struct error *error);
bool database_read(const char *path, struct recordings *recordings, struct error *error);

/* Append to an array of recordings, which takes it over (also on failure). */
bool recordings_append(struct recordings *recordings, struct recording *recording, struct error *error);

/* What Kernel Tuner writes in place of a time, and T4 files made of its caches take over: an outcome by name. */
bool kernel_tuner_failure(const char *name, enum outcome *outcome);

/* A time that stands for a failure: Kernel Tuner wrote 1e20 before it had words for them. */
bool kernel_tuner_is_time(double time);

#endif
