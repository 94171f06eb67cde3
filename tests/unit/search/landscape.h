/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landscape.h - the fixture for tests of strategies.
 *
 * A landscape is a listed search space with constraints, a parameter of strings and a smooth objective; a drive runs
 * a search on it with several evaluations under way. A grid is a search space without constraints, whose
 * configurations are numbered row by row. A session asks and tells a strategy directly, without the memory of
 * search.h in between.
 */
#ifndef TUNE_TESTS_LANDSCAPE_H
#define TUNE_TESTS_LANDSCAPE_H

#include "tests/unit/fixture.h"

#include "tuner/search/choice.h"
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

/* Positions a, b, c of three numbers and one of three words: the product of a and b limited, as that of the threads
 * of a block is, and the second word for even c only. At most `most` configurations. */
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

/* A bowl with its bottom inside the space and a step between words; one corner fails. */
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

/* A search with `parallel` evaluations under way, which end in random order. */
struct drive {
    const struct landscape *landscape;
    struct search *search;
    size_t parallel, open;
    size_t under_way[64];
    struct generator generator;
    double best;
};

/* False when nothing is left. `idle` counts the questions answered by ASK_WAIT. */
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

/* Evaluates up to `most` configurations, their indices in `order`. */
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

/* All points of `dimensions` ordinal dimensions of these sizes; the last dimension varies fastest. */
static inline struct search_space *grid_create(const size_t *sizes, size_t dimensions)
{
    enum { MOST = 4 };
    static const char *const names[MOST] = {"a", "b", "c", "d"};
    struct value *values[MOST] = {NULL};
    struct dimension described[MOST];
    struct search_space *space;
    struct error error;
    size_t count = 1;
    assert_true(dimensions <= MOST);
    for (size_t d = 0; d < dimensions; d++) {
        values[d] = calloc(sizes[d], sizeof *values[d]);
        assert_non_null(values[d]);
        for (size_t i = 0; i < sizes[d]; i++)
            values[d][i] = value_integer((int64_t)i);
        described[d] = (struct dimension){names[d], values[d], sizes[d]};
        count *= sizes[d];
    }
    uint16_t *rows = calloc(count * dimensions, sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        for (size_t d = dimensions; d-- > 0; rest /= sizes[d])
            rows[i * dimensions + d] = (uint16_t)(rest % sizes[d]);
    }
    assert_success(search_space_listed(described, dimensions, rows, count, &space, &error), &error);
    free(rows);
    for (size_t d = 0; d < dimensions; d++)
        free(values[d]);
    return space;
}

/* How many parameters of two configurations differ. */
static inline size_t hamming(const struct search_space *space, size_t one, size_t other)
{
    uint16_t a[LANDSCAPE_DIMENSIONS], b[LANDSCAPE_DIMENSIONS];
    size_t apart = 0;
    search_space_point(space, one, a);
    search_space_point(space, other, b);
    for (size_t d = 0; d < search_space_dimensions(space); d++)
        apart += a[d] != b[d];
    return apart;
}

/* How many configurations that differ from one in one parameter are marked. */
static inline size_t count_neighbours(const struct search_space *space, size_t index, const bool *marked)
{
    size_t count = 0;
    for (size_t i = 0; i < search_space_count(space); i++)
        count += marked[i] && hamming(space, index, i) == 1;
    return count;
}

/* Objectives between 0 and 1, without structure: many local optima. The caller frees them. */
static inline double *rugged_objectives(size_t count, uint64_t seed)
{
    struct generator generator = {.state = seed};
    double *objectives = calloc(count, sizeof *objectives);
    assert_non_null(objectives);
    for (size_t i = 0; i < count; i++)
        objectives[i] = generator_real(&generator);
    return objectives;
}

/* A strategy as written on the command line, and its state. */
struct session {
    const struct strategy_driver *driver;
    double *parameters;
    void *state;
};

static inline struct session session_begin_with(const char *text, struct strategy_setup setup)
{
    struct session session = {0};
    struct error error;
    assert_success(strategy_choose(text, &session.driver, &session.parameters, &error), &error);
    setup.parameters = session.parameters;
    assert_success(session.driver->create(&setup, &session.state, &error), &error);
    return session;
}

static inline struct session session_begin(const char *text, const struct search_space *space, uint64_t seed)
{
    return session_begin_with(text, (struct strategy_setup){.space = space, .seed = seed});
}

static inline void session_end(struct session *session)
{
    session->driver->destroy(session->state);
    free(session->parameters);
}

static inline size_t session_ask(struct session *session)
{
    size_t index;
    assert_int_equal(session->driver->ask(session->state, &index), ASK_READY);
    return index;
}

/* An objective of INFINITY is a failure. */
static inline void session_tell(struct session *session, size_t index, double objective)
{
    bool valid = isfinite(objective);
    session->driver->tell(
        session->state,
        &(struct observation){.index = index, .valid = valid, .objective = valid ? objective : 0, .seconds = 1});
}

#endif
