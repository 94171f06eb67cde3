/* SPDX-License-Identifier: Apache-2.0 */
/*
 * declaration.h - the parser of a whole template.
 */
#ifndef TUNE_LANG_DECLARATION_H
#define TUNE_LANG_DECLARATION_H

#include "tuner/lang/arena.h"
#include "tuner/lang/template.h"
#include "tuner/lang/text.h"

/* Fill in all members of `template` that come from its text. */
bool parse_template(const struct text *text, struct arena *arena, struct template *template, struct error *error);

#endif
