/* SPDX-License-Identifier: Apache-2.0 */
/*
 * found_online.h - what programs found for a problem while they ran (store_onlines), which answers for that very
 * problem unless a sweep has measured it later: the figures of the two cannot be compared.
 *
 * Internal to select/.
 */
#ifndef TUNE_SELECT_FOUND_ONLINE_H
#define TUNE_SELECT_FOUND_ONLINE_H

#include "tuner/select/selection.h"

struct found_online; /* one of them */

struct found_onlines {
    struct found_online *list;
    size_t count;
};

/* Add what a store has for the template and the model of device. After false nothing of it has been added. */
bool found_onlines_add(struct found_onlines *found, struct store *store, const char *template_name,
                       const char *template_hash, const struct device_description *device, struct error *error);
void found_onlines_shrink(struct found_onlines *found, size_t count); /* down to so many */
void found_onlines_clear(struct found_onlines *found);

/* If one answers for the problem it takes the place of `selection`, an exact answer or none. */
bool found_onlines_take(const struct found_onlines *found, const struct selection_request *request,
                        struct selection *selection, struct error *error);

/* Is it the configuration of one of them? */
bool found_onlines_have(const struct found_onlines *found, const char *configuration);

#endif
