/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote_error.h - errors as JSON, from a worker to its parent.
 */
#ifndef TUNE_WORKERS_REMOTE_ERROR_H
#define TUNE_WORKERS_REMOTE_ERROR_H

#include "tuner/error/error.h"

#include <jansson.h>

json_t *error_to_json(const struct error *error); /* new reference; NULL: out of memory */

/* Fill in `error` from what the other process sent, or with ERROR_MESSAGE if that is no error. Always returns false,
 * as error_set does. */
bool error_from_json(const json_t *json, struct error *error);

#endif
