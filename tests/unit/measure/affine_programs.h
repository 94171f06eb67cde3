/* SPDX-License-Identifier: Apache-2.0 */
/*
 * affine_programs.h - affine_job.h with the CPU device open and a cache of programs, `programs`, for tests that run
 * the job.
 */
#ifndef TUNE_TESTS_AFFINE_PROGRAMS_H
#define TUNE_TESTS_AFFINE_PROGRAMS_H

#include "tests/unit/measure/affine_job.h"

#include "tuner/measure/program_cache.h"

static struct program_cache *programs;

static inline int affine_programs_open(void **state)
{
    return affine_folder_create() == 0 && cpu_fixture_open(state) == 0 && program_cache_create(&programs, &error)
               ? 0
               : -1;
}

static inline int affine_programs_close(void **state)
{
    program_cache_free(programs, validation.driver, validation.device);
    return cpu_fixture_close(state) == 0 ? affine_folder_remove() : -1;
}

#endif
