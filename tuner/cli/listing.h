/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listing.h - the lists of `tune list`: each is an array of JSON objects, of which a table shows some columns.
 *
 * A gatherer returns a new reference, or NULL and an error.
 */
#ifndef TUNE_CLI_LISTING_H
#define TUNE_CLI_LISTING_H

#include "tuner/cli/options.h"

struct json_t;

/* An array under this key of a row holds rows that the table shows beneath it, in the same columns. */
#define LISTING_DETAILS "parameters"

typedef struct json_t *listing_gatherer(const struct options *options, struct error *error);

/* What ships with tune, as far as it can be read; what cannot is reported on stderr. */
listing_gatherer list_templates, list_spaces;
listing_gatherer list_devices;
listing_gatherer list_strategies;
listing_gatherer list_runs;
listing_gatherer list_database;

#endif
