/* SPDX-License-Identifier: Apache-2.0 */
/*
 * configuration_choice.h - one configuration of a space, named on the command line.
 *
 * As NAME=VALUE,... ("BLOCK=64,VARIANT=joint") or, if a text contains anything but letters, digits and "_.+-", as the
 * JSON object that the database has. A parameter with one value need not be named.
 */
#ifndef TUNE_CLI_CONFIGURATION_CHOICE_H
#define TUNE_CLI_CONFIGURATION_CHOICE_H

#include "tuner/space/problem.h"

/* A stored configuration as such a text. Allocated; NULL when out of memory. */
char *configuration_choice_text(const char *configuration);

/* The configuration that `text` names. Errors: an unknown or missing parameter, a value that it does not have, a
 * configuration that is not valid. */
bool configuration_choose(const struct problem *problem, const char *text, size_t *index, struct error *error);

#endif
