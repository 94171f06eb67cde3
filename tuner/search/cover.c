/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/cover.h"

#include <math.h>
#include <stdlib.h>

enum {
    SAMPLE = 256,
    KINDS_MOST = 16, /* with more, trying each would take too long */
};

struct cover {
    struct coordinates coordinates;
    size_t kinds, missing;    /* of configurations; those without a representative */
    size_t kind[SAMPLE];      /* by member */
    bool represented[SAMPLE]; /* by kind */
    size_t count;             /* of the sample */
    size_t indices[SAMPLE];   /* its configurations */
    double *places;           /* their coordinates */
    float *distances;         /* of each from each */
    float nearest[SAMPLE];    /* of each from the nearest representative */
    double *place;            /* coordinates of a configuration */
};

void cover_free(struct cover *cover)
{
    if (!cover)
        return;
    coordinates_clear(&cover->coordinates);
    free(cover->places);
    free(cover->distances);
    free(cover->place);
    free(cover);
}

static void take_sample(struct cover *cover, struct generator *generator)
{
    size_t configurations = search_space_count(cover->coordinates.space);
    bool all = configurations <= SAMPLE;
    cover->count = all ? configurations : SAMPLE;
    for (size_t i = 0; i < cover->count; i++) {
        cover->indices[i] = all ? i : generator_below(generator, configurations);
        cover->nearest[i] = INFINITY;
        coordinates_of(&cover->coordinates, cover->indices[i], cover->places + i * cover->coordinates.count);
    }
}

static const double *place_of(const struct cover *cover, size_t member)
{
    return cover->places + member * cover->coordinates.count;
}

/* Whether a member and a place are of one kind: all categorical coordinates are equal. */
static bool is_alike(const struct cover *cover, size_t member, const double *place)
{
    const struct coordinates *coordinates = &cover->coordinates;
    const double *own = place_of(cover, member);
    for (size_t c = coordinates->ordinal; c < coordinates->count; c++) {
        if (own[c] != place[c])
            return false;
    }
    return true;
}

static void find_kinds(struct cover *cover)
{
    for (size_t i = 0; i < cover->count; i++) {
        size_t first = 0;
        while (!is_alike(cover, first, place_of(cover, i)))
            first++;
        cover->kind[i] = first < i ? cover->kind[first] : cover->kinds++;
    }
    if (cover->kinds > KINDS_MOST)
        cover->kinds = 0;
    cover->missing = cover->kinds;
}

static float distance(const struct cover *cover, const double *place, size_t member)
{
    return (float)sqrt(coordinates_distance(&cover->coordinates, place, place_of(cover, member)));
}

struct cover *cover_create(const struct search_space *space, struct generator *generator)
{
    struct cover *cover = calloc(1, sizeof *cover);
    if (!cover)
        return NULL;
    bool made = coordinates_create(&cover->coordinates, space);
    size_t coordinates = cover->coordinates.count;
    cover->places = calloc(SAMPLE * coordinates + 1, sizeof *cover->places);
    cover->distances = calloc((size_t)SAMPLE * SAMPLE, sizeof *cover->distances);
    cover->place = calloc(coordinates + 1, sizeof *cover->place);
    if (!made || !cover->places || !cover->distances || !cover->place) {
        cover_free(cover);
        return NULL;
    }
    take_sample(cover, generator);
    find_kinds(cover);
    for (size_t i = 0; i < cover->count; i++) {
        for (size_t j = 0; j < cover->count; j++)
            cover->distances[i * SAMPLE + j] = distance(cover, place_of(cover, i), j);
    }
    return cover;
}

size_t cover_kinds(const struct cover *cover)
{
    return cover->kinds;
}

bool cover_is_union(const struct cover *cover)
{
    return cover->coordinates.unset != NULL;
}

static void represent_kind(struct cover *cover, const double *place)
{
    size_t member = 0;
    while (member < cover->count && !is_alike(cover, member, place))
        member++;
    if (member == cover->count || cover->missing == 0 || cover->represented[cover->kind[member]])
        return;
    cover->represented[cover->kind[member]] = true;
    cover->missing--;
}

void cover_take(struct cover *cover, size_t index)
{
    coordinates_of(&cover->coordinates, index, cover->place);
    for (size_t i = 0; i < cover->count; i++)
        cover->nearest[i] = fminf(cover->nearest[i], distance(cover, cover->place, i));
    represent_kind(cover, cover->place);
}

/* What would remain if a member of the sample were a representative. */
static double remaining(const struct cover *cover, size_t member)
{
    const float *distances = cover->distances + member * SAMPLE;
    float sum = 0;
    for (size_t i = 0; i < cover->count; i++)
        sum += cover->nearest[i] < distances[i] ? cover->nearest[i] : distances[i];
    return sum;
}

bool cover_next(struct cover *cover, size_t *index)
{
    double least = INFINITY;
    for (size_t i = 0; i < cover->count; i++) {
        bool is_due = cover->nearest[i] > 0 && (cover->missing == 0 || !cover->represented[cover->kind[i]]);
        double left = is_due ? remaining(cover, i) : INFINITY;
        if (left < least) {
            least = left;
            *index = cover->indices[i];
        }
    }
    if (isinf(least))
        return false;
    cover_take(cover, *index);
    return true;
}
