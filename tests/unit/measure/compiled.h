/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiled.h - the programs of jobs, compiled here as a compile worker does.
 */
#ifndef TUNE_TESTS_COMPILED_H
#define TUNE_TESTS_COMPILED_H

#include "tests/unit/measure/must.h"
#include "tests/unit/scratch_folder.h"

#include "tuner/device/device.h"
#include "tuner/measure/program.h"

#include <stdlib.h>

/* In the scratch folder, where a compilation keeps what makes the next one faster. */
static inline struct compile_result compiled(const struct job_program *program, const struct device_driver *driver,
                                             const struct device_description *description)
{
    struct compile_result result = {0};
    struct error error = {0};
    size_t length;
    char *text;
    must(program_read(program->path, &text, &length, &error));
    struct compile_request request = program_request(program, text, length);
    request.scratch_folder = request.keep_folder = scratch_folder;
    must(driver->compile(description, &request, &result, &error));
    if (!result.compiled)
        fail_msg("%s", result.log);
    free(text);
    return result;
}

#endif
