/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of pages share: a scratch folder, and the text of a file that was written there. */
#ifndef TESTS_UNIT_REPORTS_FILES_H
#define TESTS_UNIT_REPORTS_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int make_folder(void **state)
{
    char path[] = "/tmp/tune-reports-XXXXXX";
    *state = mkdtemp(path) ? strdup(path) : NULL;
    return *state ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
    free(*state);
    return system(command);
}

/* folder/name, in a buffer that the next call reuses. */
static inline const char *path_in(const char *folder, const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The whole text; free it. */
static inline char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s was not written", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* What stands between two marks; free it. */
static inline char *text_between(const char *text, const char *begin, const char *end)
{
    const char *first = strstr(text, begin);
    assert_non_null(first);
    first += strlen(begin);
    const char *last = strstr(first, end);
    assert_non_null(last);
    return strndup(first, (size_t)(last - first));
}

#define unit(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

#endif
