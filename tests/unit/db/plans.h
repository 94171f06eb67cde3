/* SPDX-License-Identifier: Apache-2.0 */
/* Statements are explained as they are prepared: which of them read all rows of a table, or make an index of their
 * own. Needs the linker's --wrap=sqlite3_prepare_v2 and _v3. */
#ifndef TESTS_UNIT_DB_PLANS_H
#define TESTS_UNIT_DB_PLANS_H

#include "fixture.h"

#include <ctype.h>

/* Scans that are meant: of this table, in statements that contain this text. */
static struct meant {
    const char *table, *part, *why;
    bool found;
} meant[] = {
    {"template", "json_extract(CASE WHEN json_valid(metrics)", "a row for each version of a kernel: few", false},
    {"template", "GROUP BY metrics ORDER BY min(id)", "a row for each version of a kernel: few", false},
    {"problem", "WHERE ?3 IS NULL AND template.name <>", "the best of everything was asked for", false},
    {"evaluation", "evaluation.origin <> 'shipped' AND template.name <>", "all records are exported", false},
    {"device", "GROUP BY device.id ORDER BY coalesce(device.peak_flops", "a report has all devices", false},
    {"run", "FROM run LEFT JOIN final AS won", "all runs are listed", false},
    {"problem", "WHERE ?1 IS NULL AND (?2 IS NULL OR device.name", "all problems' old rows are forgotten", false},
    {"dispatch", "FROM dispatch WHERE origin <> 'shipped' AND (?1 IS NULL OR made_at", "trees are few", false},
    {"online", "FROM online WHERE (?1 IS NULL OR found_at", "a row for each problem that a program met: few", false},
    {"template", "DELETE FROM template WHERE NOT EXISTS", "a row for each version of a kernel: few", false},
    {"device", "DELETE FROM device WHERE NOT EXISTS", "a row for each model of device: few", false},
    {"toolchain", "DELETE FROM toolchain WHERE NOT EXISTS", "a row for each driver and compiler: few", false},
    {"space", "DELETE FROM space WHERE NOT EXISTS", "a row for each version of a space: few", false},
};
enum { MEANT = sizeof meant / sizeof *meant };

/* What the statements of the function at hand did wrong. */
static struct findings {
    bool watching;
    bool reads_all; /* which is what the function is for */
    size_t statements;
    char text[16384];
} findings;

/* ---- plans */

static inline bool is_word(const char *text, const char *word, size_t length)
{
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) && text[length] != '_';
}

/* Is this a table of the schema, or an alias of one in the statement or the views that it may use? Its name, or NULL
 * for a part of the statement. */
static const char *table_of(sqlite3 *sqlite, const char *sql, const char *name, size_t length)
{
    static char table[64];
    static const char query[] =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND (name = ?1 OR (SELECT group_concat(sql) FROM "
        "(SELECT "
        "?2 AS sql UNION ALL SELECT sql FROM sqlite_temp_master)) || ' ' LIKE '%' || name || ' AS ' || ?1 || ' %')";
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v3(sqlite, query, -1, 0, &statement, NULL), SQLITE_OK);
    sqlite3_bind_text(statement, 1, name, (int)length, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, sql, -1, SQLITE_STATIC);
    bool found = sqlite3_step(statement) == SQLITE_ROW;
    if (found)
        snprintf(table, sizeof table, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return found ? table : NULL;
}

static bool is_meant(const char *sql, const char *table)
{
    bool found = false;
    for (size_t i = 0; i < MEANT; i++) {
        if (strcmp(meant[i].table, table) == 0 && strstr(sql, meant[i].part))
            meant[i].found = found = true;
    }
    return found;
}

/* "SCAN run", "SCAN TABLE run AS row" (older), "SEARCH place USING AUTOMATIC COVERING INDEX (run=?)". */
static void judge(sqlite3 *sqlite, const char *sql, const char *detail)
{
    bool scans = strncmp(detail, "SCAN ", 5) == 0;
    if (!scans && !strstr(detail, " AUTOMATIC "))
        return;
    const char *name = strchr(detail, ' ') + 1;
    if (is_word(name, "TABLE", 5))
        name += 6;
    const char *table = table_of(sqlite, sql, name, strcspn(name, " "));
    if (!table || (scans && (findings.reads_all || is_meant(sql, table))))
        return;
    size_t used = strlen(findings.text);
    snprintf(findings.text + used, sizeof findings.text - used, "%s (%s), in %s\n", detail, table, sql);
}

static void explain(sqlite3 *sqlite, const char *sql)
{
    static const char *const plain[] = {"PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "EXPLAIN"};
    sqlite3_stmt *statement;
    char *explanation = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
    assert_non_null(explanation);
    findings.watching = false;
    bool has_plan = true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        has_plan = has_plan && !is_word(sql, plain[i], strlen(plain[i]));
    if (has_plan) {
        findings.statements++;
        assert_int_equal(sqlite3_prepare_v3(sqlite, explanation, -1, 0, &statement, NULL), SQLITE_OK);
        while (sqlite3_step(statement) == SQLITE_ROW)
            judge(sqlite, sql, (const char *)sqlite3_column_text(statement, 3));
        sqlite3_finalize(statement);
    }
    sqlite3_free(explanation);
    findings.watching = true;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): names that the linker makes */
int __real_sqlite3_prepare_v2(sqlite3 *sqlite, const char *sql, int length, sqlite3_stmt **statement,
                              const char **tail);
int __wrap_sqlite3_prepare_v2(sqlite3 *sqlite, const char *sql, int length, sqlite3_stmt **statement,
                              const char **tail);
int __real_sqlite3_prepare_v3(sqlite3 *sqlite, const char *sql, int length, unsigned flags, sqlite3_stmt **statement,
                              const char **tail);
int __wrap_sqlite3_prepare_v3(sqlite3 *sqlite, const char *sql, int length, unsigned flags, sqlite3_stmt **statement,
                              const char **tail);

int __wrap_sqlite3_prepare_v2(sqlite3 *sqlite, const char *sql, int length, sqlite3_stmt **statement,
                              const char **tail)
{
    if (findings.watching)
        explain(sqlite, sql);
    return __real_sqlite3_prepare_v2(sqlite, sql, length, statement, tail);
}

int __wrap_sqlite3_prepare_v3(sqlite3 *sqlite, const char *sql, int length, unsigned flags, sqlite3_stmt **statement,
                              const char **tail)
{
    if (findings.watching)
        explain(sqlite, sql);
    return __real_sqlite3_prepare_v3(sqlite, sql, length, flags, statement, tail);
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
