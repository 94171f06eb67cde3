/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - the parser of checks: what is compared with the expected values, and what error it may have.
 *
 *     check y within 1e-5 absolute 1e-8
 *     check y[1 : n - 1].mass exact allow nonfinite
 *     check z unordered
 *     check residual below 1e-6
 */
#ifndef TUNE_LANG_CHECK_H
#define TUNE_LANG_CHECK_H

#include "tuner/lang/builder.h"

/* Parse what follows the word. */
bool parse_check(struct builder *builder);

/* With the whole template known: is there a reference, and does it fit the checks? */
bool check_comparisons(struct builder *builder);

#endif
