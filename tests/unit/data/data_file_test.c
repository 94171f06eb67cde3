/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/data/data_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static char folder[] = "/tmp/data_file_test.XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static struct data_file *open_file(const char *name)
{
    struct data_file *file;
    struct error error = {0};
    if (!data_file_open(path_of(name), name, &file, &error))
        fail_msg("%s", error.text);
    return file;
}

#define HEADER_OF(type, count)                                                                                       \
    "\x93NUMPY\x01\x00\x3a\x00{'descr': '" type "', 'fortran_order': False, 'shape': (" count ",), }\n"
#define HEADER HEADER_OF("<i2", "4")

static void test_elements(void **state)
{
    (void)state;
    static const char bytes[] = HEADER "12345678";
    uint64_t hash;
    struct error error = {0};
    write_file("a.npy", bytes, sizeof bytes - 1);
    write_file("a.raw", "12345678", 8);
    struct data_file *npy = open_file("a.npy"), *raw = open_file("a.raw");
    assert_true(npy->is_npy);
    assert_false(raw->is_npy);
    assert_int_equal(npy->offset, sizeof HEADER - 1);
    assert_int_equal(npy->bytes, 8);
    assert_int_equal(raw->bytes, 8);
    assert_true(data_file_hash(npy, &hash, &error));
    assert_int_equal(hash, XXH3_64bits("12345678", 8)); /* of the elements, whatever the format */
    assert_true(data_file_hash(raw, &hash, &error));
    assert_int_equal(hash, XXH3_64bits("12345678", 8));
    data_file_free(npy);
    data_file_free(raw);
}

static void expect_refused(const char *name, const char *message)
{
    struct data_file *file;
    struct error error = {0};
    assert_false(data_file_open(path_of(name), name, &file, &error));
    assert_null(file);
    if (strcmp(error.text, message) != 0)
        fail_msg("%s, and not: %s", error.text, message);
    assert_int_equal(error.code, ERROR_INPUT);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("fifo.npy"), 0600), 0);
    write_file("short.npy", HEADER "1234567", sizeof HEADER + 6);
    write_file("text.npy", "1 2 3\n", 6);
    write_file("empty.npy", "", 0);
    expect_refused("missing.npy", "cannot read missing.npy: No such file or directory");
    expect_refused(".", "cannot read .: it is not a regular file but a folder");
    expect_refused("fifo.npy", "cannot read fifo.npy: it is not a regular file but a FIFO");
    expect_refused("text.npy", "text.npy is no .npy file: it does not begin with \\x93NUMPY");
    expect_refused("empty.npy", "empty.npy is no .npy file: it does not begin with \\x93NUMPY");
    expect_refused("short.npy",
                   "short.npy is cut off: by its header it has 4 elements of 2 bytes, but only 7 bytes follow");
}

struct taken {
    size_t pieces, bytes;
    uint64_t hash;
};

static bool take(const void *piece, size_t bytes, void *context, struct error *error)
{
    (void)error;
    struct taken *taken = context;
    taken->pieces++;
    taken->bytes += bytes;
    assert_true(bytes % 12 == 0);
    taken->hash = XXH3_64bits_withSeed(piece, bytes, taken->hash);
    return true;
}

/* More than a piece, from an offset on. */
static void test_pieces(void **state)
{
    (void)state;
    size_t length = 3 * (8 << 20);
    char *bytes = malloc(length);
    assert_non_null(bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)(i * 7 >> 3);
    write_file("large.raw", bytes, length);
    struct data_file *file = open_file("large.raw");
    struct taken taken = {0};
    struct error error = {0};
    size_t all = (length - 40) / 12 * 12, first = (8 << 20) / 12 * 12;
    const struct data_part part = {file->path, file->stamp, 5, all, 12, 0, 0};
    assert_true(data_read(&part, take, &taken, &error));
    assert_int_equal(taken.pieces, 3);
    assert_int_equal(taken.bytes, all);
    uint64_t hash = XXH3_64bits_withSeed(bytes + 5, first, 0);
    hash = XXH3_64bits_withSeed(bytes + 5 + first, first, hash);
    assert_int_equal(taken.hash, XXH3_64bits_withSeed(bytes + 5 + 2 * first, all - 2 * first, hash));
    const struct data_part beyond = {file->path, file->stamp, 5, length, 12, 0, 0};
    assert_false(data_read(&beyond, take, &taken, &error)); /* as a file that was cut off */
    data_file_free(file);
    free(bytes);
}

/* A change is seen, whether or not length and times show it; so is one before or during the reading by others. */
static void test_changes(void **state)
{
    (void)state;
    struct error error = {0};
    struct taken taken = {0};
    uint64_t hash;
    write_file("b.raw", "123456789012", 12);
    struct data_file *file = open_file("b.raw");
    assert_true(data_file_hash(file, &hash, &error));
    assert_true(data_file_same(file, &error));
    assert_false(file->settled); /* it was written just now: the content was looked at */
    const struct data_part part = {file->path, file->stamp, 0, 12, 12, 12, hash};
    assert_true(data_read(&part, take, &taken, &error));
    write_file("b.raw", "123456789013", 12);
    assert_false(data_file_same(file, &error));
    assert_non_null(strstr(error.text, "b.raw has changed while it was in use"));
    struct stat status;
    assert_int_equal(stat(file->path, &status), 0);
    write_file("b.raw", "1234", 4);
    assert_false(data_read(&part, take, &taken, &error));
    assert_non_null(strstr(error.text, "b.raw has changed while it was in use"));
    assert_int_equal(unlink(path_of("b.raw")), 0);
    assert_false(data_file_same(file, &error));
    assert_false(data_read(&part, take, &taken, &error));
    data_file_free(file);
}

/* Another stamp of the same content: after touch, and for a copy in its place. */
static void test_touched(void **state)
{
    (void)state;
    static const char bytes[] = HEADER_OF("<i2", "6") "123456789012", others[] = HEADER_OF("<u2", "6") "123456789012";
    static const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct error error = {0};
    char copy[256];
    uint64_t hash;
    write_file("a.npy", bytes, sizeof bytes - 1);
    struct data_file *file = open_file("a.npy");
    const uint64_t stamp = file->stamp;
    assert_int_equal(utimensat(AT_FDCWD, path_of("a.npy"), past, 0), 0);
    assert_false(data_file_same(file, &error)); /* no one knows what it held */
    assert_true(file->stamp == stamp);
    data_file_free(file);
    file = open_file("a.npy");
    assert_true(data_file_hash(file, &hash, &error));
    const struct data_part part = {file->path, file->stamp, file->offset, 12, 12, file->bytes, hash};
    const struct data_part strict = {file->path, file->stamp, file->offset, 12, 12, 0, 0};
    write_file("a.raw", bytes, sizeof bytes - 1);
    snprintf(copy, sizeof copy, "%s", path_of("a.raw"));
    assert_int_equal(rename(copy, path_of("a.npy")), 0);
    struct taken taken = {0};
    assert_true(data_read(&part, take, &taken, &error)); /* whoever has the old stamp */
    assert_int_equal(taken.bytes, 12);
    assert_false(data_read(&strict, take, &taken, &error));
    assert_true(data_file_same(file, &error));
    assert_true(file->stamp != part.stamp);
    const struct data_part again = {file->path, file->stamp, file->offset, 12, 12, 0, 0};
    assert_true(data_read(&again, take, &taken, &error));
    write_file("a.npy", others, sizeof others - 1); /* the same bytes of another type */
    assert_false(data_file_same(file, &error));
    assert_non_null(strstr(error.text, "a.npy has changed while it was in use"));
    data_file_free(file);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a.npy",    "a.raw",     "fifo.npy", "short.npy",
                                        "text.npy", "empty.npy", "large.raw"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_pieces), cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_touched)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
