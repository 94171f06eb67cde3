/* SPDX-License-Identifier: Apache-2.0 */
/* tune list database: its tables, their rows and what they take of the file. */
#include "tuner/cli/listing.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/error/visible.h"

#include "db/forget.h"

struct gathering {
    json_t *rows; /* NULL: memory ran out */
    bool sized;
};

static void put_size(json_t **row, int64_t bytes)
{
    char size[FIGURE_TEXT];
    figure_bytes((double)bytes, size, sizeof size);
    json_put(row, "size", json_string(size));
    json_put(row, "bytes", json_integer((json_int_t)bytes));
}

static bool add_table(const struct store_table *table, void *context)
{
    struct gathering *gathering = context;
    json_t *row = json_pack("{s:s, s:I}", "table", table->name, "rows", (json_int_t)table->rows);
    gathering->sized = table->bytes >= 0;
    if (gathering->sized)
        put_size(&row, table->bytes);
    json_append(&gathering->rows, row);
    return gathering->rows != NULL;
}

static void add_bytes(json_t **rows, const char *name, int64_t bytes)
{
    json_t *row = json_pack("{s:s}", "table", name);
    put_size(&row, bytes);
    json_append(rows, row);
}

json_t *list_database(const struct options *options, struct error *error)
{
    struct store *store = NULL;
    struct gathering gathering = {.rows = json_array()};
    int64_t bytes = 0, unused = 0;
    bool listed = knowledge_open_unloaded(options->database, &store, error) &&
                  store_tables(store, add_table, &gathering, error) && store_bytes(store, &bytes, &unused, error);
    if (listed) {
        add_bytes(&gathering.rows, "(free for new rows)", unused);
        add_bytes(&gathering.rows, "(the file)", bytes);
        if (store_is_loose(bytes, unused))
            visible_printf(stderr, "tune: 'tune forget --vacuum' gives back what is free\n");
        if (!gathering.sized)
            visible_printf(stderr, "tune: this SQLite has no dbstat, so that the size of each table is not known\n");
    }
    store_close(store);
    if (listed && !gathering.rows)
        error_out_of_memory(error);
    if (listed)
        return gathering.rows;
    json_decref(gathering.rows);
    return NULL;
}
