/* SPDX-License-Identifier: Apache-2.0 */
#include "db/migrate.h"

extern const char tune_schema_1[], tune_schema_2[], tune_schema_3[], tune_schema_4[], tune_schema_5[],
    tune_schema_6[], tune_schema_7[], tune_schema_8[], tune_schema_9[], tune_schema_10[], tune_schema_11[],
    tune_schema_12[], tune_schema_13[], tune_schema_14[], tune_schema_15[], tune_schema_16[], tune_schema_tables[];

const struct migration store_migrations[] = {
    {tune_schema_1},  {tune_schema_2},  {tune_schema_3},  {tune_schema_4},  {tune_schema_5},  {tune_schema_6},
    {tune_schema_7},  {tune_schema_8},  {tune_schema_9},  {tune_schema_10}, {tune_schema_11}, {tune_schema_12},
    {tune_schema_13}, {tune_schema_14}, {tune_schema_15}, {tune_schema_16},
};
const size_t store_migration_count = sizeof store_migrations / sizeof *store_migrations;

static bool read_integer(struct store *store, const char *sql, int64_t *integer, struct error *error)
{
    struct query query;
    return query_open(&query, store, sql, error) && query_integer(&query, "answer", integer, error);
}

bool migrate_version(struct store *store, size_t count, size_t *version, struct error *error)
{
    int64_t application, number, objects;
    if (!read_integer(store, "PRAGMA application_id", &application, error) ||
        !read_integer(store, "PRAGMA user_version", &number, error) ||
        !read_integer(store, "SELECT count(*) FROM sqlite_master", &objects, error))
        return false;

    bool empty = application == 0 && number == 0 && objects == 0;
    if (!empty && application != STORE_APPLICATION_ID) {
        error_set(error, ERROR_INPUT, "%s is another program's database", store->path);
        return error_hint(error, "it was not changed; %s", store_another_file(store));
    }
    if (number < 0 || (uint64_t)number > count) {
        error_set(error, ERROR_INPUT,
                  "the database %s was written by a newer tune (its schema version is %lld, this program "
                  "supports up to %zu)",
                  store->path, (long long)number, count);
        return error_hint(error, "use that version of tune, or %s", store_another_file(store));
    }
    *version = (size_t)number;
    return true;
}

/* The only place that runs several statements from a text: the schemas are ours and hold no user data. */
static bool execute(struct store *store, const char *sql, struct error *error)
{
    int result = sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL);
    return result == SQLITE_OK || store_fail(store, result, "migrate", error);
}

static bool check_foreign_keys(struct store *store, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, "PRAGMA foreign_key_check", error))
        return false;
    enum query_step step = query_step(&query, error);
    if (step == QUERY_ROW)
        error_set(error, ERROR_SYSTEM, "cannot migrate the database %s: a row of table %s has a dangling reference",
                  store->path, query_text(&query, 0));
    query_close(&query);
    return step == QUERY_DONE;
}

/* Pragmas take no bound values; these are numbers. */
static bool stamp(struct store *store, size_t version, struct error *error)
{
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %zu", STORE_APPLICATION_ID, version);
    return execute(store, sql, error);
}

/* `parts` of the whole schema, if the file is empty; 0: step by step. */
static bool make_schema(struct store *store, const struct migration *migrations, size_t version, size_t count,
                        size_t parts, struct error *error)
{
    static const char *const whole[] = {tune_schema_tables, tune_schema_views};
    bool done = true;
    if (version == 0 && parts > 0) {
        for (size_t i = 0; done && i < parts; i++)
            done = execute(store, whole[i], error);
        return done;
    }
    for (size_t i = version; done && i < count; i++)
        done = execute(store, migrations[i].sql, error);
    return done;
}

static bool take_steps(struct store *store, const struct migration *migrations, size_t count, size_t parts,
                       struct error *error)
{
    if (!transaction_begin(store, error))
        return false;
    /* Read it only now: another program may have migrated the file while we waited for the lock. */
    size_t version = 0;
    bool done = migrate_version(store, count, &version, error) &&
                make_schema(store, migrations, version, count, parts, error);
    if (done && version < count)
        done = check_foreign_keys(store, error) && stamp(store, count, error);
    return transaction_end(store, done, error);
}

/* A step may replace a table; deleting the old one must not delete the rows that refer to it. */
static bool migrate_in_parts(struct store *store, const struct migration *migrations, size_t count, size_t parts,
                             struct error *error)
{
    int64_t enforced = 0;
    if (!read_integer(store, "PRAGMA foreign_keys", &enforced, error) ||
        !execute(store, "PRAGMA foreign_keys = OFF", error))
        return false;
    bool done = take_steps(store, migrations, count, parts, error);
    return (!enforced || execute(store, "PRAGMA foreign_keys = ON", done ? error : NULL)) && done;
}

bool migrate(struct store *store, const struct migration *migrations, size_t count, struct error *error)
{
    return migrate_in_parts(store, migrations, count, 0, error);
}

bool migrate_to_newest(struct store *store, bool views, struct error *error)
{
    return migrate_in_parts(store, store_migrations, store_migration_count, views ? 2 : 1, error);
}
