/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "reports/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void opens(const char *path, bool named)
{
    struct folder folder;
    struct error error = {0};
    if (!folder_open(path, named, &folder, &error))
        fail_msg("%s", error.text);
    assert_string_equal(folder.path, path);
    assert_int_equal(faccessat(folder.descriptor, ".tune-report", R_OK, AT_SYMLINK_NOFOLLOW), 0);
    folder_close(&folder);
}

static void refused(const char *path, bool named, enum error_code code, const char *part)
{
    struct folder folder;
    struct error error = {0};
    assert_false(folder_open(path, named, &folder, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, part))
        fail_msg("%s", error.text);
    assert_true(error.hint[0] != '\0');
    folder_close(&folder);
}

static void a_new_folder_is_made_with_its_parents_and_marked(void **state)
{
    struct stat status;
    opens(path_in(*state, "a/b//c/"), true);
    assert_int_equal(stat(path_in(*state, "a/b/c"), &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(access(path_in(*state, "a/.tune-report"), F_OK), -1);
    opens(path_in(*state, "a/b/c"), true); /* it is tune's now */
    put(path_in(*state, "a/b/c/other.txt"), "");
    opens(path_in(*state, "a/b/c"), false); /* and stays so */
}

static void an_empty_folder_is_taken(void **state)
{
    assert_int_equal(mkdir(path_in(*state, "empty"), 0700), 0);
    opens(path_in(*state, "empty"), false);
}

static void another_folder_is_left_alone(void **state)
{
    static const char *const texts[] = {
        "<h1>My own report</h1>", "", "<title>tune</title>",
        "<title>tune</title><h1>Best configurations</h1>", /* no policy: not ours */
    };
    assert_int_equal(mkdir(path_in(*state, "report"), 0700), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put(path_in(*state, "report/index.html"), texts[i]);
        refused(path_in(*state, "report"), true, ERROR_INPUT, "/report holds files that are not of a report");
        refused(path_in(*state, "report"), false, ERROR_INPUT, "/report holds files that are not of a report");
        assert_int_equal(access(path_in(*state, "report/.tune-report"), F_OK), -1);
        char *text = text_of(path_in(*state, "report/index.html"));
        assert_string_equal(text, texts[i]);
        free(text);
    }
    assert_int_equal(unlink(path_in(*state, "report/index.html")), 0);
    put(path_in(*state, "report/.hidden"), "");
    refused(path_in(*state, "report"), true, ERROR_INPUT, "holds files");
}

/* A link under the marker's name marks nothing. */
static void a_marker_is_a_file(void **state)
{
    assert_int_equal(mkdir(path_in(*state, "report"), 0700), 0);
    assert_int_equal(symlink("/dev/null", path_in(*state, "report/.tune-report")), 0);
    refused(path_in(*state, "report"), true, ERROR_INPUT, "holds files");
}

static void folders_of_earlier_versions_are_adopted(void **state)
{
    static const char head[] =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">\n";
    static const char *const files[][2] = {
        {"index.html", "<title>tune</title>\n<header>\n  <h1>What is fastest, and where</h1>\n"},
        {"index.html", "<title>tune</title>\n<header>\n  <h1>Best configurations</h1>\n"},
        {"simulation.html",
         "<title>How search strategies compare</title>\n<header>\n  <h1>How search strategies compare</h1>\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[32], text[1024], folder[256], file[300];
        snprintf(name, sizeof name, "old%zu", i);
        snprintf(folder, sizeof folder, "%s", path_in(*state, name));
        snprintf(file, sizeof file, "%s/%s", folder, files[i][0]);
        snprintf(text, sizeof text, "%s%s", head, files[i][1]);
        assert_int_equal(mkdir(folder, 0700), 0);
        put(file, text);
        opens(folder, false);
    }
}

/* The user may have put a link there; where tune chose the name, somebody else has. */
static void only_a_folder_that_the_user_named_may_be_a_link(void **state)
{
    assert_int_equal(mkdir(path_in(*state, "elsewhere"), 0700), 0);
    assert_int_equal(symlink("elsewhere", path_in(*state, "report")), 0);
    refused(path_in(*state, "report"), false, ERROR_SYSTEM, "/report is a symbolic link, which is not followed");
    assert_int_equal(access(path_in(*state, "elsewhere/.tune-report"), F_OK), -1);
    opens(path_in(*state, "report/below"), false); /* above it, links are followed */
    assert_int_equal(access(path_in(*state, "elsewhere/below/.tune-report"), F_OK), 0);
    opens(path_in(*state, "report/below"), true);
    assert_int_equal(symlink("nowhere", path_in(*state, "dangling")), 0);
    refused(path_in(*state, "dangling"), true, ERROR_SYSTEM, "cannot create the report folder");
}

static void a_file_is_no_folder(void **state)
{
    put(path_in(*state, "file"), "");
    refused(path_in(*state, "file/below"), true, ERROR_SYSTEM, "/file: Not a directory");
    refused(path_in(*state, "file"), true, ERROR_SYSTEM, "/file: Not a directory");
    refused(path_in(*state, "file"), false, ERROR_SYSTEM, "/file: Not a directory");
}

/* There is no byte before its end to look at. */
static void an_empty_path_is_refused(void **state)
{
    (void)state;
    refused("", true, ERROR_INPUT, "the path of the report folder is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_new_folder_is_made_with_its_parents_and_marked),
        unit(an_empty_folder_is_taken),
        unit(another_folder_is_left_alone),
        unit(a_marker_is_a_file),
        unit(folders_of_earlier_versions_are_adopted),
        unit(only_a_folder_that_the_user_named_may_be_a_link),
        unit(a_file_is_no_folder),
        unit(an_empty_path_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
