/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/training_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void training_set_init(struct training_set *set, const struct explorer *explorer, size_t limit, double elite_share)
{
    *set =
        (struct training_set){.explorer = explorer, .limit = limit, .elite_share = elite_share, .logarithms = true};
}

void training_set_clear(struct training_set *set)
{
    free(set->ranking);
    free(set->unmerged);
    free(set->seconds);
}

static bool grow_list(size_t **list, size_t capacity)
{
    size_t *grown = realloc(*list, capacity * sizeof *grown);
    if (grown)
        *list = grown;
    return grown != NULL;
}

static bool grow(struct training_set *set)
{
    size_t capacity = set->explorer->capacity;
    if (capacity == set->capacity)
        return true;
    double *seconds = realloc(set->seconds, capacity * sizeof *seconds);
    if (seconds)
        set->seconds = seconds;
    if (!seconds || !grow_list(&set->ranking, capacity) || !grow_list(&set->unmerged, capacity))
        return false;
    set->capacity = capacity;
    return true;
}

bool training_set_add(struct training_set *set, const struct trial *trial, const struct observation *observation)
{
    if (!grow(set))
        return false;
    size_t number = (size_t)(trial - set->explorer->trials);
    set->ranking[set->told++] = number;
    set->seconds[number] = observation->seconds;
    set->valid += observation->valid;
    if (observation->valid && observation->objective <= 0)
        set->logarithms = false;
    return true;
}

/* Ties, among them all failures, are ordered by age. */
static int by_objective(const void *a, const void *b, void *context)
{
    const struct explorer *explorer = context;
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    double first = explorer->trials[one].objective, second = explorer->trials[other].objective;
    if (first != second)
        return first < second ? -1 : 1;
    return (one > other) - (one < other);
}

/* How many of the `count` best come before a trial. */
static size_t place_in(const struct training_set *set, size_t trial, size_t count)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (by_objective(&set->ranking[middle], &trial, (void *)set->explorer) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Merges what was added since the last time: one result or, when a sweep resumes, a hundred thousand. */
static void rank(struct training_set *set)
{
    size_t count = set->ranked, more = set->told - set->ranked;
    size_t *ranking = set->ranking, *unmerged = set->unmerged;
    if (more == 0)
        return;
    memcpy(unmerged, ranking + count, more * sizeof *unmerged);
    qsort_r(unmerged, more, sizeof *unmerged, by_objective, (void *)set->explorer);
    for (; more > 0; more--) {
        size_t place = place_in(set, unmerged[more - 1], count);
        memmove(ranking + place + more, ranking + place, (count - place) * sizeof *ranking);
        ranking[place + more - 1] = unmerged[more - 1];
        count = place;
    }
    set->ranked = set->told;
}

static void add_pending(struct training_set *set)
{
    const struct explorer *explorer = set->explorer;
    size_t pending = explorer->trial_count - set->told;
    pending = pending < TRAINING_PENDING_MOST ? pending : TRAINING_PENDING_MOST;
    set->row_count = set->known_count;
    for (size_t i = explorer->trial_count; i-- > 0 && set->row_count < set->known_count + pending;) {
        if (!explorer->trials[i].told)
            set->rows[set->row_count++] = i;
    }
}

void training_set_choose(struct training_set *set)
{
    const struct trial *trials = set->explorer->trials;
    size_t count = 0;
    rank(set);
    size_t elite = set->told <= set->limit ? set->told : (size_t)(set->elite_share * (double)set->limit);
    if (set->told > set->limit && elite > set->valid)
        elite = set->valid; /* failures are all alike: the latest are as good as any */
    for (; count < elite; count++)
        set->rows[count] = set->ranking[count];
    double worst = elite > 0 ? trials[set->rows[elite - 1]].objective : -INFINITY;
    for (size_t i = set->explorer->trial_count; elite < set->told && i-- > 0 && count < set->limit;) {
        if (trials[i].told && trials[i].objective > worst)
            set->rows[count++] = i;
    }
    set->known_count = count;
    add_pending(set);
}

const struct trial *training_set_ranked(const struct training_set *set, size_t rank)
{
    return &set->explorer->trials[set->ranking[rank]];
}

static double transformed(const struct training_set *set, const struct trial *trial)
{
    return set->logarithms ? log(trial->objective) : trial->objective;
}

double training_set_objectives(const struct training_set *set, double cut, double *values)
{
    double rank = cut * (double)(set->valid - 1);
    double limit = transformed(set, training_set_ranked(set, (size_t)rank));
    for (size_t i = 0; i < set->known_count; i++) {
        const struct trial *trial = &set->explorer->trials[set->rows[i]];
        values[i] = isinf(trial->objective) ? limit : fmin(transformed(set, trial), limit);
    }
    return transformed(set, training_set_ranked(set, 0));
}

void training_set_successes(const struct training_set *set, double *values)
{
    for (size_t i = 0; i < set->known_count; i++)
        values[i] = isinf(set->explorer->trials[set->rows[i]].objective) ? 0 : 1;
}

bool training_set_durations(const struct training_set *set, double *values)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < set->known_count; i++) {
        double seconds = set->seconds[set->rows[i]];
        values[i] = seconds > 0 ? log(seconds) : INFINITY;
        sum += seconds > 0 ? values[i] : 0;
        known += seconds > 0;
    }
    for (size_t i = 0; i < set->known_count; i++) {
        if (isinf(values[i]))
            values[i] = sum / known;
    }
    return known > 0;
}
