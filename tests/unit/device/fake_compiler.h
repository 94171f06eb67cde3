/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_compiler.h - shell scripts that stand in for a C++ compiler, in a folder of their own.
 */
#ifndef TUNE_TESTS_FAKE_COMPILER_H
#define TUNE_TESTS_FAKE_COMPILER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fake_folder[] = "/tmp/tune-compiler-XXXXXX";

static inline int fake_folder_open(void **state)
{
    (void)state;
    return mkdtemp(fake_folder) ? 0 : -1;
}

static inline int fake_folder_close(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", fake_folder);
    return system(command);
}

/* The path of a script of that name; it is overwritten by the next call. */
static inline const char *fake_compiler(const char *name, const char *script)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", fake_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "#!/bin/sh\n%s\n", script) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

/* The same as TUNE_CXX. */
static inline const char *use_compiler(const char *name, const char *script)
{
    const char *path = fake_compiler(name, script);
    assert_int_equal(setenv("TUNE_CXX", path, 1), 0);
    return path;
}

#endif
