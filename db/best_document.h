/* SPDX-License-Identifier: Apache-2.0 */
/*
 * best_document.h - the best rows of devices by every objective, for the index of reports (see SCHEMA.md).
 */
#ifndef TUNE_DB_BEST_DOCUMENT_H
#define TUNE_DB_BEST_DOCUMENT_H

#include "db/connection.h"

struct json_t;

/* Each object of the array `devices`, which has the member "id", gets its rows as the member "best". */
bool best_document_add(struct store *store, struct json_t *devices, struct error *error);

#endif
