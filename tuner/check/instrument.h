/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instrument.h - compile programs for the CPU device with the instrumentation of a check.
 */
#ifndef TUNE_CHECK_INSTRUMENT_H
#define TUNE_CHECK_INSTRUMENT_H

#include "tuner/job/job.h"

enum check_tool { CHECK_BOUNDS, CHECK_RACES, CHECK_TOOLS };

struct instrument {
    enum check_tool tool;
    struct device *device; /* a CPU device */
    const struct device_driver *driver;
    const struct device_description *description;
    /* Blocks of the program may live at the same time, so each has shared variables of its own, without red zones. */
    bool several_blocks;
    bool tried, unusable; /* the outcome of instrument_try */
};

/* Compile `text`, the source of `program`, with temporary files in `folder`. False: the compiler cannot be run. */
bool instrument_compile(struct instrument *instrument, const struct job_program *program, const char *text,
                        const char *folder, struct compile_result *result, struct error *error);

/*
 * After a failed compilation or load: does the tool work here at all? Compiles and loads a trivial kernel, once.
 * False: it does not, and `error` says why in the compiler's words; otherwise `error` is left alone.
 */
bool instrument_try(struct instrument *instrument, const char *folder, struct error *error);

/*
 * The message of the first error in a compiler's log: "error: TEXT" of FILE:LINE:COLUMN: error: TEXT, or a linker's
 * "undefined reference to ...". `*line` is the start of its line. The whole log if it has no such line.
 */
const char *instrument_first_error(const char *log, const char **line);

#endif
