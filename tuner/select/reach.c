/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/reach.h"

#include <stdio.h>

bool reach_is_exceeded(const struct selection *selection)
{
    return selection->rule > SELECTION_TREE && selection->octaves > REACH_OCTAVES;
}

bool reach_was_valid(struct store *store, const struct selection_request *request, const char *configuration,
                     bool *valid, struct error *error)
{
    struct site *site = request->site;
    if (!store_was_valid(store, request->template_name, request->template_hash, configuration, valid, error))
        return false;
    for (size_t i = 0; site && i < site->count && !*valid; i++) {
        struct error trouble = {0};
        if (!store_was_valid(site->stores[i], request->template_name, request->template_hash, configuration, valid,
                             &trouble) &&
            !site_note(site, &trouble, error))
            return false;
    }
    return true;
}

char *reach_distant_text(const char *distant)
{
    char *text;
    int length = asprintf(&text, "%s; that is more than %.0f, but the default was never valid anywhere", distant,
                          REACH_OCTAVES);
    return length < 0 ? NULL : text;
}

char *reach_default_text(const char *distant, bool named, const char *space)
{
    char *text;
    const char *what = named ? "default" : "first valid configuration";
    int length = distant
                     ? asprintf(&text, "the %s of space %s; the nearest result is more than %.0f octaves away: %s",
                                what, space, REACH_OCTAVES, distant)
                     : asprintf(&text, "nothing is known that is valid for this device and size: the %s of space %s",
                                what, space);
    return length < 0 ? NULL : text;
}
