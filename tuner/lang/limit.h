/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limit.h - the parser of a limit on results, such as `registers <= 64 and time < 2e-3`: a condition over what is
 * measured (tuner/evaluation/measured.h) and nothing else.
 */
#ifndef TUNE_LANG_LIMIT_H
#define TUNE_LANG_LIMIT_H

#include "tuner/lang/expr.h"
#include "tuner/lang/scope.h"
#include "tuner/lang/text.h"

/* Parse a whole text. The scope has the names of scope_add_measured. The text must outlive it: errors point into it.
 */
bool limit_parse(const struct text *text, struct arena *arena, struct scope *scope, const struct expr **expr,
                 struct error *error);

#endif
