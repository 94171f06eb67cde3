/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recall.h - what is known of one kernel for one device and objective, read from databases once, and asked for any
 * number of sizes: the answers of selection.h, in microseconds.
 *
 *     if (recall_create(&request, &recall, error) && recall_add(recall, store, false, error) && ...)
 *         recall_ask(recall, &request, &selection, error);
 */
#ifndef TUNE_SELECT_RECALL_H
#define TUNE_SELECT_RECALL_H

#include "tuner/select/selection.h"

struct recall;

/* Of the request, the template, the device and the objective count. They must outlive the result. */
bool recall_create(const struct selection_request *request, struct recall **recall, struct error *error);
void recall_free(struct recall *recall);

/* Read what a store has, which may be closed then; those of a site are told from the user's own. After false nothing
 * of it has been added. */
bool recall_add(struct recall *recall, struct store *store, bool of_site, struct error *error);

/*
 * As selection_make with all that was added. The request is that of recall_create, with a size, inputs and `fits`;
 * its `site` does not matter. SELECTION_NONE if nothing fits. To be cleared in any case. Several threads may ask at
 * once.
 */
bool recall_ask(const struct recall *recall, const struct selection_request *request, struct selection *selection,
                struct error *error);

/* Is it the configuration (canonical JSON) of a result that may answer, and which was valid for its problem? */
bool recall_has(const struct recall *recall, const char *configuration);

#endif
