/* SPDX-License-Identifier: Apache-2.0 */
/* Rows as JSON: NULLs are omitted, JSON columns become values, malformed ones are omitted too. */
#include "fixture.h"

#include "db/objects.h"
#include "tuner/json/json_text.h"

static void expect(struct fixture *f, const char *sql, int64_t id, enum shape shape, const char *expected)
{
    struct store *store = fixture_open(f);
    json_t *rows;
    if (!rows_json(store, sql, id, shape, &rows, &f->error))
        fail_msg("%s", f->error.text);
    char *text = json_text(rows, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(rows);
    store_close(store);
}

static void rows_become_objects(void **state)
{
    expect(*state, "SELECT 1 AS a, 0.5 AS b, 'x' AS c, NULL AS d UNION ALL SELECT 2, 1e999, 'y', 3", 0, SHAPE_OBJECTS,
           "[{\"a\":1,\"b\":0.5,\"c\":\"x\"},{\"a\":2,\"c\":\"y\",\"d\":3}]");
}

static void no_rows_are_an_empty_array(void **state)
{
    expect(*state, "SELECT 1 AS a WHERE 0", 0, SHAPE_OBJECTS, "[]");
}

static void one_column_becomes_values(void **state)
{
    expect(*state, "SELECT ?1 UNION ALL SELECT 'x'", 7, SHAPE_VALUES, "[7,\"x\"]");
}

static void json_columns_become_values(void **state)
{
    expect(*state, "SELECT '{\"A\":[1]}' AS configuration, '[1.5]' AS samples, '[1.5]' AS other", 0, SHAPE_OBJECTS,
           "[{\"configuration\":{\"A\":[1]},\"samples\":[1.5],\"other\":\"[1.5]\"}]");
    expect(*state, "SELECT '{\"A\":' AS configuration, 1 AS a", 0, SHAPE_OBJECTS, "[{\"a\":1}]");
}

static void strings_become_utf8(void **state)
{
    expect(*state, "SELECT CAST(x'6eef' AS TEXT) AS a", 0, SHAPE_OBJECTS, "[{\"a\":\"n\xef\xbf\xbd\"}]");
}

static void a_statement_that_fails(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    json_t *rows;
    assert_false(rows_json(store, "SELECT nothing FROM nowhere", 0, SHAPE_OBJECTS, &rows, &f->error));
    assert_null(rows);
    assert_non_null(strstr(f->error.text, f->path));
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(rows_become_objects),        unit(no_rows_are_an_empty_array), unit(one_column_becomes_values),
        unit(json_columns_become_values), unit(strings_become_utf8),        unit(a_statement_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
