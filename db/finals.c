/* SPDX-License-Identifier: Apache-2.0 */
/* The finals of a run: finalists and their results. */
#include "db/evaluations.h"
#include "db/objects.h"
#include "db/verdicts.h"
#include "db/within.h"

#include "tuner/json/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a run looks for, and what its verdicts call that: with its limits. Both are to be freed. */
struct question {
    char *objective, *verdicts;
};

static bool find_question(struct store *store, int64_t run, struct question *question, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "SELECT objective, " WITHIN_OBJECTIVE("objective", "limits") " FROM run WHERE id = ?", error))
        return false;
    query_bind_integer(&query, run);
    enum query_step step = query_step(&query, error);
    if (step == QUERY_DONE)
        error_set(error, ERROR_SYSTEM, "the database %s has no such run", store->path);
    if (step == QUERY_ROW) {
        question->objective = strdup(query_text(&query, 0));
        question->verdicts = strdup(query_text(&query, 1));
    }
    query_close(&query);
    return step == QUERY_ROW && ((question->objective && question->verdicts) || error_out_of_memory(error));
}

/* An objective that is no longer known counts as time. */
static bool find_ranking(struct store *store, const char *objective, struct ranking *ranking, struct error *error)
{
    struct error unknown = {0};
    if (ranking_find(store, objective, ranking, &unknown))
        return true;
    if (unknown.code == ERROR_INPUT)
        return ranking_find(store, NULL, ranking, error);
    *error = unknown;
    return false;
}

static bool forget_finals(struct store *store, int64_t run, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, "DELETE FROM final WHERE run = ?", error))
        return false;
    query_bind_integer(&query, run);
    return query_run(&query, error);
}

static char *rounds_text(const struct store_final *final)
{
    json_t *array = json_array();
    bool done = array != NULL;
    for (size_t i = 0; done && i < final->round_count; i++) {
        double round = final->rounds_ns[i];
        done = json_array_append_new(array, isfinite(round) ? json_real(round) : json_null()) == 0;
    }
    char *text = done ? json_text(array, JSON_COMPACT) : NULL;
    json_decref(array);
    return text;
}

/* Only evaluations of the run's problem can be in its finals. */
static bool insert_final(struct store *store, int64_t run, size_t place, const struct store_final *final,
                         struct error *error)
{
    static const char sql[] = "INSERT INTO final (run, place, evaluation, tied, time_ns, time_low_ns, time_high_ns, "
                              "ratio, ratio_low, ratio_high, rounds_ns) "
                              "SELECT run.id, ?, evaluation.id, ?, ?, ?, ?, ?, ?, ?, ? FROM run "
                              "JOIN evaluation ON evaluation.problem = run.problem "
                              "WHERE run.id = ? AND evaluation.id = ?";
    char *rounds = rounds_text(final);
    if (!rounds)
        return error_out_of_memory(error);
    struct query query;
    bool done = query_open_kept(&query, store, sql, error);
    if (done) {
        query_bind_integer(&query, (int64_t)place);
        query_bind_integer(&query, final->tied);
        query_bind_positive(&query, final->time_ns);
        query_bind_positive(&query, final->time_low_ns);
        query_bind_positive(&query, final->time_high_ns);
        query_bind_positive(&query, final->ratio);
        query_bind_positive(&query, final->ratio_low);
        query_bind_positive(&query, final->ratio_high);
        query_bind_text(&query, rounds);
        query_bind_integer(&query, run);
        query_bind_integer(&query, final->evaluation_id);
        done = query_run(&query, error);
    }
    free(rounds);
    return done && (sqlite3_changes(store->sqlite) == 1 ||
                    error_set(error, ERROR_SYSTEM, "the database %s has no such evaluation of the run's problem",
                              store->path));
}

static bool update_finalist(struct store *store, const struct store_final *final, struct error *error)
{
    static const char sql[] = "UPDATE evaluation SET time_ns = ?, time_low_ns = ?, time_high_ns = ?, "
                              "energy_j = coalesce(?, energy_j), energy_error_j = coalesce(?, energy_error_j), "
                              "device_ns = coalesce(?, device_ns), metrics = coalesce(?, metrics) WHERE id = ?";
    bool energy = final->energy_j > 0;
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_positive(&query, final->time_ns);
    query_bind_positive(&query, final->time_low_ns);
    query_bind_positive(&query, final->time_high_ns);
    query_bind_positive(&query, final->energy_j);
    query_bind_real(&query, energy && final->energy_error_j >= 0 ? final->energy_error_j : NAN);
    query_bind_positive(&query, final->device_ns);
    query_bind_text(&query, final->metrics);
    query_bind_integer(&query, final->evaluation_id);
    return query_run(&query, error);
}

static bool put_all(struct store *store, int64_t run, const struct store_final *finals, size_t count,
                    const struct ranking *ranking, struct error *error)
{
    struct verdict_leaders leaders = {0};
    int64_t winner = finals[0].evaluation_id;
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = insert_final(store, run, i + 1, &finals[i], error);
    done = done && verdict_leaders(store, run, ranking->objective, &leaders, error);
    for (size_t i = 0; done && i < count; i++) {
        enum store_verdict result = i == 0 ? VERDICT_WINNER : finals[i].tied ? VERDICT_TIED : VERDICT_LOST;
        done = update_finalist(store, &finals[i], error) &&
               verdict_put(store, finals[i].evaluation_id, ranking->objective, winner, result, error);
    }
    done = done && verdict_put_rest(store, run, winner, ranking, error) &&
           verdict_keep_leaders(store, run, &leaders, error);
    verdict_leaders_free(&leaders);
    return done;
}

bool store_finals_put(struct store *store, int64_t run_id, const struct store_final *finals, size_t count,
                      struct error *error)
{
    struct ranking ranking;
    struct question question = {0};
    if (!transaction_begin(store, error))
        return false;
    bool done = find_question(store, run_id, &question, error) &&
                find_ranking(store, question.objective, &ranking, error) && forget_finals(store, run_id, error);
    if (done && strcmp(question.objective, question.verdicts) != 0)
        ranking.objective = question.verdicts; /* the costs stay */
    done = done && (count == 0 || put_all(store, run_id, finals, count, &ranking, error));
    free(question.objective);
    free(question.verdicts);
    return transaction_end(store, done, error);
}

/* Their values change, so that by each objective alone others might seem best. */
static bool put_front(struct store *store, int64_t run, const char *name, const struct store_final *finals,
                      size_t count, const struct store_beaten *beaten, size_t beaten_count, struct error *error)
{
    struct verdict_leaders leaders = {0};
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = insert_final(store, run, i + 1, &finals[i], error);
    done = done && verdict_leaders(store, run, name, &leaders, error);
    for (size_t i = 0; done && i < count; i++) {
        int64_t evaluation = finals[i].evaluation_id;
        done = update_finalist(store, &finals[i], error) &&
               verdict_put(store, evaluation, name, evaluation, VERDICT_WINNER, error);
    }
    for (size_t i = 0; done && i < beaten_count; i++)
        done = verdict_put(store, beaten[i].evaluation_id, name, beaten[i].by,
                           beaten[i].took_part ? VERDICT_LOST : VERDICT_OUTSIDE, error);
    done = done && verdict_keep_leaders(store, run, &leaders, error);
    verdict_leaders_free(&leaders);
    return done;
}

bool store_front_put(struct store *store, int64_t run_id, const struct store_final *finals, size_t count,
                     const struct store_beaten *beaten, size_t beaten_count, struct error *error)
{
    struct question question = {0};
    if (!transaction_begin(store, error))
        return false;
    bool done = find_question(store, run_id, &question, error) && forget_finals(store, run_id, error) &&
                put_front(store, run_id, question.verdicts, finals, count, beaten, beaten_count, error);
    free(question.objective);
    free(question.verdicts);
    return transaction_end(store, done, error);
}
