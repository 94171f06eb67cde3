/* SPDX-License-Identifier: Apache-2.0 */
#include "db/within.h"

#include "tuner/space/limits.h"

static void free_limits(void *limits)
{
    limits_free(limits);
}

/* The limits of the first argument, which SQLite keeps for the rows to come; NULL: it is no condition. */
static const struct limits *limits_of(sqlite3_context *context, sqlite3_value **arguments)
{
    struct limits *limits = sqlite3_get_auxdata(context, 0);
    struct error ignored;
    const char *text = (const char *)sqlite3_value_text(arguments[0]);
    if (limits || !text || !limits_parse(&text, 1, &limits, &ignored))
        return limits;
    sqlite3_set_auxdata(context, 0, limits, free_limits);
    return sqlite3_get_auxdata(context, 0); /* memory may have run out */
}

/* What is no number, or none that the rules of numbers allow, is unknown. */
static void read_numbers(sqlite3_value **values, struct evaluation *evaluation)
{
    for (size_t i = 0; i < evaluation_number_count; i++) {
        const struct evaluation_number *number = &evaluation_numbers[i];
        char *at = (char *)evaluation + number->offset;
        int type = sqlite3_value_type(values[i]);
        double real = type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_value_double(values[i]) : -1;
        if (!evaluation_real_known(number, real))
            real = evaluation_unknown(number);
        if (number->integer)
            *(int64_t *)(void *)at = (int64_t)real;
        else
            *(double *)(void *)at = real;
    }
}

static void within(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct evaluation evaluation = evaluation_unmeasured;
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL || sqlite3_value_bytes(arguments[0]) == 0) {
        sqlite3_result_int(context, 1);
        return;
    }
    const struct limits *limits = limits_of(context, arguments);
    read_numbers(arguments + 1, &evaluation);
    sqlite3_result_int(context, limits && limits_hold(limits, &evaluation, NULL));
}

bool within_register(struct store *store, struct error *error)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    int result = sqlite3_create_function(store->sqlite, "within", (int)evaluation_number_count + 1, flags, NULL,
                                         within, NULL, NULL);
    return result == SQLITE_OK || store_fail(store, result, "open", error);
}
