/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/db/fixture.h"

#include "tuner/formats/file_text.h"

#include <zlib.h>

static void check_read(struct fixture *f, const char *expected, size_t length)
{
    struct file_text text = {0};
    assert_true(file_text_read(f->path, &text, &f->error));
    assert_int_equal(text.length, length);
    assert_memory_equal(text.bytes, expected, length);
    assert_int_equal(text.bytes[length], '\0');
    free(text.bytes);
}

/* Around the first buffer of 1 MiB; plain, and in two gzip members one behind the other. */
static void test_lengths(void **state)
{
    struct fixture *f = *state;
    static const size_t lengths[] = {0, 1, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20};
    char *bytes = malloc(3 << 20);
    for (size_t i = 0; i < 3 << 20; i++)
        bytes[i] = (char)(i * i >> 7); /* with NULs */
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t half = lengths[i] / 2;
        if (lengths[i] > 0 && (unsigned char)bytes[0] == 0x1f)
            fail();
        fixture_write(f->path, bytes, lengths[i]);
        check_read(f, bytes, lengths[i]);
        gzFile file = gzopen(f->path, "wb1");
        assert_int_equal(gzwrite(file, bytes, (unsigned)half), half);
        gzclose(file);
        file = gzopen(f->path, "ab1");
        assert_int_equal(gzwrite(file, bytes + half, (unsigned)(lengths[i] - half)), lengths[i] - half);
        gzclose(file);
        check_read(f, bytes, lengths[i]);
    }
    free(bytes);
}

static void test_errors(void **state)
{
    struct fixture *f = *state;
    struct file_text text = {0};
    assert_false(file_text_read("/nonexistent/file", &text, &f->error));
    assert_string_equal(f->error.text, "cannot open /nonexistent/file: No such file or directory");
    assert_int_equal(f->error.code, ERROR_INPUT);
    assert_false(file_text_read(f->folder, &text, &f->error));
    assert_non_null(strstr(f->error.text, f->folder));
    free(text.bytes);
    text = (struct file_text){0};
    gzFile file = gzopen(f->path, "wb");
    gzprintf(file, "%0500d", 7);
    gzclose(file);
    char bytes[600];
    size_t length = fixture_read(f->path, bytes, sizeof bytes);
    bytes[length - 6] ^= 1; /* the checksum */
    fixture_write(f->path, bytes, length);
    assert_false(file_text_read(f->path, &text, &f->error));
    assert_non_null(strstr(f->error.text, "cannot read"));
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(test_lengths),
        unit(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
