/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database with strange contents, read by everything that reads one. The input changes a genuine one, a change a
 * line; letters count from `a`, modulo what there is:
 *
 *     TABLE COLUMN ROW TYPE VALUE  a cell: four letters without blanks between, and the rest of the line. The type is
 *                                  `i`nteger, `r`eal, `t`ext, `b`lob or `n`ull
 *     -TABLE                       all rows of a table go
 *     !OFFSET VALUE                a byte of the file, in hexadecimal digits
 *     w                            it is opened for writing, and a row is stored
 *     m                            it is joined with itself, and the answer is a database
 *     f                            the rows of a template are forgotten, as many as a dry run said
 *     p                            the pages of a report and a file of knowledge are written
 *
 * Nothing in the schema forbids a value: constraints are removed.
 */
#include "db/forget.h"
#include "db/shown.h"
#include "db/store.h"
#include "reports/report.h"
#include "tests/fuzz/genuine_rows.h"
#include "tests/fuzz/recording_check.h"
#include "tuner/formats/database_read.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>

enum { TABLES = 16, COLUMNS = 48 };

struct table {
    char *name, *columns[COLUMNS], *where; /* a condition on the key that picks the ?2-th row */
    size_t count;
};

static struct table tables[TABLES];
static size_t table_count;
static uint8_t *genuine;
static size_t genuine_size;
static char path[PATH_MAX], pages[PATH_MAX];

/* ---- the genuine one ---- */

static int add_table(void *context, int count, char **values, char **names)
{
    (void)context, (void)count, (void)names;
    fuzz_require(table_count < TABLES);
    tables[table_count++].name = strdup(values[0]);
    return 0;
}

static int add_column(void *context, int count, char **values, char **names)
{
    (void)count, (void)names;
    struct table *table = context;
    fuzz_require(table->count < COLUMNS);
    table->columns[table->count++] = strdup(values[1]);
    if (strcmp(values[5], "0") != 0) {
        char *where = table->where;
        fuzz_require(asprintf(&table->where, "%s%s%s = (SELECT %s FROM %s ORDER BY 1 LIMIT 1 OFFSET ?2)",
                              where ? where : "", where ? " AND " : "", values[1], values[1], table->name) > 0);
        free(where);
    }
    return 0;
}

static void prepare(void)
{
    struct store *store;
    struct error error;
    sqlite3 *sqlite = NULL;
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 1024, 2000); /* not so many allocations, which cost more than all else */
    scratch_path(path, "fuzz.db");
    scratch_path(pages, "pages");
    fuzz_require(store_open(path, false, &store, &error));
    put_genuine_rows(store);
    store_close(store);
    fuzz_require(sqlite3_open(path, &sqlite) == SQLITE_OK);
    static const char loosen[] = "PRAGMA journal_mode = DELETE; PRAGMA writable_schema = ON;"
                                 "UPDATE sqlite_master SET sql = replace(replace(sql, ' NOT NULL', ''), 'CHECK (', "
                                 "'CHECK (1 OR ') WHERE type = 'table'";
    fuzz_require(sqlite3_exec(sqlite, loosen, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(sqlite);
    fuzz_require(sqlite3_open(path, &sqlite) == SQLITE_OK);
    fuzz_require(sqlite3_exec(sqlite, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", add_table,
                              NULL, NULL) == SQLITE_OK);
    for (size_t i = 0; i < table_count; i++) {
        char question[128];
        snprintf(question, sizeof question, "PRAGMA table_info(%s)", tables[i].name);
        fuzz_require(sqlite3_exec(sqlite, question, add_column, &tables[i], NULL) == SQLITE_OK);
    }
    sqlite3_close(sqlite);
    genuine = scratch_read(path, &genuine_size);
}

/* ---- changes ---- */

static size_t letter(char c)
{
    return (size_t)((unsigned char)c - 'a') & 0xff;
}

static void bind_value(sqlite3_stmt *statement, char type, const char *value, size_t length)
{
    char number[32];
    snprintf(number, sizeof number, "%.*s", (int)length, value);
    if (type == 'i')
        sqlite3_bind_int64(statement, 1, strtoll(number, NULL, 10));
    else if (type == 'r')
        sqlite3_bind_double(statement, 1, strtod(number, NULL));
    else if (type == 't')
        sqlite3_bind_text(statement, 1, value, (int)length, SQLITE_STATIC);
    else if (type == 'b')
        sqlite3_bind_blob(statement, 1, value, (int)length, SQLITE_STATIC);
}

/* A change that the schema refuses (two rows of one key) is none. */
static void change_cell(sqlite3 *sqlite, const char *line, size_t length)
{
    const struct table *table = &tables[letter(line[0]) % table_count];
    const char *column = table->columns[letter(line[1]) % table->count];
    sqlite3_stmt *statement;
    char *sql;
    fuzz_require(asprintf(&sql, "UPDATE %s SET %s = ?1 WHERE %s", table->name, column, table->where) > 0);
    fuzz_require(sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) == SQLITE_OK);
    bind_value(statement, line[3], line + 4, length - 4);
    sqlite3_bind_int64(statement, 2, (sqlite3_int64)letter(line[2]));
    sqlite3_step(statement);
    sqlite3_finalize(statement);
    free(sql);
}

static void empty_table(sqlite3 *sqlite, const char *line)
{
    char sql[64];
    snprintf(sql, sizeof sql, "DELETE FROM %s", tables[letter(line[1]) % table_count].name);
    sqlite3_exec(sqlite, sql, NULL, NULL, NULL);
}

typedef void change_line(void *context, const char *line, size_t length);

static void each_line(const char *text, change_line *change, void *context)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length > 0)
            change(context, text, length);
        text += length + (text[length] == '\n');
    }
}

static void change_rows(void *context, const char *line, size_t length)
{
    if (line[0] == '-' && length > 1)
        empty_table(context, line);
    else if (islower((unsigned char)line[0]) && length >= 4)
        change_cell(context, line, length);
}

struct file {
    unsigned char *bytes;
    sqlite3_int64 size;
};

static void change_bytes(void *context, const char *line, size_t length)
{
    struct file *file = context;
    unsigned offset, value;
    char copy[32];
    snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    if (sscanf(copy, "!%x %x", &offset, &value) == 2)
        file->bytes[offset % (size_t)file->size] = (unsigned char)value;
}

/* In memory, and then to the file. */
static void write_changed(const char *text)
{
    sqlite3 *sqlite = NULL;
    struct file file;
    unsigned char *copy = sqlite3_malloc64(genuine_size);
    fuzz_require(copy && sqlite3_open(":memory:", &sqlite) == SQLITE_OK);
    memcpy(copy, genuine, genuine_size);
    fuzz_require(sqlite3_deserialize(sqlite, "main", copy, (sqlite3_int64)genuine_size, (sqlite3_int64)genuine_size,
                                     SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
    fuzz_require(sqlite3_exec(sqlite, "BEGIN", NULL, NULL, NULL) == SQLITE_OK);
    each_line(text, change_rows, sqlite);
    fuzz_require(sqlite3_exec(sqlite, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    file.bytes = sqlite3_serialize(sqlite, "main", &file.size, 0);
    fuzz_require(file.bytes);
    each_line(text, change_bytes, &file);
    scratch_write(path, file.bytes, (size_t)file.size);
    sqlite3_free(file.bytes);
    sqlite3_close(sqlite);
}

static bool has_line(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    for (const char *at = text; (at = strstr(at, wanted)); at += length) {
        if ((at == text || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
            return true;
    }
    return false;
}

/* ---- readers ---- */

static void look_at_texts(const struct store_row *row)
{
    const char *const texts[] = {row->template_name, row->template_hash, row->size,    row->configuration,
                                 row->device_kind,   row->device_name,   row->driver,  row->architecture,
                                 row->compiler,      row->message,       row->metrics, row->measured_at,
                                 row->origin};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz_require(texts[i] && strlen(texts[i]) < SIZE_MAX);
}

static bool look(const struct store_row *row, void *context)
{
    (void)context;
    look_at_texts(row);
    return true;
}

static void expect(bool done, const struct error *error)
{
    if (!done)
        fuzz_refused(error);
}

/* What has a ceiling has a rate, and a share is a number. */
static void look_at_share(struct store *store, const struct store_row *row)
{
    struct error error = {0};
    struct ceilings ceilings = {0};
    expect(store_ceilings(store, row->device, &ceilings, &error), &error);
    for (size_t i = 0; i < WORK_COUNT; i++)
        fuzz_require(ceilings.of[i].rate >= 0 && isfinite(ceilings.of[i].rate));
    const struct share share = ceilings_share(&ceilings, &row->work, row->time_ns);
    fuzz_require(share.percent == -1 || (share.percent >= 0 && isfinite(share.percent)));
}

static bool look_at_best(const struct store_row *row, void *context)
{
    look_at_texts(row);
    look_at_share(context, row);
    fuzz_require(row->outcome == OUTCOME_OK && row->time_ns > 0 && isfinite(row->time_ns));
    return true;
}

static bool look_at_run(const struct store_run_row *row, void *context)
{
    (void)context;
    fuzz_require(row->template_name && row->space_name && row->size && row->device_name && row->device_kind);
    fuzz_require(row->strategy && row->status && row->started_at && row->ended_at);
    return true;
}

static void read_documents(struct store *store)
{
    struct error error = {0};
    json_t *devices = NULL, *document, *device;
    size_t index;
    bool done = store_devices_json(store, &devices, &error);
    expect(done, &error);
    json_array_foreach(done ? devices : NULL, index, device)
    {
        int64_t id = json_integer_value(json_object_get(device, "id"));
        struct device_description description;
        expect(store_device_description(store, id, &description, &error), &error);
        done = store_device_json(store, id, &document, &error);
        expect(done, &error);
        if (done)
            json_decref(document);
    }
    json_decref(devices);
}

static bool look_at_online(const struct store_online_row *row, void *context)
{
    (void)context;
    fuzz_require(row->size && row->inputs && row->compiler && row->found_at);
    fuzz_require(row->online.configuration && row->online.began_with && row->online.tried);
    return true;
}

static bool look_at_contender(const struct store_contender *contender, void *context)
{
    (void)context;
    fuzz_require(contender->size && contender->configuration);
    return true;
}

static void read_for_programs(struct store *store)
{
    const struct store_filter filter = {
        .template_name = "gemm", .template_hash = "aaaa", .device_kind = h100.kind, .device_name = h100.name};
    struct error error = {0};
    expect(store_onlines(store, &filter, look_at_online, NULL, &error), &error);
    expect(store_contenders(store, &filter, 4, look_at_contender, NULL, &error), &error);
}

static void read_within(struct store *store)
{
    static const char limits[] = "registers <= 64 and time < 1";
    static const struct store_filter filters[] = {{.limits = limits}, {.limits = limits, .objective = "rate"}};
    struct error error = {0};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        expect(store_best(store, &filters[i], look_at_best, store, &error), &error);
    expect(store_finished(store, &problem, "time", limits, look, NULL, &error), &error);
}

static void read_rows(struct store *store)
{
    static const char *const objectives[] = {NULL, "energy", "edp", "rate"};
    struct error error = {0};
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++) {
        const struct store_filter filter = {.objective = objectives[i]};
        expect(store_best(store, &filter, look_at_best, store, &error), &error);
    }
    const struct store_filter filter = {.template_name = "gemm", .device_kind = "cuda", .size = "M=64"};
    expect(store_best(store, &filter, look_at_best, store, &error), &error);
    expect(store_relatives(store, "gemm", "cuda", NULL, look, NULL, &error), &error);
    expect(store_finished(store, &problem, "time", NULL, look, NULL, &error), &error);
    expect(store_runs(store, look_at_run, NULL, &error), &error);
    expect(store_metrics_stale(store, "gemm", "aaaa", definitions, look, NULL, &error), &error);
    bool shipped, chosen = shown_begin(store, &error);
    for (int64_t id = 1; chosen && id <= 3; id++) /* as if a problem had very many rows */
        expect(shown_choose(store, id, NULL, id == 2 ? "rate" : NULL, 4, &error), &error);
    expect(store_has_shipped(store, &shipped, &error), &error);
}

static void write_row(void)
{
    struct error error = {0};
    struct store *store;
    struct evaluation evaluation = evaluation_unmeasured;
    int64_t id, row;
    evaluation.outcome = OUTCOME_OK;
    evaluation.message = (char[]){""};
    evaluation.time_ns = 5;
    if (!store_open(path, false, &store, &error)) {
        fuzz_refused(&error);
        return;
    }
    bool done = store_run_begin(store, &problem, &run, &id, &error) &&
                store_put(store, id, "{\"N\":8,\"V\":\"a\"}", &evaluation, &row, &error) &&
                store_run_end(store, id, "done", &error);
    expect(done, &error);
    store_close(store);
}

static bool count_forgotten(const struct forget_row *row, void *context)
{
    *(int64_t *)context += row->evaluations;
    return true;
}

static void forget(void)
{
    struct error error = {0};
    struct store *store;
    if (!store_open(path, false, &store, &error)) {
        fuzz_refused(&error);
        return;
    }
    for (int best_too = 0; best_too < 2; best_too++) {
        const struct forget_criteria criteria = {.template_name = "gemm", .best_too = best_too};
        struct forget_rest expected, rest;
        error = (struct error){0};
        int64_t dry = 0, rows = 0;
        bool tried = store_forget(store, &criteria, true, count_forgotten, &dry, &expected, &error);
        bool done = tried && store_forget(store, &criteria, false, count_forgotten, &rows, &rest, &error);
        expect(done, &error);
        fuzz_require(!done || (rows == dry && rest.trees == expected.trees && rest.online == expected.online));
    }
    store_close(store);
}

static void write_pages(struct store *store)
{
    struct error error = {0};
    char *index = NULL;
    expect(report_write(store, pages, true, &index, &error), &error);
    free(index);
    char known[PATH_MAX];
    const struct store_filter filter = {.template_name = "gemm"};
    scratch_path(known, "written.json");
    expect(store_known_write(store, &filter, known, &error), &error);
}

static bool count_rows(const struct store_row *row, void *context)
{
    (void)row;
    ++*(size_t *)context;
    return true;
}

/* What there is to read twice is there once. */
static void merge(void)
{
    struct error error = {0};
    struct store *store;
    struct store_merge_count counts[2];
    const char *const sources[] = {path, path};
    char target[PATH_MAX];
    size_t rows = 0;
    scratch_path(target, "merged.db");
    unlink(target);
    if (!store_merge(sources, 2, target, NULL, counts, &error)) {
        fuzz_refused(&error);
        fuzz_require(access(target, F_OK) != 0);
        return;
    }
    fuzz_require(counts[0].evaluations.rows == counts[1].evaluations.rows && counts[1].evaluations.added == 0);
    fuzz_require(store_open(target, true, &store, &error));
    expect(store_relatives(store, "gemm", "cuda", NULL, count_rows, &rows, &error), &error);
    store_close(store);
}

static void remove_journals(void)
{
    char name[PATH_MAX];
    scratch_path(name, "fuzz.db-wal");
    unlink(name);
    scratch_path(name, "fuzz.db-shm");
    unlink(name);
    scratch_path(name, "fuzz.db-journal");
    unlink(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct store *store;
    struct recordings recordings = {0};
    if (!genuine)
        prepare();
    char *text = fuzz_text(data, size);
    remove_journals();
    write_changed(text);
    if (has_line(text, "w"))
        write_row();
    if (has_line(text, "f"))
        forget();
    if (has_line(text, "m"))
        merge();
    if (store_open(path, true, &store, &error)) {
        read_rows(store);
        read_within(store);
        read_for_programs(store);
        read_documents(store);
        if (has_line(text, "p"))
            write_pages(store);
        store_close(store);
    } else {
        fuzz_refused(&error);
    }
    if (!database_read(path, &recordings, &error))
        fuzz_refused(&error);
    for (size_t i = 0; i < recordings.count; i++)
        recording_check(recordings.items[i]);
    recordings_clear(&recordings);
    free(text);
    return 0;
}
