#include "tuner/measure/shelf.h"

#include <stdlib.h>
#include <string.h>

enum { SHELF_PLACES = 16 };

struct place_on_shelf {
    struct instance *instance; /* NULL: free */
    uint64_t bytes;
    uint64_t last_use;
};

struct shelf {
    struct place_on_shelf places[SHELF_PLACES];
    uint64_t clock;
};

bool shelf_create(struct shelf **result, struct error *error)
{
    *result = calloc(1, sizeof **result);
    if (!*result)
        return error_set(error, ERROR_MEMORY, "out of memory for the shelf of inputs");
    return true;
}

void shelf_free(struct shelf *shelf, struct bench *bench)
{
    if (!shelf)
        return;
    shelf_clear(shelf, bench);
    free(shelf);
}

static void let_go(struct place_on_shelf *place, struct bench *bench)
{
    instance_free(bench, place->instance);
    *place = (struct place_on_shelf){0};
}

void shelf_clear(struct shelf *shelf, struct bench *bench)
{
    for (size_t i = 0; i < SHELF_PLACES; i++)
        let_go(&shelf->places[i], bench);
}

static struct place_on_shelf *find(struct shelf *shelf, const struct job *job, size_t which)
{
    for (size_t i = 0; i < SHELF_PLACES; i++) {
        struct place_on_shelf *place = &shelf->places[i];
        if (place->instance && instance_matches(place->instance, job, which))
            return place;
    }
    return NULL;
}

/* A free place, after the least recently used have gone while there is too little room. */
static struct place_on_shelf *make_room(struct shelf *shelf, struct bench *bench, uint64_t bytes)
{
    int64_t memory = bench->description.memory_bytes;
    uint64_t limit = memory > 0 ? (uint64_t)memory / 2 : UINT64_MAX;
    for (;;) {
        struct place_on_shelf *oldest = NULL, *empty = NULL;
        uint64_t total = bytes;
        for (size_t i = 0; i < SHELF_PLACES; i++) {
            struct place_on_shelf *place = &shelf->places[i];
            total += place->bytes;
            if (!place->instance)
                empty = place;
            else if (!oldest || place->last_use < oldest->last_use)
                oldest = place;
        }
        if (empty && (total <= limit || !oldest))
            return empty;
        let_go(oldest, bench);
    }
}

bool shelf_get(struct shelf *shelf, struct bench *bench, struct program_cache *programs, const struct job *job,
               size_t which, struct instance **result, struct error *error)
{
    struct place_on_shelf *place = find(shelf, job, which);
    if (place && !instance_fit(bench, place->instance, &job->cases[which], error)) {
        if (error->code != ERROR_MEMORY)
            return false;
        let_go(place, bench);
        place = NULL;
    }
    if (!place) {
        uint64_t bytes = instance_bytes(&job->cases[which]);
        struct instance *instance;
        place = make_room(shelf, bench, bytes);
        if (!instance_create(bench, programs, job, which, &instance, error)) {
            if (error->code != ERROR_MEMORY)
                return false;
            shelf_clear(shelf, bench); /* what is kept for later must not keep this one out */
            if (!instance_create(bench, programs, job, which, &instance, error))
                return false;
        }
        *place = (struct place_on_shelf){.instance = instance, .bytes = bytes};
    }
    place->last_use = ++shelf->clock;
    *result = place->instance;
    return true;
}
