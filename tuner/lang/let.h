/* SPDX-License-Identifier: Apache-2.0 */
/*
 * let.h - `let NAME = expression`, in templates, in their blocks and in spaces.
 */
#ifndef TUNE_LANG_LET_H
#define TUNE_LANG_LET_H

#include "tuner/lang/parser.h"
#include "tuner/lang/template.h"

/* Parse what follows the word; `kind` is NAME_LOOP in blocks, NAME_LET elsewhere. */
bool parse_let(struct parser *parser, enum name_kind kind, struct let_declaration *let);

/* The same for the next let at the top level of a document, which is appended to its list. */
bool parse_top_let(struct parser *parser, struct list *lets);

#endif
