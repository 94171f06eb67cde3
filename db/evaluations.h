/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluations.h - writing an evaluation's row, and its columns in SQL.
 */
#ifndef TUNE_DB_EVALUATIONS_H
#define TUNE_DB_EVALUATIONS_H

#include "db/identity.h"

/* The columns of an evaluation's numbers as a list in SQL, and the same with the names that documents use. Both end
 * in a comma. */
#define COLUMN_OWN(type, name, document, rule)          "evaluation." #name ", "
#define COLUMN_PART(part, type, name, document, rule)   "evaluation." #name ", "
#define EVALUATION_COLUMNS                              EVALUATION_NUMBERS(COLUMN_OWN, COLUMN_PART)
#define DOCUMENT_OWN(type, name, document, rule)        "evaluation." #name " AS " #document ", "
#define DOCUMENT_PART(part, type, name, document, rule) "evaluation." #name " AS " #document ", "
#define EVALUATION_DOCUMENTS                            EVALUATION_NUMBERS(DOCUMENT_OWN, DOCUMENT_PART)

#define DOCUMENT_TEXT(name, document) "evaluation." #name " AS " #document ", "
#define EVALUATION_TEXT_DOCUMENTS     EVALUATION_TEXTS(DOCUMENT_TEXT)

/*
 * Insert a row, or update the one with the same configuration, inside a transaction. Shipped and imported rows never
 * replace measured ones. `measured_at` NULL: now. `*id` becomes the row's id.
 */
bool evaluation_write(struct store *store, int64_t problem, const char *configuration,
                      const struct evaluation *evaluation, enum origin origin, const char *measured_at, int64_t *id,
                      struct error *error);

#endif
