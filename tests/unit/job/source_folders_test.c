/* SPDX-License-Identifier: Apache-2.0 */
/* The folders of a template on disk: its own, those of linked files, those that options name. */
#include "tests/unit/fixture.h"

#include "tuner/job/source_folders.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX];

static const char *below_root(const char *name)
{
    static char path[PATH_MAX];
    assert_true(snprintf(path, sizeof path, "%s/%s", root, name) < (int)sizeof path);
    return path;
}

static void make_file(const char *name)
{
    FILE *file = fopen(below_root(name), "w");
    assert_non_null(file);
    fclose(file);
}

static bool has(const struct source_folders *folders, const char *name)
{
    for (size_t i = 0; i < folders->count; i++) {
        if (strcmp(folders->paths[i], below_root(name)) == 0)
            return true;
    }
    return false;
}

static void test_folders(void **state)
{
    (void)state;
    static const char *const made[] = {"own", "linked", "include", "forced", "unused"};
    char text[4 * PATH_MAX], linked[PATH_MAX], link[PATH_MAX];
    struct template *template;
    struct source_folders folders;
    struct error error;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(mkdir(below_root(made[i]), 0700), 0);
    make_file("linked/reference.cu");
    make_file("forced/common.h");
    make_file("own/kernel.cu");
    snprintf(linked, sizeof linked, "%s", below_root("linked/reference.cu"));
    snprintf(link, sizeof link, "%s", below_root("own/reference.cu"));
    assert_int_equal(symlink(linked, link), 0);
    snprintf(text, sizeof text,
             "template t\nsize n = 4\nsource \"kernel.cu\"\noption \"-I%s/include\"\noption "
             "\"-include=%s/forced/common.h\"\n"
             "option \"-O2\"\noption \"-I/no/such/folder\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
             "reference \"reference.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
             root, root);
    assert_success(template_parse("t.template", below_root("own"), text, strlen(text), &template, &error), &error);
    assert_success(source_folders_find(template, NULL, &folders, &error), &error);
    assert_int_equal(folders.count, 4);
    assert_true(has(&folders, "own") && has(&folders, "linked") && has(&folders, "include") &&
                has(&folders, "forced"));
    source_folders_clear(&folders);

    /* A data file stands for itself: what lies beside it is nobody's business. */
    char path[PATH_MAX];
    struct data_file file = {.path = path};
    struct input input = {.file = &file};
    struct inputs inputs = {.template = template, .list = &input, .count = 1};
    snprintf(path, sizeof path, "%s", below_root("unused/x.npy"));
    assert_success(source_folders_find(template, &inputs, &folders, &error), &error);
    assert_int_equal(folders.count, 5);
    assert_true(has(&folders, "unused/x.npy") && !has(&folders, "unused"));
    source_folders_clear(&folders);
    template_free(template);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folders)};
    const char *temporary = getenv("TMPDIR");
    char made[PATH_MAX], command[PATH_MAX + 16];
    snprintf(made, sizeof made, "%s/tune-test-XXXXXX", temporary && temporary[0] == '/' ? temporary : "/tmp");
    if (!mkdtemp(made) || !realpath(made, root))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command) == 0 ? failed : 1;
}
