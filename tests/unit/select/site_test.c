/* SPDX-License-Identifier: Apache-2.0 */
/* What a site's files are taken for, and that they stay as they are. */
#include "tests/unit/db/counting.h"
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"
#include "tuner/select/site.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The best rows in all of it. */
static size_t rows_of(struct fixture *f, const char *path, size_t refused)
{
    struct site site;
    size_t rows = 0;
    assert_success(site_open(path, &site, &f->error), &f->error);
    assert_int_equal(site.refused, refused);
    for (size_t i = 0; i < site.count; i++)
        assert_success(store_best(site.stores[i], &(struct store_filter){0}, count_row, &rows, &f->error), &f->error);
    site_close(&site);
    return rows;
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

/* A database of one row and a file of another in the folder "site". */
static void fill(struct fixture *f, char site[96])
{
    char file[160];
    snprintf(site, 96, "%s/site", f->folder);
    assert_int_equal(mkdir(site, 0700), 0);
    struct store *store = fixture_open(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(5));
    snprintf(file, sizeof file, "%s/gemm.json", site);
    assert_success(store_known_write(store, &(struct store_filter){0}, file, &f->error), &f->error);
    store_close(store);
    snprintf(f->path, sizeof f->path, "%s/own.db", site);
    store = fixture_open(f);
    f->problem.size = "M=2,N=2,K=2";
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":2}", fixture_success(6));
    store_close(store);
}

static void files_are_taken_by_their_endings(void **state)
{
    struct fixture *f = *state;
    char site[96], path[160];
    assert_int_equal(rows_of(f, NULL, 0), 0);
    assert_int_equal(rows_of(f, "", 0), 0);
    fill(f, site);
    assert_int_equal(files_in(site), 2);
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(rows_of(f, site, 0), 2);
    snprintf(path, sizeof path, "%s/gemm.json", site);
    assert_int_equal(rows_of(f, path, 0), 1);
    assert_int_equal(rows_of(f, f->path, 0), 1);
    assert_int_equal(files_in(site), 2); /* no side files */
}

static void what_cannot_be_read_is_left_out(void **state)
{
    struct fixture *f = *state;
    char site[96], path[160];
    struct site opened;
    fill(f, site);
    assert_int_equal(rows_of(f, "/nowhere", 1), 0);
    assert_int_equal(rows_of(f, "/nowhere/known.json", 1), 0);
    snprintf(path, sizeof path, "%s/broken.json", site);
    fixture_write(path, "{", 1);
    snprintf(path, sizeof path, "%s/a.db", site);
    fixture_write(path, "no", 2);
    snprintf(path, sizeof path, "%s/b.db", site);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/c.json", f->folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_success(site_open(path, &opened, &f->error), &f->error);
    assert_mentions(opened.trouble.text, "it is not a regular file but a FIFO");
    site_close(&opened);
    snprintf(path, sizeof path, "%s/README", site);
    fixture_write(path, "ours", 4);
    assert_int_equal(rows_of(f, site, 3), 2);
    assert_success(site_open(site, &opened, &f->error), &f->error);
    assert_mentions(opened.trouble.file, "broken.json");
    site_close(&opened);
}

static void a_folder_has_a_hundred_databases(void **state)
{
    struct fixture *f = *state;
    char site[96], path[160];
    struct site opened;
    fill(f, site);
    for (int i = 0; i < 100; i++) { /* with own.db one too many */
        snprintf(path, sizeof path, "%s/%d.db", site, i);
        assert_int_equal(link(f->path, path), 0);
    }
    assert_int_equal(rows_of(f, site, 1), 101);
    assert_success(site_open(site, &opened, &f->error), &f->error);
    assert_mentions(opened.trouble.text, "own.db is not read");
    site_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(files_are_taken_by_their_endings),
        unit(what_cannot_be_read_is_left_out),
        unit(a_folder_has_a_hundred_databases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
