/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/table.h"
#include "tuner/cli/text_width.h"

#include <locale.h>

static const char *const headings[] = {"name", ">time", ">spill", "_parameters"};

static struct table *create(void)
{
    struct table *table = table_create(headings, 4);
    assert_non_null(table);
    return table;
}

static void add(struct table *table, const char *name, const char *time, const char *spill, const char *parameters)
{
    table_cell(table, "%s", name);
    table_cell(table, "%s", time);
    table_cell(table, "%s", spill);
    table_cell(table, "%s", parameters);
}

static void expect(struct table *table, size_t width, const char *expected)
{
    struct printed printed;
    struct error error;
    printed_begin(&printed, width);
    assert_true(table_print(table, &printed.out, &error));
    printed_equal(&printed, expected);
}

static void a_pipe_gets_whole_rows(void **state)
{
    (void)state;
    struct table *table = create();
    add(table, "a", "1 ms", "-", "A=1 B=2");
    add(table, "long name", "12 ms", "-", "A=1 B=22");
    expect(table, 0,
           "name        time  spill  parameters\n"
           "a           1 ms      -  A=1 B=2\n"
           "long name  12 ms      -  A=1 B=22\n");
}

static void a_terminal_gets_no_empty_columns(void **state)
{
    (void)state;
    struct table *table = create();
    add(table, "a", "1 ms", "-", "A=1 B=2");
    add(table, "long name", "12 ms", "-", "");
    expect(table, 80,
           "name        time  parameters\n"
           "a           1 ms  A=1 B=2\n"
           "long name  12 ms\n");
}

/* 9 + 2 + 5 + 2 + 5 + 2 columns stand before the details; with 56 there are 31 for them, with 54 only 29. */
static void details_fold_or_go_beneath(void **state)
{
    (void)state;
    const char *parameters = "TILE_M=64 TILE_N=128 TILE_K=16 VARIANT=joint";
    struct table *table = create();
    add(table, "long name", "12 ms", "0", parameters);
    expect(table, 56,
           "name        time  spill  parameters\n"
           "long name  12 ms      0  TILE_M=64 TILE_N=128 TILE_K=16\n"
           "                         VARIANT=joint\n");
    table = create();
    add(table, "long name", "12 ms", "0", parameters);
    expect(table, 54,
           "name        time  spill\n"
           "long name  12 ms      0\n"
           "    TILE_M=64 TILE_N=128 TILE_K=16 VARIANT=joint\n");
    table = create();
    add(table, "long name", "12 ms", "0", parameters);
    expect(table, 30,
           "name        time  spill\n"
           "long name  12 ms      0\n"
           "    TILE_M=64 TILE_N=128\n"
           "    TILE_K=16 VARIANT=joint\n");
}

/* Words stay whole while that is possible, and are broken to fit where it is not. */
static void cells_fold_in_their_columns(void **state)
{
    (void)state;
    static const char *const two[] = {"device", "size"};
    const struct {
        size_t width;
        const char *expected;
    } cases[] = {
        {30, "device          size\n"
             "NVIDIA H100     M=1024,\n"
             "80GB HBM3       N=1073741824\n"},
        {22, "device    size\n"
             "NVIDIA    M=1024,\n"
             "H100      N=1073741824\n"
             "80GB\n"
             "HBM3\n"},
        {20, "device    size\n"
             "NVIDIA    M=1024,\n"
             "H100      N=10737418\n"
             "80GB      24\n"
             "HBM3\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table *table = table_create(two, 2);
        table_cell(table, "NVIDIA H100 80GB HBM3");
        table_cell(table, "M=1024,N=1073741824");
        expect(table, cases[i].width, cases[i].expected);
    }
}

static void no_line_is_wider_than_the_terminal(void **state)
{
    (void)state;
    for (size_t width = 36; width < 120; width++) {
        struct printed printed;
        struct error error;
        printed_begin(&printed, width);
        struct table *table = create();
        add(table, "a name of several words", "12.34 ms", "1024", "TILE_M=64 TILE_N=128 TILE_K=16 VARIANT=joint");
        add(table, "日本語日本語日本語日本語日本語日本語", "1 ms", "-", "TILE_M=64 TILE_N=128");
        assert_true(table_print(table, &printed.out, &error));
        char *text = printed_end(&printed), *rest = text;
        for (char *line; (line = strsep(&rest, "\n"));)
            assert_in_range(text_width(line), 0, width);
        free(text);
    }
}

static void headings_and_the_best_row_stand_out(void **state)
{
    (void)state;
    static const char *const one[] = {"<_name"};
    struct printed printed;
    struct error error;
    printed_begin(&printed, 80);
    printed.out.color = true;
    struct table *table = table_create(one, 1);
    table_cell(table, "a");
    table_mark_best(table);
    table_cell(table, "b");
    table_cell(table, "c");
    assert_true(table_print(table, &printed.out, &error));
    printed_equal(&printed, "\033[1m_name\033[0m\na\n\033[1;32mb\033[0m\nc\n");
}

static void cells_cannot_steer_the_terminal(void **state)
{
    (void)state;
    static const char *const one[] = {"name"};
    struct table *table = table_create(one, 1);
    table_cell(table, "%s", "two\nlines\033[2J");
    expect(table, 0, "name\ntwo\\nlines\\x1b[2J\n");
}

static void a_table_that_has_no_memory_says_so(void **state)
{
    (void)state;
    struct error error = {0};
    const struct terminal out = {.stream = stdout};
    table_mark_best(NULL);
    table_cell(NULL, "%s", "x");
    assert_false(table_print(NULL, &out, &error));
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_gets_whole_rows),
        cmocka_unit_test(a_terminal_gets_no_empty_columns),
        cmocka_unit_test(details_fold_or_go_beneath),
        cmocka_unit_test(cells_fold_in_their_columns),
        cmocka_unit_test(no_line_is_wider_than_the_terminal),
        cmocka_unit_test(headings_and_the_best_row_stand_out),
        cmocka_unit_test(cells_cannot_steer_the_terminal),
        cmocka_unit_test(a_table_that_has_no_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
