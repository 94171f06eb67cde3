/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/cover.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE = 256 };

struct cover {
    struct coordinates coordinates;
    size_t count;           /* of the sample */
    size_t indices[SAMPLE]; /* its configurations */
    double *places;         /* their coordinates */
    float *distances;       /* of each from each */
    float nearest[SAMPLE];  /* of each from the nearest representative */
    double *place;          /* coordinates of a configuration */
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

static float distance(const struct cover *cover, const double *place, size_t member)
{
    const struct coordinates *coordinates = &cover->coordinates;
    return (float)sqrt(coordinates_distance(coordinates, place, cover->places + member * coordinates->count));
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
    for (size_t i = 0; i < cover->count; i++) {
        for (size_t j = 0; j < cover->count; j++)
            cover->distances[i * SAMPLE + j] = distance(cover, cover->places + i * coordinates, j);
    }
    return cover;
}

void cover_take(struct cover *cover, size_t index)
{
    coordinates_of(&cover->coordinates, index, cover->place);
    for (size_t i = 0; i < cover->count; i++)
        cover->nearest[i] = fminf(cover->nearest[i], distance(cover, cover->place, i));
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
        double left = cover->nearest[i] > 0 ? remaining(cover, i) : INFINITY;
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
