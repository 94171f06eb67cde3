/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - the configuration that runs when nobody searches: what is known (select/selection.h), or the default.
 */
#ifndef TUNE_CLI_CHOICE_H
#define TUNE_CLI_CHOICE_H

#include "tuner/cli/subject.h"
#include "tuner/select/selection.h"

struct choice {
    char *configuration;        /* canonical JSON */
    char *origin;               /* for people */
    struct selection selection; /* what it is by; SELECTION_NONE: the default */
    struct json_t *considered;  /* an array of the caller's, to which all that was considered is added; NULL: none */
};

/* The subject's problem becomes one of just this configuration. Clear the choice in any case. */
bool choice_make(struct subject *subject, const struct options *options, struct store *store, struct choice *choice,
                 struct error *error);

/* Likewise, of the template's default space: its default, or the first valid configuration; without an origin. */
bool choice_make_default(struct subject *subject, const struct options *options, struct choice *choice,
                         struct error *error);

void choice_clear(struct choice *choice);

#endif
