/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landscape.h - search spaces and objectives for tests of strategies: small enough to be listed, with constraints, a
 * parameter of strings, and an objective that is smooth.
 */
#ifndef TUNE_TESTS_LANDSCAPE_H
#define TUNE_TESTS_LANDSCAPE_H

#include "tests/unit/fixture.h"

#include "tuner/search/generator.h"
#include "tuner/search/search.h"

#include <math.h>
#include <stdlib.h>

enum { LANDSCAPE_DIMENSIONS = 4, LANDSCAPE_POSITIONS = 32 };

struct landscape {
    struct search_space *space;
    size_t count;
    bool all_fail;
};

/* Positions a, b, c of three numbers and one of three words: a * b limited as threads of a block are, the second word
 * for even c only. At most `most` configurations. */
static inline void landscape_create(struct landscape *landscape, size_t a, size_t b, size_t c, size_t words,
                                    size_t most)
{
    static const char *const texts[] = {"scalar", "vector", "tensor"};
    static const char *const names[] = {"a", "b", "c", "word"};
    const size_t counts[LANDSCAPE_DIMENSIONS] = {a, b, c, words};
    struct value values[LANDSCAPE_DIMENSIONS][LANDSCAPE_POSITIONS];
    struct dimension dimensions[LANDSCAPE_DIMENSIONS];
    struct error error;
    uint16_t *rows = calloc(a * b * c * words * LANDSCAPE_DIMENSIONS + 1, sizeof *rows);
    assert_non_null(rows);
    for (size_t d = 0; d < LANDSCAPE_DIMENSIONS; d++) {
        for (size_t i = 0; i < counts[d]; i++)
            values[d][i] = d == 3 ? value_string(texts[i]) : value_integer((int64_t)(3 * i + d));
        dimensions[d] = (struct dimension){names[d], values[d], counts[d]};
    }
    *landscape = (struct landscape){0};
    for (size_t i = 0; i < a * b * c * words && landscape->count < most; i++) {
        const size_t point[] = {i % a, i / a % b, i / a / b % c, i / a / b / c};
        if ((point[0] + 1) * (point[1] + 1) > a * b / 2 + 1 || (point[3] == 1 && point[2] % 2 == 1))
            continue;
        for (size_t d = 0; d < LANDSCAPE_DIMENSIONS; d++)
            rows[landscape->count * LANDSCAPE_DIMENSIONS + d] = (uint16_t)point[d];
        landscape->count++;
    }
    assert_success(
        search_space_listed(dimensions, LANDSCAPE_DIMENSIONS, rows, landscape->count, &landscape->space, &error),
        &error);
    free(rows);
}

static inline void landscape_free(struct landscape *landscape)
{
    search_space_free(landscape->space);
}

/* A bowl, its bottom inside the space, a step between the words; a corner fails. */
static inline struct observation landscape_observe(const struct landscape *landscape, size_t index)
{
    static const double bottom[] = {0.4, 0.3, 0.6};
    static const double of_word[] = {0.2, 0, 0.4};
    uint16_t point[LANDSCAPE_DIMENSIONS];
    double sum = 1, share = 0;
    search_space_point(landscape->space, index, point);
    for (size_t d = 0; d < 3; d++) {
        double extent = (double)search_space_positions(landscape->space, d);
        double off = point[d] / extent - bottom[d];
        sum += off * off;
        share += point[d] / extent;
    }
    bool valid = !landscape->all_fail && share < 1.9;
    return (struct observation){
        .index = index, .valid = valid, .objective = valid ? sum + of_word[point[3]] : 0, .seconds = 1};
}

/* A search that is carried out, `parallel` evaluations under way at once; they end in random order. */
struct drive {
    const struct landscape *landscape;
    struct search *search;
    size_t parallel, open;
    size_t under_way[64];
    struct generator generator;
    double best;
};

/* False when nothing is left. `idle` counts the questions that were answered by waiting. */
static inline bool drive_on(struct drive *drive, size_t *order, size_t *count, size_t most, size_t *idle)
{
    enum answer answer = ASK_READY;
    while (drive->open < drive->parallel && *count < most && answer == ASK_READY) {
        answer = search_ask(drive->search, &drive->under_way[drive->open]);
        if (answer == ASK_READY)
            order[(*count)++] = drive->under_way[drive->open++];
        else if (answer == ASK_WAIT)
            (*idle)++;
    }
    if (drive->open == 0)
        return false;
    size_t at = generator_below(&drive->generator, drive->open);
    struct observation observation = landscape_observe(drive->landscape, drive->under_way[at]);
    drive->under_way[at] = drive->under_way[--drive->open];
    if (observation.valid && observation.objective < drive->best)
        drive->best = observation.objective;
    assert_true(search_tell(drive->search, &observation));
    return true;
}

struct outcome {
    size_t count, idle;
    double best; /* INFINITY: nothing valid */
};

/* Ask for up to `most` configurations: `order` has room for them. */
static inline struct outcome drive_all(const struct landscape *landscape, const struct strategy_driver *driver,
                                       struct strategy_setup setup, size_t parallel, size_t most, size_t *order)
{
    struct error error;
    struct outcome outcome = {0};
    struct drive drive = {
        .landscape = landscape, .parallel = parallel, .generator.state = setup.seed + 1, .best = INFINITY};
    setup.space = landscape->space;
    assert_success(search_create(driver, &setup, &drive.search, &error), &error);
    while (drive_on(&drive, order, &outcome.count, most, &outcome.idle)) {
    }
    search_free(drive.search);
    outcome.best = drive.best;
    return outcome;
}

#endif
