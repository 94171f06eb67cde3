/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launched.h - a template in a folder of its own, or a shipped one, and a configuration of it loaded on the CPU
 * device, for the tests that launch it.
 */
#ifndef TUNE_TESTS_LAUNCHED_H
#define TUNE_TESTS_LAUNCHED_H

#include "tests/unit/measure/must.h"
#include "tests/unit/scratch_folder.h"

#include "tuner/library/variant.h"
#include "tuner/space/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct launched {
    char folder[64]; /* "": a shipped template */
    struct attachments *attachments;
    struct attached *attached;
    struct device_description description;
    struct template *template;
    struct problem *problem;
    struct variant *variant;
    struct tune_error error;
};

static struct error error;

/* Setup of a group of tests: a cache of images for it alone; scratch_folder_remove ends it. */
static inline int launched_cache(void **state)
{
    return scratch_folder_create(state) || setenv("XDG_CACHE_HOME", scratch_folder, 1);
}

static inline void must_launch(enum tune_code code, const struct launched *launched)
{
    if (code != TUNE_OK)
        fail_msg("%s: %s", tune_code_name(code), launched->error.text);
}

static inline void launched_attach(struct launched *launched)
{
    struct device *device;
    *launched = (struct launched){0};
    must(attachments_create(&launched->attachments, &error));
    must(device_driver_find("cpu")->guest->attach(0, &device, &launched->description, &error));
    device_driver_find("cpu")->close(device);
    must(attachments_get(launched->attachments, &launched->description, 0, &launched->attached, &error));
}

/* Make a problem of the template: its sizes, and a configuration as JSON. */
static inline void launched_problem(struct launched *launched, const struct size_setting *sizes, size_t count,
                                    const char *configuration)
{
    const struct problem_request request = {
        .template = launched->template, .device = &launched->description, .sizes = sizes, .size_count = count};
    must(problem_from_configuration(&request, configuration, &launched->problem, &error));
}

/* A template "t.template" with a source "t.cu"; unless it has one, with a reference that nothing runs. */
static inline void launched_write_for(struct launched *launched, const char *template, const char *source,
                                      const char *configuration)
{
    static const char none[] = "reference \"t.cu\" { zero<<<1, 1>>>(ref(y), 0) }\n";
    char text[2048];
    const int length = snprintf(text, sizeof text, "%s%s", template, strstr(template, "reference") ? "" : none);
    assert_true(length < (int)sizeof text);
    launched_attach(launched);
    strcpy(launched->folder, "/tmp/tune-launched-XXXXXX");
    assert_non_null(mkdtemp(launched->folder));
    scratch_write_in(launched->folder, "t.template", text);
    scratch_write_in(launched->folder, "t.cu", source);
    must(template_read(launched->folder, &launched->template, &error));
    launched_problem(launched, NULL, 0, configuration);
}

static inline void launched_write(struct launched *launched, const char *template, const char *source)
{
    launched_write_for(launched, template, source, "{}");
}

static inline enum tune_code launched_load(struct launched *launched)
{
    struct code *code;
    const struct code_request request = {.attached = launched->attached, .problem = launched->problem};
    enum tune_code result = code_load(&request, &code, &launched->error);
    return result != TUNE_OK ? result
                             : variant_create(code, launched->template, &launched->variant, &launched->error);
}

static inline void launched_open(struct launched *launched, const char *template, const char *source)
{
    launched_write(launched, template, source);
    must_launch(launched_load(launched), launched);
}

static inline void launched_shipped(struct launched *launched, const char *name, const struct size_setting *sizes,
                                    size_t count, const char *configuration)
{
    char path[1024];
    launched_attach(launched);
    snprintf(path, sizeof path, "%s/templates/%s", TUNE_SOURCE_FOLDER, name);
    must(template_read(path, &launched->template, &error));
    launched_problem(launched, sizes, count, configuration);
    must_launch(launched_load(launched), launched);
}

static inline void launched_close(struct launched *launched)
{
    char path[128];
    variant_free(launched->variant);
    problem_free(launched->problem);
    template_free(launched->template);
    attached_release(launched->attached);
    attachments_free(launched->attachments);
    for (size_t i = 0; launched->folder[0] && i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", launched->folder, i ? "t.cu" : "t.template");
        unlink(path);
    }
    if (launched->folder[0])
        assert_int_equal(rmdir(launched->folder), 0);
}

/* Run a block with these buffers. */
#define RUN(launched, block, ...)                                                                                    \
    must_launch(variant_run((launched)->variant, (block), NULL, (const struct tune_buffer[]){__VA_ARGS__},           \
                            &(launched)->error),                                                                     \
                (launched))

#endif
