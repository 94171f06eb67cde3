/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/search.h"

#include "tuner/search/strategies.h"
#include "tuner/space/index_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS_MOST = 1000 }; /* repeated questions in a row after which the strategy counts as exhausted */

/* A configuration handed out or told. */
struct entry {
    struct observation observation;
    unsigned questions; /* while open: how many answers the strategy is owed */
    bool open, told;
    bool asked; /* by the strategy */
};

struct search {
    const struct strategy_driver *driver;
    void *state;
    void *fallback; /* a random order, for when the strategy has nothing new to ask */
    double *presets;
    struct index_map known; /* configuration -> entry */
    struct entry *entries;
    size_t entry_count, entry_capacity, open;
    const size_t *priors;
    size_t prior_count, priors_asked;
    size_t count, told;
    bool ended, has_best;
    struct observation best;
};

static bool create_strategy(struct search *search, const struct strategy_setup *setup, struct error *error)
{
    struct strategy_setup own = *setup;
    const struct strategy_driver *driver = search->driver;
    search->presets = calloc(driver->parameter_count + 1, sizeof *search->presets);
    if (!search->presets)
        return error_out_of_memory(error);
    for (size_t i = 0; i < driver->parameter_count; i++)
        search->presets[i] = driver->parameters[i].preset;
    if (!own.parameters)
        own.parameters = search->presets;
    return driver->create(&own, &search->state, error) && strategy_random.create(setup, &search->fallback, error);
}

bool search_create(const struct strategy_driver *driver, const struct strategy_setup *setup, struct search **result,
                   struct error *error)
{
    struct search *search = calloc(1, sizeof *search);
    if (!search)
        return error_out_of_memory(error);
    search->driver = driver;
    search->count = search_space_count(setup->space);
    search->priors = setup->priors;
    search->prior_count = setup->prior_count;
    if (!create_strategy(search, setup, error)) {
        search_free(search);
        return false;
    }
    *result = search;
    return true;
}

void search_free(struct search *search)
{
    if (!search)
        return;
    if (search->state)
        search->driver->destroy(search->state);
    if (search->fallback)
        strategy_random.destroy(search->fallback);
    index_map_clear(&search->known);
    free(search->presets);
    free(search->entries);
    free(search);
}

/* The entry of a configuration, created if needed; NULL when out of memory. */
static struct entry *entry_of(struct search *search, size_t index)
{
    size_t at;
    if (index_map_get(&search->known, index, &at))
        return &search->entries[at];
    if (search->entry_count == search->entry_capacity) {
        size_t capacity = search->entry_capacity ? 2 * search->entry_capacity : 64;
        struct entry *entries = realloc(search->entries, capacity * sizeof *entries);
        if (!entries)
            return NULL;
        search->entries = entries;
        search->entry_capacity = capacity;
    }
    if (!index_map_put(&search->known, index, search->entry_count))
        return NULL;
    search->entries[search->entry_count] = (struct entry){.observation.index = index};
    return &search->entries[search->entry_count++];
}

static enum answer hand_out(struct search *search, struct entry *entry)
{
    entry->open = true;
    entry->questions = 1;
    search->open++;
    return ASK_READY;
}

/* An untried configuration from the random order. */
static enum answer ask_fallback(struct search *search, size_t *index)
{
    enum answer answer;
    while ((answer = strategy_random.ask(search->fallback, index)) == ASK_READY) {
        struct entry *entry = entry_of(search, *index);
        if (!entry)
            return ASK_FAILED;
        if (!entry->open && !entry->told)
            return hand_out(search, entry);
    }
    return answer;
}

/* What did well elsewhere goes first, whatever the strategy: a good incumbent early on. */
static enum answer ask_prior(struct search *search, size_t *index)
{
    while (search->priors_asked < search->prior_count) {
        *index = search->priors[search->priors_asked++];
        struct entry *entry = entry_of(search, *index);
        if (!entry)
            return ASK_FAILED;
        if (!entry->open && !entry->told)
            return hand_out(search, entry);
    }
    return ASK_END;
}

enum answer search_ask(struct search *search, size_t *index)
{
    enum answer answer = ask_prior(search, index);
    if (answer != ASK_END)
        return answer;
    for (int repeats = 0; !search->ended && repeats < REPEATS_MOST;) {
        if (search->entry_count == search->count)
            return ASK_END;
        answer = search->driver->ask(search->state, index);
        if (answer == ASK_FAILED || (answer == ASK_WAIT && search->open > 0))
            return answer;
        search->ended = answer == ASK_END;
        if (answer != ASK_READY)
            break;
        struct entry *entry = entry_of(search, *index);
        if (!entry)
            return ASK_FAILED;
        repeats += entry->asked; /* results told unasked don't count: a strategy may walk through many */
        entry->asked = true;
        if (entry->told)
            search->driver->tell(search->state, &entry->observation);
        else if (entry->open)
            entry->questions++;
        else
            return hand_out(search, entry);
    }
    return ask_fallback(search, index);
}

bool search_failure(const struct search *search, struct error *error)
{
    return search->driver->explain ? search->driver->explain(search->state, error) : error_out_of_memory(error);
}

static bool better(const struct search *search, const struct observation *observation)
{
    return observation->valid && (!search->has_best || observation->objective < search->best.objective);
}

/* The strategy gets as many answers as it has asked questions; told unasked, so many. */
static bool settle(struct search *search, const struct observation *observation, unsigned unasked)
{
    struct entry *entry = entry_of(search, observation->index);
    if (!entry)
        return false;
    if (!entry->told && !entry->open)
        entry->questions = unasked;
    search->told += !entry->told;
    search->open -= entry->open;
    entry->open = false;
    entry->told = true;
    entry->observation = *observation;
    while (entry->questions > 0) {
        entry->questions--;
        search->driver->tell(search->state, observation);
    }
    return true;
}

static bool tell(struct search *search, const struct observation *told, unsigned unasked)
{
    struct observation observation = *told;
    observation.valid = told->valid && isfinite(told->objective);
    observation.objective = observation.valid ? told->objective : 0;
    if (!settle(search, &observation, unasked))
        return false;
    if (better(search, &observation)) {
        search->has_best = true;
        search->best = observation;
    }
    return true;
}

bool search_tell(struct search *search, const struct observation *observation)
{
    return tell(search, observation, 1);
}

bool search_remember(struct search *search, const struct observation *observation)
{
    return tell(search, observation, 0);
}

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* `*median` of the valid results; false when out of memory. */
static bool median_result(const struct search *search, bool *any, double *median)
{
    size_t count = 0;
    double *results = malloc((search->entry_count + 1) * sizeof *results);
    if (!results)
        return false;
    for (size_t i = 0; i < search->entry_count; i++) {
        const struct entry *entry = &search->entries[i];
        if (entry->told && entry->observation.valid)
            results[count++] = entry->observation.objective;
    }
    qsort(results, count, sizeof *results, compare);
    *any = count > 0;
    *median = count > 0 ? results[count / 2] : 0;
    free(results);
    return true;
}

bool search_tell_nothing(struct search *search, size_t index)
{
    struct observation observation = {.index = index};
    return median_result(search, &observation.valid, &observation.objective) && settle(search, &observation, 1);
}

size_t search_told(const struct search *search)
{
    return search->told;
}

bool search_best(const struct search *search, struct observation *best)
{
    *best = search->best;
    return search->has_best;
}
