/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rejudge.h - stored results by the metrics and objectives that a template defines now.
 *
 * These are no part of the template's hash: the values that rows keep are those of the text that the template had
 * when they were stored, and shipped rows have none. Both are computed again here, of what the rows hold, at any size
 * and on any device that the database knows.
 */
#ifndef TUNE_ENGINE_REJUDGE_H
#define TUNE_ENGINE_REJUDGE_H

#include "db/store.h"
#include "tuner/lang/template.h"

/* Is anything not in line? Needs no more than to read. */
bool rejudge_due(const struct template *template, struct store *store, bool *due, struct error *error);

/* Bring the rows of this version of the template in line with its text. Writes nothing if they are. */
bool rejudge(const struct template *template, struct store *store, struct error *error);

#endif
