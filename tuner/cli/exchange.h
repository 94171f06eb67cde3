/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange.h - what `tune import` and `tune export` do, by format.
 */
#ifndef TUNE_CLI_EXCHANGE_H
#define TUNE_CLI_EXCHANGE_H

#include "tuner/cli/options.h"
#include "tuner/formats/file_text.h"

/* Make a template, its sources and a space of a T1 file: all files, or none. */
bool import_t1(const struct options *options, const struct file_text *text, struct error *error);

/* The same of a text that lies at `path`, for the template a copy of `origin`. */
bool import_t1_text(const struct options *options, const char *path, const char *origin, const struct file_text *text,
                    struct error *error);

/* Run a script for Kernel Tuner, and make templates of its calls. */
bool import_script(const struct options *options, struct error *error);

/* Store the results of a T4 file, or of a cache file of Kernel Tuner, in the database. */
bool import_results(const struct options *options, const struct file_text *text, struct error *error);

/* Store best results of somebody else's; a file of which some entries are refused ends with status 2. */
bool import_known(const struct options *options, const struct file_text *text, int *status, struct error *error);

/* Write a template and a space as T1. */
bool export_t1(const struct options *options, struct error *error);

/* Write results of the database as T4. */
bool export_t4(const struct options *options, struct error *error);

/* Write best results as files of known results. */
bool export_known(const struct options *options, struct error *error);

#endif
