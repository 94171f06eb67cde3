/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shipped.h - the templates and spaces that are shipped, as problems on a device, for the tests that run them.
 */
#ifndef TUNE_TESTS_SHIPPED_H
#define TUNE_TESTS_SHIPPED_H

#include "tests/unit/measure/must.h"

#include "tuner/space/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shipped {
    struct template *template;
    struct space *space;
    struct problem *problem;
};

/* Sizes that are not named are 1. */
static inline void shipped_open(struct shipped *shipped, const char *name, const char *space,
                                const struct device_description *device, const struct size_setting *sizes,
                                size_t size_count)
{
    enum { MOST_SIZES = 8 };
    struct error error = {0};
    struct size_setting all[MOST_SIZES];
    size_t count = 0;
    char path[1024];
    snprintf(path, sizeof path, "%s/templates/%s", TUNE_SOURCE_FOLDER, name);
    must(template_read(path, &shipped->template, &error));
    snprintf(path, sizeof path, "%s/spaces/%s/%s.space", TUNE_SOURCE_FOLDER, name, space);
    must(space_read(path, shipped->template, &shipped->space, &error));
    assert_true(shipped->template->size_count <= MOST_SIZES);
    for (size_t i = 0; i < shipped->template->size_count; i++) {
        if (shipped->template->sizes[i].derived)
            continue;
        struct size_setting *size = &all[count++];
        *size = (struct size_setting){shipped->template->sizes[i].name, 1};
        for (size_t j = 0; j < size_count; j++)
            if (strcmp(sizes[j].name, size->name) == 0)
                size->value = sizes[j].value;
    }
    must(problem_create(shipped->template, shipped->space, device, all, count, &shipped->problem, &error));
    assert_true(problem_configuration_count(shipped->problem) > 0);
}

static inline void shipped_close(struct shipped *shipped)
{
    problem_free(shipped->problem);
    space_free(shipped->space);
    template_free(shipped->template);
}

/* The values of every name for configuration `index`; free() them. */
static inline struct value *shipped_slots(const struct shipped *shipped, size_t index)
{
    struct error error = {0};
    const struct space *space = problem_configuration_space(shipped->problem, index);
    struct value *slots = calloc(scope_count(space->scope), sizeof *slots);
    assert_non_null(slots);
    must(problem_slots(shipped->problem, index, false, slots, &error));
    return slots;
}

#endif
