/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ceilings.h - the rows of the view `ceilings` of a device, as objects; SCHEMA.md describes them.
 */
#ifndef TUNE_DB_CEILINGS_H
#define TUNE_DB_CEILINGS_H

#include "db/connection.h"

struct json_t;

/* Of the device with this number. A new array. */
bool ceilings_json(struct store *store, int64_t device, struct json_t **array, struct error *error);

#endif
