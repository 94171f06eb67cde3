/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/instance_cache.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 16 };

struct cache_entry {
    struct instance *instance; /* NULL: free */
    uint64_t bytes;
    uint64_t last_use;
};

struct instance_cache {
    struct cache_entry entries[ENTRIES];
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

static void evict(struct cache_entry *entry, struct validation_kernels *validation)
{
    instance_free(validation, entry->instance);
    *entry = (struct cache_entry){0};
}

void instance_cache_clear(struct instance_cache *cache, struct validation_kernels *validation)
{
    for (size_t i = 0; i < ENTRIES; i++)
        evict(&cache->entries[i], validation);
}

static struct cache_entry *find(struct instance_cache *cache, const struct job *job, size_t which)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        struct cache_entry *entry = &cache->entries[i];
        if (entry->instance && instance_matches(entry->instance, job, which))
            return entry;
    }
    return NULL;
}

/* A free entry, after evicting the least recently used ones until `bytes` more fit. */
static struct cache_entry *make_room(struct instance_cache *cache, struct validation_kernels *validation,
                                     uint64_t bytes)
{
    int64_t memory = validation->description.memory_bytes;
    uint64_t limit = memory > 0 ? (uint64_t)memory / 2 : UINT64_MAX;
    for (;;) {
        struct cache_entry *oldest = NULL, *empty = NULL;
        uint64_t total = bytes;
        for (size_t i = 0; i < ENTRIES; i++) {
            struct cache_entry *entry = &cache->entries[i];
            total += entry->bytes;
            if (!entry->instance)
                empty = entry;
            else if (!oldest || entry->last_use < oldest->last_use)
                oldest = entry;
        }
        if (empty && (total <= limit || !oldest))
            return empty;
        evict(oldest, validation);
    }
}

static bool is_about_memory(const struct error *error)
{
    return error->code == ERROR_DOES_NOT_FIT || error->code == ERROR_OUT_OF_MEMORY;
}

bool instance_cache_get(struct instance_cache *cache, struct validation_kernels *validation,
                        struct program_cache *programs, const struct job *job, size_t which, struct instance **result,
                        struct error *error)
{
    uint64_t bytes = instance_bytes(&job->cases[which]);
    struct cache_entry *entry = find(cache, job, which);
    if (entry && !instance_fit(validation, entry->instance, job, error)) {
        if (!is_about_memory(error))
            return false;
        evict(entry, validation);
        entry = NULL;
    }
    if (!entry) {
        struct instance *instance;
        entry = make_room(cache, validation, bytes);
        if (!instance_create(validation, programs, job, which, &instance, error)) {
            if (!is_about_memory(error))
                return false;
            instance_cache_clear(cache, validation); /* and try again in an empty cache */
            if (!instance_create(validation, programs, job, which, &instance, error))
                return false;
        }
        *entry = (struct cache_entry){.instance = instance, .bytes = bytes};
    }
    if (bytes > entry->bytes)
        entry->bytes = bytes; /* temporary buffers have grown */
    entry->last_use = ++cache->clock;
    *result = entry->instance;
    return true;
}
