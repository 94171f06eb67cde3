/* SPDX-License-Identifier: Apache-2.0 */
/*
 * primary.h - the operands of expressions: constants, names, device fields, calls, lists and parentheses.
 *
 * What stands inside brackets is parsed by expression.c, which calls this module for its operands.
 */
#ifndef TUNE_LANG_PRIMARY_H
#define TUNE_LANG_PRIMARY_H

#include "tuner/lang/parser.h"

struct node *parse_primary(struct parser *parser);

#endif
