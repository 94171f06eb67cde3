/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - the commands of the program: one file each, and one line each in the table of commands.c.
 *
 * A command takes the parsed options, and writes results to stdout and progress to stderr. It returns false with an
 * error, which main prints, or true with the exit status in `*status`, which is 0 unless the command sets it.
 */
#ifndef TUNE_CLI_COMMAND_H
#define TUNE_CLI_COMMAND_H

#include "tuner/cli/options.h"
#include "tuner/error/error.h"

typedef bool command_function(const struct options *options, int *status, struct error *error);

command_function command_tune;
command_function command_run;
command_function command_best;
command_function command_report;
command_function command_list;
command_function command_show;
command_function command_check;
command_function command_simulate;
command_function command_import;
command_function command_new;
command_function command_export;
command_function command_ceilings;
command_function command_forget;
command_function command_merge;

struct command {
    const char *name; /* NULL: `tune <template>` */
    enum command_id id;
    command_function *run;
    const char *usage; /* its arguments; in [ ]: they may be left out; a|b: those that there are */
    const char *meaning;
};

/* The last is the one without a name. */
extern const struct command commands[];
extern const size_t command_count;

/* The command of this name, else the one without a name. */
const struct command *command_named(const char *name);

#endif
