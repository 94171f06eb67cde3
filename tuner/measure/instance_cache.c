/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/instance_cache.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 16 };

struct cached_instance {
    struct instance *instance; /* NULL: free */
    uint64_t bytes;
    uint64_t last_use;
};

struct instance_cache {
    struct cached_instance places[PLACES];
    uint64_t clock;
};

bool instance_cache_create(struct instance_cache **result, struct error *error)
{
    *result = calloc(1, sizeof **result);
    if (!*result)
        return error_out_of_memory(error);
    return true;
}

void instance_cache_free(struct instance_cache *cache, struct validation_kernels *validation)
{
    if (!cache)
        return;
    instance_cache_clear(cache, validation);
    free(cache);
}

static void let_go(struct cached_instance *place, struct validation_kernels *validation)
{
    instance_free(validation, place->instance);
    *place = (struct cached_instance){0};
}

void instance_cache_clear(struct instance_cache *cache, struct validation_kernels *validation)
{
    for (size_t i = 0; i < PLACES; i++)
        let_go(&cache->places[i], validation);
}

static struct cached_instance *find(struct instance_cache *cache, const struct job *job, size_t which)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct cached_instance *place = &cache->places[i];
        if (place->instance && instance_matches(place->instance, job, which))
            return place;
    }
    return NULL;
}

/* A free place, after the least recently used have gone while there is too little room. */
static struct cached_instance *make_room(struct instance_cache *cache, struct validation_kernels *validation,
                                         uint64_t bytes)
{
    int64_t memory = validation->description.memory_bytes;
    uint64_t limit = memory > 0 ? (uint64_t)memory / 2 : UINT64_MAX;
    for (;;) {
        struct cached_instance *oldest = NULL, *empty = NULL;
        uint64_t total = bytes;
        for (size_t i = 0; i < PLACES; i++) {
            struct cached_instance *place = &cache->places[i];
            total += place->bytes;
            if (!place->instance)
                empty = place;
            else if (!oldest || place->last_use < oldest->last_use)
                oldest = place;
        }
        if (empty && (total <= limit || !oldest))
            return empty;
        let_go(oldest, validation);
    }
}

static bool is_about_room(const struct error *error)
{
    return error->code == ERROR_DOES_NOT_FIT || error->code == ERROR_OUT_OF_MEMORY;
}

bool instance_cache_get(struct instance_cache *cache, struct validation_kernels *validation,
                        struct program_cache *programs, const struct job *job, size_t which, struct instance **result,
                        struct error *error)
{
    struct cached_instance *place = find(cache, job, which);
    if (place && !instance_fit(validation, place->instance, &job->cases[which], error)) {
        if (!is_about_room(error))
            return false;
        let_go(place, validation);
        place = NULL;
    }
    if (!place) {
        uint64_t bytes = instance_bytes(&job->cases[which]);
        struct instance *instance;
        place = make_room(cache, validation, bytes);
        if (!instance_create(validation, programs, job, which, &instance, error)) {
            if (!is_about_room(error))
                return false;
            instance_cache_clear(cache, validation); /* what is kept for later must not keep this one out */
            if (!instance_create(validation, programs, job, which, &instance, error))
                return false;
        }
        *place = (struct cached_instance){.instance = instance, .bytes = bytes};
    }
    place->last_use = ++cache->clock;
    *result = place->instance;
    return true;
}
