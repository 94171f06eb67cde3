/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the command line, read by argp into one struct.
 *
 * Every command takes a subset of one table of options. argp refuses an option that a command does not take, and
 * prints --help. Wrong usage ends the program with status 2.
 */
#ifndef TUNE_CLI_OPTIONS_H
#define TUNE_CLI_OPTIONS_H

#include "tuner/error/error.h"
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
    COMMAND_CEILINGS = 1 << 10,
    COMMAND_NEW = 1 << 11,
    COMMAND_MERGE = 1 << 12,
    COMMAND_FORGET = 1 << 13,
};

enum { OPTIONS_SIZES = 16, OPTIONS_INPUTS = 64 };

/* The values of an option that may be given several times. */
struct texts {
    const char **items;
    size_t count;
};

struct options {
    const char *subject; /* the template, file or list; NULL: not given */
    const char *source;  /* of `tune new`; NULL: not given */
    const char *space;
    const char *device;
    const char *database;
    const char *strategy;  /* the last one that was named, or the default */
    const char *objective; /* its name, or several with commas between; NULL: the template's default */
    const char *budget;    /* as written */
    const char *output;
    const char *kernel_name, *device_name; /* of imported results; the kernel that `tune new` drafts */
    struct size_setting sizes[OPTIONS_SIZES];
    size_t size_count;
    struct input_setting inputs[OPTIONS_INPUTS];
    size_t input_count;
    const char *size_file;   /* of a sweep for many sizes; NULL: for one */
    uint64_t configurations; /* that such a sweep chooses; 0: the default */
    const char *dispatch;    /* the C header to write of its result; NULL: none */
    uint64_t budget_evaluations;
    double budget_seconds;
    uint64_t patience;                           /* evaluations without a better one; 0: no limit */
    double until;                                /* the share of the best that a search may still gain; 0: no limit */
    double deadline;                             /* seconds for one evaluation; 0: the default */
    uint64_t seed;                               /* of inputs and of the strategy; random where none is given */
    uint64_t jobs;                               /* 0: to suit the machine */
    const char *ladder;                          /* parameters, "": those the template chooses; NULL: no ladder */
    bool sampled;                                /* --sample was given */
    uint64_t sample;                             /* how many configurations; 0: all */
    const char *configuration;                   /* the one to check, see configuration_choice.h; NULL: a sample */
    struct texts limits;                         /* conditions on results */
    struct texts strategies, recordings, traces; /* of `tune simulate` */
    struct texts known_recordings;               /* likewise */
    double within;                               /* likewise; 0: not asked */
    struct texts databases;                      /* of `tune merge` */
    uint64_t repeats, parallel;
    uint64_t known_best; /* of each of known_recordings */
    bool no_nvrtc;       /* check: do not compile for a GPU where there is none */
    bool unconfined;     /* workers may do what this process may */
    bool fresh, agree, no_cache, json, header, known, quiet, tell_budget, verify, explain;
    bool run;                                /* an imported script */
    double older_than;                       /* seconds; 0: of any age */
    bool failed, with_best, dry_run, vacuum; /* of `tune forget` */
    bool t1, t4;                             /* formats of `tune export` */
};

/*
 * Read the `count` arguments that begin with the command's name. `usage` and `meaning` are for --help. Free what the
 * options hold with options_clear, also after a failure. argp itself reports usage errors and exits.
 */
bool options_parse(enum command_id command, const char *name, const char *usage, const char *meaning, int count,
                   char **arguments, struct options *options, struct error *error);
void options_clear(struct options *options);

/* An option in the words of --help. */
struct option_words {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: it takes none */
    bool optional;        /* the argument may be left out */
    const char *help;
};

/* The option of a command, by its number from 0; false: there are no more. */
bool options_describe(enum command_id command, size_t number, struct option_words *words);

#endif
