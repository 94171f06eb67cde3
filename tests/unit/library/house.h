/* SPDX-License-Identifier: Apache-2.0 */
/*
 * house.h - a home folder with one template, its spaces, a recorded GPU, and a database that is not there yet.
 *
 * The template t has a size n, which sources see, and parameters A (default 16), B (0.5) and C ("fast").
 */
#ifndef TUNE_TESTS_LIBRARY_HOUSE_H
#define TUNE_TESTS_LIBRARY_HOUSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/h100.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/stored.h"
#include "tuner/library/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct house {
    char home[64], database[96], device[96];
    struct template *template; /* for its hash */
    struct error error;
    struct tune_error why;
};

static inline void house_success(const struct house *h, enum tune_code code)
{
    if (code != TUNE_OK)
        fail_msg("%s: %s", tune_code_name(h->why.code), h->why.text);
}

static inline void house_write(const struct house *h, const char *name, const char *text)
{
    scratch_write_in(h->home, name, text);
}

static inline int house_begin(void **state)
{
    struct house *h = calloc(1, sizeof *h);
    char path[96];
    assert_non_null(h);
    strcpy(h->home, "/tmp/tune-library-XXXXXX");
    assert_non_null(mkdtemp(h->home));
    snprintf(h->database, sizeof h->database, "%s/own/tune.db", h->home);
    snprintf(h->device, sizeof h->device, "%s/h100.json", h->home);
    snprintf(path, sizeof path, "%s/db/known/", h->home);
    scratch_make_folders(path);
    house_write(h, "templates/t/k.cu", "__global__ void k(float *y, int size) {}\n__global__ void r(float *y) {}\n");
    house_write(h, "templates/t/t.template",
                "template t\ndefault space usual\nsize n = 64\ndefine n\nparameter A\nparameter B\nparameter C\n"
                "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, A>>>(y, n) }\n"
                "reference \"k.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    house_write(h, "spaces/t/usual.space",
                "space usual of t\nparam A = [4, 8, 16]\nset B = 0.5\nset C = \"fast\"\nwhere A <= n\n"
                "default A = 16\n");
    house_write(h, "spaces/t/other.space", "space other of t\nparam A = [1, 2]\nset B = 2\nset C = true\n");
    assert_success(device_description_write(h->device, &h100, &h->error), &h->error);
    snprintf(path, sizeof path, "%s/templates/t", h->home);
    assert_success(template_read(path, &h->template, &h->error), &h->error);
    setenv("TUNE_HOME", h->home, 1);
    setenv("TUNE_DB", h->database, 1);
    unsetenv("TUNE_SITE");
    *state = h;
    return 0;
}

static inline int house_end(void **state)
{
    struct house *h = *state;
    template_free(h->template);
    int status = scratch_remove(h->home);
    free(h);
    return status;
}

/* Store a valid result of that size with this configuration, measured on a device. */
static inline void house_store_in(struct house *h, const char *path, const struct device_description *device,
                                  const char *size, const char *configuration, double time_ns)
{
    struct store *store;
    const struct store_problem problem = stored_problem(h->template, size, device);
    assert_success(store_open(path, false, &store, &h->error), &h->error);
    assert_success(stored_put(store, &problem, configuration, time_ns, &h->error), &h->error);
    store_close(store);
}

static inline void house_store(struct house *h, const char *size, const char *configuration, double time_ns)
{
    house_store_in(h, h->database, &h100, size, configuration, time_ns);
}

#define HOUSE_CONFIGURATION(a) "{\"A\":" #a ",\"B\":0.5,\"C\":\"fast\"}"

/* Ask for t on the recorded GPU. */
static inline struct tune_answer *house_best(struct house *h, struct tune *tune, int64_t n)
{
    struct tune_answer *answer;
    const struct tune_size size = {"n", n};
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "t", .device = h->device, .sizes = &size, .size_count = 1};
    house_success(h, tune_best(tune, &problem, &answer, &h->why));
    assert_non_null(answer);
    return answer;
}

static inline struct tune_answer_info house_describe(const struct tune_answer *answer)
{
    struct tune_answer_info info = {.bytes = sizeof info};
    tune_answer_describe(answer, &info);
    return info;
}

#endif
