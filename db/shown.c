/* SPDX-License-Identifier: Apache-2.0 */
#include "db/shown.h"

#include "db/ranking.h"
#include "db/shown_values.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A valid row; its rank is 0 for the best. */
struct row {
    int64_t id;
    double cost, time_ns;
    size_t rank;
    bool shown;
};

struct sample {
    struct store *store;
    int64_t problem;
    struct row *rows; /* by id */
    size_t count, capacity;
    size_t next;                 /* behind the row that was looked for last */
    struct row **by_rank, **few; /* the latter for rows of which there may be too many */
    size_t few_count;
    size_t allowed;
    size_t step; /* of the even sample */
};

static bool open_for(struct query *query, const struct sample *sample, const char *sql, struct error *error)
{
    if (!query_open_kept(query, sample->store, sql, error))
        return false;
    query_bind_integer(query, sample->problem);
    return true;
}

/* ---- the rows */

static bool add_row(struct sample *sample, struct query *query)
{
    if (sample->count == sample->capacity) {
        size_t capacity = sample->capacity ? 2 * sample->capacity : 4096;
        struct row *rows = reallocarray(sample->rows, capacity, sizeof *rows);
        if (!rows)
            return false;
        sample->rows = rows;
        sample->capacity = capacity;
    }
    double cost = query_real(query, 2, INFINITY);
    sample->rows[sample->count++] = (struct row){
        .id = query_known(query, 0), .time_ns = query_real(query, 1, INFINITY), .cost = cost > 0 ? cost : INFINITY};
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    const struct row *one = a, *other = b;
    return (one->id > other->id) - (one->id < other->id);
}

static int compare_costs(const void *a, const void *b)
{
    const struct row *one = *(struct row *const *)a, *other = *(struct row *const *)b;
    if (one->cost != other->cost)
        return one->cost < other->cost ? -1 : 1;
    if (one->time_ns != other->time_ns)
        return one->time_ns < other->time_ns ? -1 : 1;
    return compare_ids(one, other);
}

/* Rows are mostly asked for one after the other. */
static struct row *find_row(struct sample *sample, int64_t id)
{
    size_t low = 0, high = sample->count;
    if (sample->next < high && sample->rows[sample->next].id == id)
        low = high = sample->next;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sample->rows[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    sample->next = low + 1;
    return low < sample->count && sample->rows[low].id == id ? &sample->rows[low] : NULL;
}

static bool rank_rows(struct sample *sample)
{
    sample->by_rank = calloc(sample->count + 1, sizeof *sample->by_rank);
    sample->few = calloc(sample->count + 1, sizeof *sample->few);
    if (!sample->by_rank || !sample->few)
        return false;
    if (sample->count)
        qsort(sample->rows, sample->count, sizeof *sample->rows, compare_ids);
    for (size_t i = 0; i < sample->count; i++)
        sample->by_rank[i] = &sample->rows[i];
    if (sample->count)
        qsort(sample->by_rank, sample->count, sizeof *sample->by_rank, compare_costs);
    for (size_t i = 0; i < sample->count; i++)
        sample->by_rank[i]->rank = i;
    return true;
}

static bool load_rows(struct sample *sample, const char *objective, struct error *error)
{
    struct query query;
    enum query_step step = QUERY_DONE;
    char *cost = ranking_cost_by(objective ? objective : "time", "evaluation"), *sql = NULL;
    if (!cost || asprintf(&sql,
                          "SELECT evaluation.id, evaluation.time_ns, %s FROM evaluation WHERE evaluation.problem = ? "
                          "AND evaluation.outcome = 'ok' AND evaluation.time_ns > 0",
                          cost) < 0)
        sql = NULL;
    free(cost);
    bool done = sql ? open_for(&query, sample, sql, error) : error_out_of_memory(error);
    free(sql);
    if (!done)
        return false;
    while (done && (step = query_step(&query, error)) == QUERY_ROW)
        done = add_row(sample, &query) || error_out_of_memory(error);
    query_close(&query);
    return done && step == QUERY_DONE && (rank_rows(sample) || error_out_of_memory(error));
}

/* ---- what is chosen of them */

/* The best by the objective, and every so many of the others. */
static void choose_by_rank(struct sample *sample)
{
    for (size_t rank = 0; rank < sample->count; rank++) {
        if (rank < sample->allowed / 2 || (rank + 1) % sample->step == 0)
            sample->by_rank[rank]->shown = true;
    }
}

/* Every row that the query names. */
static bool choose_named(struct sample *sample, const char *sql, struct error *error)
{
    struct query query;
    enum query_step step;
    if (!open_for(&query, sample, sql, error))
        return false;
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        struct row *row = find_row(sample, query_known(&query, 0));
        if (row)
            row->shown = true;
    }
    query_close(&query);
    return step == QUERY_DONE;
}

/* By another objective; energies have an index that has nothing else. */
static bool choose_best_by(struct sample *sample, const char *name, size_t count, struct error *error)
{
    char *cost = ranking_cost_by(name, "evaluation"), *sql = NULL;
    bool energy = strcmp(name, "energy") == 0 || strcmp(name, "edp") == 0;
    if (!cost || asprintf(&sql,
                          "SELECT id FROM (SELECT evaluation.id, %s AS cost FROM evaluation WHERE problem = ? AND "
                          "outcome = 'ok' AND +time_ns > 0%s) WHERE cost > 0 ORDER BY cost, id LIMIT %zu",
                          cost, energy ? " AND energy_j > 0" : "", count) < 0)
        sql = NULL;
    free(cost);
    bool done = sql ? choose_named(sample, sql, error) : error_out_of_memory(error);
    free(sql);
    return done;
}

static bool choose_by_objectives(struct sample *sample, const json_t *names, const char *objective,
                                 struct error *error)
{
    size_t count = json_array_size(names);
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (strcmp(name, objective ? objective : "time") != 0)
            done = choose_best_by(sample, name, sample->allowed / (4 * count), error);
    }
    return done;
}

static void note(struct sample *sample, struct row *row)
{
    if (!row->shown && sample->few_count < sample->count)
        sample->few[sample->few_count++] = row;
}

/* What was noted, or evenly so much of it as there is room for, with both ends. */
static void choose_noted(struct sample *sample)
{
    size_t count = sample->few_count, most = sample->allowed / 8;
    for (size_t i = 0; i < count; i++) {
        if (count <= most || i == 0 || i + 1 == count || (i + 1) * most / count > i * most / count)
            sample->few[i]->shown = true;
    }
    sample->few_count = 0;
}

static bool choose_improvements(struct sample *sample, struct error *error)
{
    struct query query;
    enum query_step step;
    int64_t run = -1;
    size_t best = SIZE_MAX;
    if (!open_for(&query, sample,
                  "SELECT run_evaluation.run, run_evaluation.evaluation FROM run CROSS JOIN run_evaluation ON "
                  "run_evaluation.run = run.id WHERE run.problem = ? ORDER BY run.id, run_evaluation.sequence",
                  error))
        return false;
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        struct row *row = find_row(sample, query_known(&query, 1));
        if (query_known(&query, 0) != run)
            best = SIZE_MAX;
        run = query_known(&query, 0);
        if (row && row->rank < best) {
            best = row->rank;
            note(sample, row);
        }
    }
    query_close(&query);
    choose_noted(sample);
    return step == QUERY_DONE;
}

/* From the least energy on, those that are faster than all before. */
static bool choose_front(struct sample *sample, struct error *error)
{
    struct query query;
    enum query_step step;
    double fastest = INFINITY;
    if (!open_for(&query, sample,
                  "SELECT id FROM evaluation WHERE problem = ? AND outcome = 'ok' AND energy_j > 0 ORDER BY energy_j",
                  error))
        return false;
    while ((step = query_step(&query, error)) == QUERY_ROW) {
        struct row *row = find_row(sample, query_known(&query, 0));
        if (row && row->time_ns < fastest) {
            fastest = row->time_ns;
            note(sample, row);
        }
    }
    query_close(&query);
    choose_noted(sample);
    return step == QUERY_DONE;
}

static bool choose_by_values(struct sample *sample, struct error *error)
{
    struct query query;
    enum query_step step = QUERY_FAILED;
    struct shown_values *values = shown_values_create();
    size_t *ranks = calloc(sample->allowed + 1, sizeof *ranks), count = 0;
    if (!values || !ranks) {
        error_out_of_memory(error);
    } else if (open_for(&query, sample, "SELECT id, configuration FROM evaluation WHERE problem = ?", error)) {
        while ((step = query_step(&query, error)) == QUERY_ROW) {
            const struct row *row = find_row(sample, query_known(&query, 0));
            if (row && isfinite(row->cost))
                shown_values_add(values, query_text(&query, 1), row->rank, row->cost);
        }
        query_close(&query);
    }
    if (step == QUERY_DONE)
        count = shown_values_best(values, ranks, sample->allowed / 2);
    for (size_t i = 0; i < count; i++)
        sample->by_rank[ranks[i]]->shown = true;
    free(ranks);
    shown_values_free(values);
    return step == QUERY_DONE;
}

/* ---- the table */

static bool show(struct query *insert, int64_t id, struct error *error)
{
    query_rewind(insert);
    query_bind_integer(insert, id);
    return query_step(insert, error) == QUERY_DONE;
}

/* The first of each kind, and every so many. */
static bool show_failures(struct sample *sample, struct query *insert, struct error *error)
{
    struct query query;
    enum query_step step = QUERY_DONE;
    char kind[64] = "";
    bool done = open_for(&query, sample,
                         "SELECT id, outcome FROM evaluation WHERE problem = ? AND outcome <> 'ok' "
                         "ORDER BY outcome, measured_at, id",
                         error);
    if (!done)
        return false;
    for (size_t i = 0; done && (step = query_step(&query, error)) == QUERY_ROW; i++) {
        const char *outcome = query_text(&query, 1);
        bool is_first = strncmp(outcome, kind, sizeof kind - 1) != 0;
        snprintf(kind, sizeof kind, "%s", outcome);
        if (is_first || (i + 1) % sample->step == 0)
            done = show(insert, query_known(&query, 0), error);
    }
    query_close(&query);
    return done && step == QUERY_DONE;
}

static bool show_chosen(struct sample *sample, struct error *error)
{
    struct query insert;
    if (!query_open_kept(&insert, sample->store, "INSERT OR IGNORE INTO shown VALUES (?)", error))
        return false;
    bool done = show_failures(sample, &insert, error);
    for (size_t i = 0; done && i < sample->count; i++)
        done = !sample->rows[i].shown || show(&insert, sample->rows[i].id, error);
    query_close(&insert);
    return done;
}

static bool run(struct store *store, const char *sql, struct error *error)
{
    struct query query;
    return query_open_kept(&query, store, sql, error) && query_run(&query, error);
}

bool shown_begin(struct store *store, struct error *error)
{
    return run(store, "CREATE TEMP TABLE IF NOT EXISTS shown (id INTEGER PRIMARY KEY)", error);
}

static bool count_rows(struct sample *sample, struct error *error)
{
    struct query query;
    int64_t total;
    if (!open_for(&query, sample, "SELECT count(*) FROM evaluation WHERE problem = ?", error) ||
        !query_integer(&query, "count", &total, error))
        return false;
    sample->step = 1 + 2 * (size_t)total / sample->allowed;
    return true;
}

bool shown_choose(struct store *store, int64_t problem, const json_t *names, const char *objective, size_t rows,
                  struct error *error)
{
    struct sample sample = {.store = store, .problem = problem, .allowed = rows};
    bool done =
        run(store, "DELETE FROM shown", error) && count_rows(&sample, error) && load_rows(&sample, objective, error);
    if (done) {
        choose_by_rank(&sample);
        done = choose_by_objectives(&sample, names, objective, error) &&
               choose_named(&sample,
                            "SELECT final.evaluation FROM run JOIN final ON final.run = run.id WHERE run.problem = ?",
                            error) &&
               choose_improvements(&sample, error) && choose_front(&sample, error) &&
               choose_by_values(&sample, error) && show_chosen(&sample, error);
    }
    free(sample.few);
    free(sample.by_rank);
    free(sample.rows);
    return done;
}

static int compare_counts(const void *a, const void *b)
{
    const size_t one = *(const size_t *)a, other = *(const size_t *)b;
    return (one > other) - (one < other);
}

size_t shown_share(const size_t *counts, size_t count, size_t total)
{
    size_t *sorted = calloc(count + 1, sizeof *sorted), share = total;
    if (!sorted)
        return count ? total / count : total;
    if (count)
        memcpy(sorted, counts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_counts);
    for (size_t i = 0; i < count; i++) {
        share = total / (count - i);
        if (sorted[i] > share)
            break;
        total -= sorted[i];
        share = sorted[i]; /* if all fit */
    }
    free(sorted);
    return share;
}
