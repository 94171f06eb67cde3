/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_macros.h"

/* A file with the parameters of the fixture, of 4096 x 4096 x 64, and this source. */
static void read_source(struct t1_fixture *f, const char *source)
{
    static const char *const names[] = {"nx", "ny", "nz"}, *const values[] = {"4096", "4096", "64"};
    t1_fixture_create(f);
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        f->t1.sizes[i] = names[i];
        f->t1.size_values[i] = values[i];
    }
    f->t1.size_count = T1_DIMENSIONS;
    f->t1.source.file.bytes = strdup(source);
    f->t1.source.file.length = strlen(source);
    assert_success(t1_read_macros(&f->t1, &f->error), &f->error);
}

static void test_extents(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        size_t count, sizes[2]; /* of the macros */
    } cases[] = {
        {"#define N 4096\n", 1, {0}},
        {"#define A 4096\n#define B 4096\n", 2, {0, 1}},
        {"#define image_height 4096\n#define image_width 4096\n", 2, {1, 0}},
        {"#define ROWS 4096\n#define N 4096\n", 2, {1, 0}},
        {"#define N_Y 4096\n#define DEPTH 64\n", 2, {1, 2}},
        {"#define HEIGHT 64\n", 1, {2}}, /* the value decides first */
        {"#define N 4095\n#ifndef M\n#define M 4096\n#endif\n", 0, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        read_source(&f, cases[i].source);
        assert_int_equal(f.t1.macro_count, cases[i].count);
        for (size_t k = 0; k < cases[i].count; k++)
            assert_int_equal(f.t1.macros[k].size, cases[i].sizes[k]);
        t1_fixture_free(&f);
    }
}

static void test_guards(void **state)
{
    (void)state;
    struct t1_fixture f;
    read_source(&f, "\n#define N 4096\n#define WORDS 64\n");
    assert_string_equal(f.t1.source.file.bytes,
                        "\n#ifndef N\n#define N 4096\n#endif\n#ifndef WORDS\n#define WORDS 64\n#endif\n");
    assert_int_equal(f.t1.source.file.length, strlen(f.t1.source.file.bytes));
    expect_notes(
        &f, "line 2 of the source fixes N to nx = 4096: it is a size here, with that value unless told otherwise\n"
            "line 3 of the source fixes WORDS to nz = 64: it is a size here, with that value unless told "
            "otherwise\n");
    t1_fixture_free(&f);
}

/* A name that is taken or reserved, one of a block, and one that the source defines twice. */
static void test_what_stays(void **state)
{
    (void)state;
    static const char *const sources[] = {"#define tile 64\n", "#define range 64\n", "#define BLOCK 64\n",
                                          "#if A\n#define N 64\n#else\n#define N 8\n#endif\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct t1_fixture f;
        read_source(&f, sources[i]);
        assert_int_equal(f.t1.macro_count, 0);
        assert_string_equal(f.t1.source.file.bytes, sources[i]);
        char *notes = text_stream_close(&f.t1.notes, &f.error);
        assert_mentions(notes, "to nz = 64: for another change it there, too\n");
        free(notes);
        t1_fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_extents), cmocka_unit_test(test_guards),
                                       cmocka_unit_test(test_what_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
