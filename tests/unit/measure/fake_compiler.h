/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_compiler.h - a driver whose images are the sources themselves, which counts what is compiled and loaded.
 */
#ifndef TUNE_TESTS_FAKE_COMPILER_H
#define TUNE_TESTS_FAKE_COMPILER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cache/compile_cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct module {
    char text[256];
};
struct device_kernel {
    char name[32];
};

static struct {
    atomic_size_t compiled; /* early images in threads */
    size_t loaded, unloaded;
    char scratch[512]; /* the folder of the last compilation */
    const char *log;   /* not NULL: sources do not compile */
} fake;

static bool fake_compile(const struct device_description *description, const struct compile_request *request,
                         struct compile_result *result, struct error *error)
{
    (void)description, (void)error;
    static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
    char leftover[600];
    struct stat status;
    fake.compiled++;
    pthread_mutex_lock(&alone);
    snprintf(fake.scratch, sizeof fake.scratch, "%s", request->scratch_folder);
    assert_int_equal(stat(fake.scratch, &status), 0);
    snprintf(leftover, sizeof leftover, "%s/leftover.o", fake.scratch);
    fclose(fopen(leftover, "w"));
    *result = (struct compile_result){.compiled = !fake.log, .log = strdup(fake.log ? fake.log : "")};
    result->image = strdup(request->text);
    result->image_bytes = request->length;
    pthread_mutex_unlock(&alone);
    return true;
}

static bool fake_load(struct device *device, const void *image, size_t bytes, struct module **module,
                      struct error *error)
{
    (void)device, (void)error;
    *module = calloc(1, sizeof **module);
    assert_non_null(*module);
    memcpy((*module)->text, image, bytes < 255 ? bytes : 255);
    fake.loaded++;
    return true;
}

static void fake_unload(struct device *device, struct module *module)
{
    (void)device;
    fake.unloaded++;
    free(module);
}

/* A source has the kernels and symbols that its text mentions. */
static bool fake_kernel(struct module *module, const char *name, struct device_kernel **kernel, struct error *error)
{
    static struct device_kernel found;
    *kernel = &found;
    return strstr(module->text, name) || error_set(error, ERROR_INPUT, "no kernel %s", name);
}

static bool fake_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes,
                        struct error *error)
{
    *address = 0x100;
    *bytes = 16;
    return strstr(module->text, name) || error_set(error, ERROR_INPUT, "no symbol %s", name);
}

static const struct device_driver fake_driver = {.kind = "fake",
                                                 .compile = fake_compile,
                                                 .load = fake_load,
                                                 .unload = fake_unload,
                                                 .kernel = fake_kernel,
                                                 .symbol = fake_symbol};
static const struct device_description fake_description = {.kind = "fake"};

static char fake_folder[] = "/tmp/tune-program-XXXXXX";

static inline int fake_folder_create(void **state)
{
    (void)state;
    return mkdtemp(fake_folder) && setenv("TMPDIR", fake_folder, 1) == 0 ? 0 : -1;
}

static inline const char *fake_path(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", fake_folder, name);
    return path;
}

static inline void fake_write(const char *name, const char *text)
{
    FILE *file = fopen(fake_path(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#endif
