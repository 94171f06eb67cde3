/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_filter.h - which rows of the database --device, --size, --input and --ladder mean.
 */
#ifndef TUNE_CLI_ROW_FILTER_H
#define TUNE_CLI_ROW_FILTER_H

#include "db/store.h"
#include "tuner/cli/ladder.h"
#include "tuner/cli/subject.h"

/* Is this --device the name of a device in the database, rather than a device here, a kind or a recorded description?
 */
bool row_filter_is_name(const char *device);

/* Rows of the device that the options name; of all without one or, if `one`, of the device that a sweep would take.
 */
bool row_filter_device(const struct options *options, bool one, struct subject *subject, struct store_filter *filter,
                       struct error *error);

/* Rows of the sizes and data that the options name; of all without any or, if `one`, of the default size, and of the
 * data that the template names. Sizes are compared as the problem writes them. The subject has a template, and the
 * filter its device. */
bool row_filter_size(const struct options *options, bool one, struct subject *subject, struct store_filter *filter,
                     struct error *error);

/* A best row for each rung of the ladder, if one is asked for; then the subject has a template. The filter borrows
 * the ladder's names. */
bool row_filter_rungs(const struct options *options, const struct subject *subject, struct ladder *ladder,
                      struct store_filter *filter, struct error *error);

#endif
