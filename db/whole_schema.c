/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole_schema - what all steps of the schema together come to, so that a new database need not take each of them:
 *
 *     whole_schema tables|views schema.sql schema-2.sql ...
 *
 * Runs as part of the build. Takes the steps in an empty database, and prints the statements that make the tables
 * with their indices, or the views, in the order in which they came to be.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &length, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static int take_step(sqlite3 *sqlite, const char *path)
{
    char *sql = read_file(path);
    int result = sql ? sqlite3_exec(sqlite, sql, NULL, NULL, NULL) : SQLITE_CANTOPEN;
    if (result != SQLITE_OK)
        fprintf(stderr, "whole_schema: %s: %s\n", path, sql ? sqlite3_errmsg(sqlite) : "cannot be read");
    free(sql);
    return result;
}

static int print(sqlite3 *sqlite, const char *what)
{
    static const char select[] = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' "
                                 "AND (type = 'view') = (? = 'views') ORDER BY rowid";
    sqlite3_stmt *statement;
    int result = sqlite3_prepare_v2(sqlite, select, -1, &statement, NULL);
    if (result != SQLITE_OK)
        return result;
    sqlite3_bind_text(statement, 1, what, -1, SQLITE_STATIC);
    while ((result = sqlite3_step(statement)) == SQLITE_ROW)
        printf("%s;\n", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

int main(int count, char **arguments)
{
    sqlite3 *sqlite;
    int result = sqlite3_open(":memory:", &sqlite);
    for (int i = 2; i < count && result == SQLITE_OK; i++)
        result = take_step(sqlite, arguments[i]);
    if (result == SQLITE_OK && count > 1)
        result = print(sqlite, arguments[1]);
    sqlite3_close(sqlite);
    return result == SQLITE_OK && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
