/* SPDX-License-Identifier: Apache-2.0 */
/* A folder with data files, and templates that name them, for the tests of what is made of both. */
#ifndef TUNE_TESTS_OPENED_H
#define TUNE_TESTS_OPENED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/data/inputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char opened_folder[] = "/tmp/data_test.XXXXXX";

static inline const char *opened_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", opened_folder, name);
    return path;
}

/* A .npy file of this type and shape, "(2, 3)", with so many bytes of elements: 0, 1, 2 ... */
static inline void opened_write(const char *name, const char *type, const char *order, const char *shape,
                                size_t bytes)
{
    char text[200];
    const char *quote = type[0] == '[' ? "" : "'"; /* a record is a list */
    int length = snprintf(text, sizeof text, "{'descr': %s%s%s, 'fortran_order': %s, 'shape': %s, }\n", quote, type,
                          quote, order, shape);
    FILE *file = fopen(opened_path(name), "wb");
    assert_non_null(file);
    if (type[0])
        fprintf(file, "\x93NUMPY\x01%c%c%c%s", 0, length, 0, text);
    for (size_t i = 0; i < bytes; i++)
        fputc((int)(i & 255), file);
    assert_int_equal(fclose(file), 0);
}

/* An open template, or an error. */
struct opened {
    struct template *template;
    struct inputs *inputs;
    struct error error;
};

static inline bool opened_try(struct opened *opened, const char *text, const struct input_setting *settings,
                              size_t count)
{
    *opened = (struct opened){0};
    if (!template_parse("test.template", opened_folder, text, strlen(text), &opened->template, &opened->error))
        fail_msg("%s", opened->error.text);
    return inputs_open(opened->template, settings, count, &opened->inputs, &opened->error);
}

static inline void opened_open(struct opened *opened, const char *text)
{
    if (!opened_try(opened, text, NULL, 0))
        fail_msg("%s", opened->error.text);
}

static inline void opened_free(struct opened *opened)
{
    inputs_free(opened->inputs);
    template_free(opened->template);
}

/* Opening is refused as wrong input, in these words, about this line. */
static inline void opened_refuses(const char *text, const struct input_setting *settings, size_t count,
                                  const char *message, unsigned line)
{
    struct opened opened;
    assert_false(opened_try(&opened, text, settings, count));
    assert_int_equal(opened.error.code, ERROR_INPUT);
    if (strcmp(opened.error.text, message) != 0)
        fail_msg("%s, and not: %s", opened.error.text, message);
    assert_int_equal(opened.error.line, line);
    opened_free(&opened);
}

static int opened_make_folder(void **state)
{
    (void)state;
    return mkdtemp(opened_folder) ? 0 : -1;
}

static int opened_remove_folder(void **state)
{
    (void)state;
    DIR *directory = opendir(opened_folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.')
            (void)unlink(opened_path(entry->d_name));
    }
    if (directory)
        closedir(directory);
    return rmdir(opened_folder);
}

#define HEAD "template t\nsize n = 16\nsize m = 4\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"
#define Y    HEAD "buffer y : int[n] out\ncheck y exact\n"

#endif
