/* SPDX-License-Identifier: Apache-2.0 */
#include "db/evaluations.h"
#include "db/objects.h"
#include "db/verdicts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pieces of the upsert for each field of an evaluation: its column, its parameter, its update. */
#define TEXT_COLUMN(name, document)                   #name ", "
#define NUMBER_COLUMN(type, name, document, rule)     ", " #name
#define PART_COLUMN(part, type, name, document, rule) ", " #name
#define TEXT_UPDATE(name, document)                   #name " = excluded." #name ", "
#define NUMBER_PLACE(type, name, document, rule)      ", ?"
#define PART_PLACE(part, type, name, document, rule)  ", ?"
#define NUMBER_UPDATE(type, name, document, rule)     #name " = excluded." #name ", "
#define PART_UPDATE(part, type, name, document, rule) #name " = excluded." #name ", "

/* Texts are bound in the order of EVALUATION_TEXTS, numbers in that of EVALUATION_NUMBERS. */
static const char upsert[] =
    "INSERT INTO evaluation (problem, configuration, " EVALUATION_TEXTS(TEXT_COLUMN) "measured_at, origin" //
    EVALUATION_NUMBERS(NUMBER_COLUMN,
                       PART_COLUMN) ") "
                                    "VALUES (?, ?, ?, ?, ?, nullif(?, ''), ?, ?, nullif(?, ''), coalesce(?, "
                                    "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), ?" //
    EVALUATION_NUMBERS(NUMBER_PLACE,
                       PART_PLACE) ") "
                                   "ON CONFLICT (problem, configuration) DO UPDATE SET " EVALUATION_TEXTS(
                                       TEXT_UPDATE) //
    EVALUATION_NUMBERS(
        NUMBER_UPDATE,
        PART_UPDATE) "measured_at = excluded.measured_at, origin = excluded.origin "
                     "WHERE (excluded.origin = 'measured' OR evaluation.origin IN ('shipped', excluded.origin)) "
                     "AND (excluded.transient IS NULL OR evaluation.transient IS NOT NULL)";

static void bind_number(struct query *query, const struct evaluation *evaluation,
                        const struct evaluation_number *number)
{
    const char *at = (const char *)evaluation + number->offset;
    if (number->integer) {
        int64_t integer = *(const int64_t *)(const void *)at;
        query_bind_known(query, evaluation_real_known(number, (double)integer) ? integer : -1);
        return;
    }
    double real = *(const double *)(const void *)at;
    query_bind_real(query, evaluation_real_known(number, real) ? real : NAN);
}

/* The decimal digits of a number, at least so many. */
static char *put_digits(char *to, uint64_t number, int least)
{
    char digits[20];
    int count = 0;
    for (; number > 0 || count < least; number /= 10)
        digits[count++] = (char)('0' + number % 10);
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

/*
 * Fast formatting of typical nanoseconds: a decimal whose digits form an integer below 2^53 reads back as that
 * integer divided by its power of ten; both are exact, so the quotient is rounded once. Returns 0 if there is no such
 * decimal, in which case there is none of 15 digits either.
 */
static size_t decimal_text(double real, char text[32])
{
    double scale = 1;
    for (int places = 0; places < 16; places++, scale *= 10) {
        double digits = nearbyint(real * scale);
        if (digits >= 0x1p53)
            break;
        if (digits / scale != real)
            continue;
        uint64_t whole = (uint64_t)digits / (uint64_t)scale, rest = (uint64_t)digits % (uint64_t)scale;
        char *at = put_digits(text, whole, 1);
        *at++ = '.';
        return (size_t)(put_digits(at, rest, places ? places : 1) - text);
    }
    return 0;
}

/* The fewest digits that read back equal, as json_text writes a real. */
static size_t real_text(double real, char text[32])
{
    bool usual = real >= 1 && real < 1e15; /* printed without an exponent */
    size_t length = usual ? decimal_text(real, text) : 0;
    if (length)
        return length;
    for (int digits = usual ? 16 : 15; digits <= 17; digits++) {
        length = (size_t)snprintf(text, 32, "%.*g", digits, real);
        if (digits == 17 || strtod(text, NULL) == real)
            break;
    }
    char *comma = strchr(text, ','); /* the decimal point of some locales */
    if (comma)
        *comma = '.';
    if (!strpbrk(text, ".e"))
        length += (size_t)sprintf(text + length, ".0");
    return length;
}

/* The samples as the text of a JSON array, non-finite ones as null. There can be very many. */
static char *samples_text(const struct evaluation *evaluation)
{
    enum { MOST = 32 }; /* bytes per sample, including its comma */
    char *text = malloc(evaluation->sample_count * MOST + 3), *at = text;
    if (!text)
        return NULL;
    *at++ = '[';
    for (size_t i = 0; i < evaluation->sample_count; i++) {
        double sample = evaluation->samples_ns[i];
        if (i)
            *at++ = ',';
        if (isfinite(sample))
            at += real_text(sample, at);
        else
            at += sprintf(at, "null");
    }
    strcpy(at, "]");
    return text;
}

static bool find_evaluation(struct store *store, int64_t problem, const char *configuration, int64_t *id,
                            struct error *error)
{
    static const char sql[] = "SELECT id FROM evaluation WHERE problem = ? AND configuration = ?";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, problem);
    query_bind_text(&query, configuration);
    return query_integer(&query, "such evaluation", id, error);
}

/* The inputs that an evaluation was validated on can be made again from their seed. */
static void bind_seed(struct query *query, const struct evaluation *evaluation, enum origin origin, char seed[24])
{
    bool known = origin == ORIGIN_MEASURED && !(evaluation->error_ratio < 0);
    snprintf(seed, 24, "%" PRIu64, evaluation->seed);
    query_bind_text(query, known ? seed : NULL);
}

static bool upsert_evaluation(struct store *store, int64_t problem, const char *configuration,
                              const struct evaluation *evaluation, enum origin origin, const char *measured_at,
                              struct error *error)
{
    char seed[24], *samples = NULL;
    if (evaluation->sample_count > 0) {
        samples = samples_text(evaluation);
        if (!samples)
            return error_out_of_memory(error);
    }
    struct query query;
    bool done = query_open_kept(&query, store, upsert, error);
    if (done) {
        query_bind_integer(&query, problem);
        query_bind_text(&query, configuration);
        query_bind_text(&query, outcome_name(evaluation->outcome));
        query_bind_text(&query, evaluation->message ? evaluation->message : "");
        query_bind_text(&query, samples);
        query_bind_text(&query, evaluation->uuid);
        bind_seed(&query, evaluation, origin, seed);
        query_bind_text(&query, evaluation->awkward);
        query_bind_text(&query, evaluation->metrics);
        query_bind_text(&query, measured_at);
        query_bind_text(&query, origin_name(origin));
        for (size_t i = 0; i < evaluation_number_count; i++)
            bind_number(&query, evaluation, &evaluation_numbers[i]);
        done = query_run(&query, error);
    }
    free(samples);
    return done;
}

bool evaluation_write(struct store *store, int64_t problem, const char *configuration,
                      const struct evaluation *evaluation, enum origin origin, const char *measured_at, int64_t *id,
                      struct error *error)
{
    sqlite3_set_last_insert_rowid(store->sqlite, 0);
    if (!upsert_evaluation(store, problem, configuration, evaluation, origin, measured_at, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->sqlite);
    if (*id != 0)
        return true;                                   /* a new row, of which nothing has been decided */
    bool changed = sqlite3_changes(store->sqlite) > 0; /* a row that stays keeps its verdicts */
    return find_evaluation(store, problem, configuration, id, error) &&
           (!changed || verdict_forget(store, *id, error));
}

/* An evaluation keeps its first place in a run. */
static const char link_to_run[] =
    "INSERT INTO run_evaluation (run, evaluation, reused, sequence) "
    "SELECT ?1, ?2, ?3, coalesce(max(sequence), 0) + 1 FROM run_evaluation WHERE run = ?1 "
    "ON CONFLICT (run, evaluation) DO UPDATE SET reused = min(reused, excluded.reused)";

static void bind_link(struct query *query, int64_t run, int64_t evaluation, bool reused)
{
    query_bind_integer(query, run);
    query_bind_integer(query, evaluation);
    query_bind_integer(query, reused);
}

static bool link_measured(struct store *store, int64_t run, int64_t evaluation, struct error *error)
{
    struct query query;
    if (!query_open_kept(&query, store, link_to_run, error))
        return false;
    bind_link(&query, run, evaluation, false);
    return query_run(&query, error);
}

static bool find_problem(struct store *store, int64_t run, int64_t *problem, struct error *error)
{
    static const char sql[] = "SELECT problem FROM run WHERE id = ?";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, run);
    return query_integer(&query, "such run", problem, error);
}

bool store_put(struct store *store, int64_t run_id, const char *configuration, const struct evaluation *evaluation,
               int64_t *evaluation_id, struct error *error)
{
    int64_t problem, id = 0;
    if (!store->together && !transaction_begin(store, error))
        return false;
    int before = sqlite3_total_changes(store->sqlite);
    bool done = find_problem(store, run_id, &problem, error) &&
                evaluation_write(store, problem, configuration, evaluation, ORIGIN_MEASURED, NULL, &id, error) &&
                link_measured(store, run_id, id, error);
    if (store->together)
        store->half_written = store->half_written || (!done && sqlite3_total_changes(store->sqlite) != before);
    else
        done = transaction_end_soon(store, done, error);
    if (done && evaluation_id)
        *evaluation_id = id;
    return done;
}

bool store_rows_begin(struct store *store, struct error *error)
{
    store->together = transaction_begin(store, error);
    store->half_written = false;
    return store->together;
}

bool store_rows_end(struct store *store, struct error *error)
{
    store->together = false;
    return transaction_end_soon(store, !store->half_written, error);
}

/* Only evaluations of the run's own problem can be reused. */
static bool check_reuse(struct query *query, int64_t run, int64_t evaluation, struct error *error)
{
    query_rewind(query);
    query_bind_integer(query, run);
    query_bind_integer(query, evaluation);
    enum query_step step = query_step(query, error);
    if (step == QUERY_DONE)
        return error_set(error, ERROR_SYSTEM, "the database %s has no such evaluation of the run's problem",
                         query->store->path);
    return step == QUERY_ROW;
}

static bool link_reused(struct query *query, int64_t run, int64_t evaluation, struct error *error)
{
    query_rewind(query);
    bind_link(query, run, evaluation, true);
    return query_step(query, error) == QUERY_DONE;
}

bool store_reuse(struct store *store, int64_t run_id, const int64_t *evaluation_ids, size_t count,
                 struct error *error)
{
    struct query check = {0}, link = {0};
    if (!transaction_begin(store, error))
        return false;
    bool done = query_open(&check, store,
                           "SELECT evaluation.id FROM evaluation JOIN run ON run.problem = evaluation.problem "
                           "WHERE run.id = ? AND evaluation.id = ?",
                           error) &&
                query_open(&link, store, link_to_run, error);
    for (size_t i = 0; done && i < count; i++)
        done = check_reuse(&check, run_id, evaluation_ids[i], error) &&
               link_reused(&link, run_id, evaluation_ids[i], error);
    query_close(&check);
    query_close(&link);
    return transaction_end(store, done, error);
}
