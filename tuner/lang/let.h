/* SPDX-License-Identifier: Apache-2.0 */
/*
 * let.h - `let NAME = expression`, in templates, in their blocks and in spaces.
 */
#ifndef TUNE_LANG_LET_H
#define TUNE_LANG_LET_H

#include "tuner/lang/parser.h"
#include "tuner/lang/template.h"

/* Parse what follows the word; `kind` is NAME_LOOP inside of a block, else NAME_LET. */
bool parse_let(struct parser *parser, enum name_kind kind, struct let_declaration *let);

#endif
