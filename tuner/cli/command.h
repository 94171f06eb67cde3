/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command.h - the commands of the program: one file each, and one line each in the table of main.c.
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

#endif
