/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

static void expect_image(struct fixture *f, struct store *store, int64_t id, const void *image, size_t bytes)
{
    void *read;
    size_t length;
    assert_true(store_image_get(store, id, &read, &length, &f->error));
    assert_int_equal(length, bytes);
    if (image) {
        assert_non_null(read);
        assert_memory_equal(read, image, bytes);
    } else {
        assert_null(read);
    }
    free(read);
}

static void one_image_a_problem(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static char cubin[100000];
    for (size_t i = 0; i < sizeof cubin; i++)
        cubin[i] = (char)(i / 100 % 7);
    int64_t run = fixture_begin(f, store);
    int64_t first = fixture_put(f, store, run, "{\"T\":1}", fixture_success(20));
    f->problem.size = "M=1,N=1,K=1";
    int64_t other = fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(10));

    expect_image(f, store, first, NULL, 0);
    assert_true(store_image_put(store, first, cubin, sizeof cubin, &f->error));
    assert_true(store_image_put(store, other, "x", 1, &f->error));
    expect_image(f, store, first, cubin, sizeof cubin);
    assert_true(store_image_put(store, first, "again", 5, &f->error));
    expect_image(f, store, first, "again", 5);
    int64_t second = fixture_put(f, store, run, "{\"T\":2}", fixture_success(10));
    assert_true(store_image_put(store, second, cubin, sizeof cubin, &f->error));
    expect_image(f, store, first, NULL, 0);
    expect_image(f, store, second, cubin, sizeof cubin);
    expect_image(f, store, other, "x", 1);
    assert_true(store_image_put(store, first, "of a slower row", 15, &f->error));
    expect_image(f, store, first, NULL, 0);
    expect_image(f, store, second, cubin, sizeof cubin);
    assert_false(store_image_put(store, second + 1, "x", 1, &f->error));
    assert_non_null(strstr(f->error.text, "no such evaluation"));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) || ' ' || (max(length(data)) < 10000) FROM image"),
                        "2 1");
}

static void an_image_that_was_spoilt_is_named(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t id = fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(20));
    assert_true(store_image_put(store, id, "image", 5, &f->error));
    static const char *const spoil[] = {
        "UPDATE image SET bytes = 6",
        "UPDATE image SET bytes = 5, data = substr(data, 1, length(data) - 2)",
        "UPDATE image SET data = 'nonsense'",
        "UPDATE image SET data = x''",
    };
    for (size_t i = 0; i < sizeof spoil / sizeof *spoil; i++) {
        assert_int_equal(sqlite3_exec(store->sqlite, spoil[i], NULL, NULL, NULL), SQLITE_OK);
        void *image;
        size_t bytes;
        assert_false(store_image_get(store, id, &image, &bytes, &f->error));
        assert_null(image);
        assert_non_null(strstr(f->error.text, "is damaged"));
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {unit(one_image_a_problem), unit(an_image_that_was_spoilt_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
