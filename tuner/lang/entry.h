/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.h - the parser of a space's text. It only names the members of a union; space.c reads them.
 */
#ifndef TUNE_LANG_ENTRY_H
#define TUNE_LANG_ENTRY_H

#include "tuner/lang/arena.h"
#include "tuner/lang/space.h"
#include "tuner/lang/text.h"

struct union_member {
    const char *name;
    struct place place;
};

/* Fill in the members of `space` that come from its text. `members` are those of a union, struct union_member. */
bool parse_space(const struct text *text, struct arena *arena, const struct template *template, struct space *space,
                 struct list *members, struct error *error);

#endif
