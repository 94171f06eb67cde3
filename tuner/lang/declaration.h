/* SPDX-License-Identifier: Apache-2.0 */
/*
 * declaration.h - the parser of a whole template, one declaration at a time.
 */
#ifndef TUNE_LANG_DECLARATION_H
#define TUNE_LANG_DECLARATION_H

#include "tuner/lang/arena.h"
#include "tuner/lang/template.h"
#include "tuner/lang/text.h"

/* Fill in the members of `template` that come from its text. Whether its files exist is not checked. */
bool parse_template(const struct text *text, struct arena *arena, struct template *template, struct error *error);

#endif
