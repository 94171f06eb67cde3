/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the command line, read by argp into one struct.
 *
 * Every command takes a subset of one table of options; an option that a command does not take is refused by argp,
 * which also prints --help. Wrong usage ends the program with status 2, as the contract says.
 */
#ifndef TUNE_CLI_OPTIONS_H
#define TUNE_CLI_OPTIONS_H

#include "tuner/error/error.h"
#include "tuner/evaluation/objective.h"
#include "tuner/space/problem.h"

#include <stdint.h>

enum command_id {
    COMMAND_TUNE = 1 << 0,
    COMMAND_RUN = 1 << 1,
    COMMAND_BEST = 1 << 2,
    COMMAND_REPORT = 1 << 3,
    COMMAND_LIST = 1 << 4,
    COMMAND_SHOW = 1 << 5,
    COMMAND_CHECK = 1 << 6,
    COMMAND_SIMULATE = 1 << 7,
    COMMAND_IMPORT = 1 << 8,
    COMMAND_EXPORT = 1 << 9,
};

enum { OPTIONS_SIZES = 16 };

/* What may be given several times. */
struct texts {
    const char **items;
    size_t count;
};

struct options {
    const char *subject; /* the template, or what to list; NULL: not given */
    const char *space;
    const char *device;
    const char *database;
    const char *strategy;
    const struct objective *objective;
    const char *budget; /* as written */
    const char *output;
    const char *kernel_name, *device_name; /* of imported results */
    struct size_setting sizes[OPTIONS_SIZES];
    size_t size_count;
    uint64_t budget_evaluations;
    double budget_seconds;
    uint64_t patience; /* evaluations without a better one; 0: no end */
    double deadline;   /* seconds for one evaluation; 0: the default */
    uint64_t seed;     /* of inputs and of the strategy; a random one where none was given */
    unsigned jobs;
    bool sampled;                                /* --sample was given */
    uint64_t sample;                             /* how many configurations; 0: all */
    struct texts strategies, recordings, traces; /* of `tune simulate` */
    size_t repeats;
    unsigned parallel;
    bool fresh, no_cache, json, header, known, quiet, tell_budget;
    bool t1, t4; /* formats of `tune export` */
};

/*
 * Read `count` arguments behind the command's name. `usage` is the line that --help shows. Sizes' names and lists
 * belong to the options: free them with options_clear. argp itself prints usage errors and exits.
 */
bool options_parse(enum command_id command, const char *name, const char *usage, const char *meaning, int count,
                   char **arguments, struct options *options, struct error *error);
void options_clear(struct options *options);

#endif
