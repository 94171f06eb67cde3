/* SPDX-License-Identifier: Apache-2.0 */
/*
 * complete.h - `tune --complete WORD...`: what may stand where the last of these words begins, for completion in
 * shells (tuner/package/completion/). The program knows its commands, options, templates and devices; the shells ask
 * it, so nothing about them is written down twice.
 *
 * Each line is a word that may replace the last one, and behind a tab perhaps what it means. A word that ends in '='
 * or ':' goes on. A line ":files", a tab, and the part of the last word that stays, asks the shell for names of
 * files. Nothing is reported: words that nobody understands, and templates that cannot be read, have no completions.
 */
#ifndef TUNE_CLI_COMPLETE_H
#define TUNE_CLI_COMPLETE_H

#include "tuner/cli/command.h"

#include <stdio.h>

/* `words` are those behind the program's name, of which the last, perhaps "", is incomplete. False: out of memory. */
bool complete(char *const *words, size_t count, FILE *out);

/* What the words say of the last one, and where its completions go. */
struct completion {
    FILE *out;
    const struct command *command;
    const char *subject; /* the first argument before it; NULL: none */
    const char *word;
    size_t kept; /* bytes of it that stay, in front of what is completed */
};

/* Offer `name` followed by `ending`, if what is to be completed is the beginning of that. `meaning` may be NULL. */
void completion_offer(const struct completion *completion, const char *name, const char *ending, const char *meaning);

/* Ask for names of files. */
void completion_files(const struct completion *completion);

/* Ask for them if a path has been begun: it contains '/', or begins with '.' or '~'. */
void completion_paths(const struct completion *completion);

/* The shipped templates. */
bool completion_templates(const struct completion *completion);

/* The values of an option; false: out of memory. */
bool completion_values(struct completion *completion, const char *option);

/* Does it know what values this option has? */
bool completion_knows(const char *option);

#endif
