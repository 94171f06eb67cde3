/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiled.h - the programs of jobs, compiled here as a compile worker does.
 */
#ifndef TUNE_TESTS_COMPILED_H
#define TUNE_TESTS_COMPILED_H

#include "tests/unit/measure/must.h"

#include "tuner/device/device.h"
#include "tuner/measure/program.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static inline void empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        (void)unlinkat(dirfd(folder), entry->d_name, 0); /* "." and ".." stay */
    closedir(folder);
}

/* In a folder that is empty before and after. */
static inline struct compile_result compiled(const struct job_program *program, const struct device_driver *driver,
                                             const struct device_description *description, const char *scratch)
{
    struct compile_result result = {0};
    struct error error = {0};
    size_t length;
    char *text;
    must(program_read(program->path, &text, &length, &error));
    struct compile_request request = program_request(program, text, length);
    request.scratch_folder = scratch;
    must(driver->compile(description, &request, &result, &error));
    if (!result.compiled)
        fail_msg("%s", result.log);
    free(text);
    empty_folder(scratch);
    return result;
}

#endif
