/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_builder.h - puts a recording together, for the readers of the formats: first all parameters, then entry
 * by entry. The builder owns the recording until it is finished.
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
    struct list value_places; /* struct value_place, by the numbers of value_lookup */
};

bool recording_builder_create(struct recording_builder *builder, const char *name, struct error *error);

/* Add a parameter, unless there is one of this name. */
bool recording_builder_parameter(struct recording_builder *builder, const char *name, struct error *error);

/* Add all members of a JSON object as parameters. */
bool recording_builder_parameters(struct recording_builder *builder, const json_t *configuration,
                                  struct error *error);

/* Add an entry; the parameters' values are among the members of `configuration`. Texts and samples of `result` must
 * lie in the recording's arena. A configuration that is already there gets the new result. */
bool recording_builder_add(struct recording_builder *builder, const json_t *configuration,
                           const struct recorded_result *result, struct error *error);

/* The configuration that the recorded space names as its default, once all entries are added. Without effect if that
 * is no entry, NULL for instance. */
void recording_builder_default(struct recording_builder *builder, const json_t *configuration);

/* Copies into the recording's arena: a text (NULL becomes ""), and an array of numbers, scaled (none if `array` is
 * not one). */
bool recording_builder_text(struct recording_builder *builder, const char *text, const char **copy,
                            struct error *error);
bool recording_builder_samples(struct recording_builder *builder, const json_t *array, double scale,
                               struct recorded_result *result, struct error *error);

/* Hand over the recording. Errors: no entries. */
bool recording_builder_finish(struct recording_builder *builder, struct recording **result, struct error *error);

/* Call it in any case, also after recording_builder_finish. */
void recording_builder_clear(struct recording_builder *builder);

#endif
