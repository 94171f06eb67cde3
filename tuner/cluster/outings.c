/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/outings.h"

#include <stdlib.h>

static bool grow(struct outings *outings, struct error *error)
{
    size_t count = outings->count ? 2 * outings->count : 64;
    struct outing *list = realloc(outings->list, count * sizeof *list);
    if (list)
        outings->list = list;
    size_t *places = list ? realloc(outings->free_places, count * sizeof *places) : NULL;
    if (!places)
        return error_out_of_memory(error);
    outings->free_places = places;
    for (size_t i = outings->count; i < count; i++) {
        list[i] = (struct outing){0};
        places[outings->free_count++] = i;
    }
    outings->count = count;
    return true;
}

bool outings_add(struct outings *outings, struct candidate *candidate, size_t member, uint64_t *token,
                 struct error *error)
{
    if (outings->free_count == 0 && !grow(outings, error))
        return false;
    size_t place = outings->free_places[--outings->free_count];
    *token = (++outings->tokens & INT32_MAX) << 32 | place;
    outings->list[place] = (struct outing){candidate, member, *token};
    return true;
}

static struct candidate *take(struct outings *outings, size_t place)
{
    struct candidate *candidate = outings->list[place].candidate;
    outings->list[place].candidate = NULL;
    outings->free_places[outings->free_count++] = place;
    return candidate;
}

struct candidate *outings_take(struct outings *outings, size_t member, uint64_t token)
{
    size_t place = (size_t)(token & UINT32_MAX);
    const struct outing *outing = place < outings->count ? &outings->list[place] : NULL;
    bool is_out = outing && outing->candidate && outing->token == token && outing->member == member;
    return is_out ? take(outings, place) : NULL;
}

struct candidate *outings_take_any(struct outings *outings, size_t member)
{
    for (size_t i = 0; i < outings->count; i++) {
        if (outings->list[i].candidate && outings->list[i].member == member)
            return take(outings, i);
    }
    return NULL;
}

void outings_clear(struct outings *outings)
{
    for (size_t i = 0; i < outings->count; i++)
        candidate_free(outings->list[i].candidate);
    free(outings->list);
    free(outings->free_places);
    *outings = (struct outings){0};
}
