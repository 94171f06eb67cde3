/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_name.h - the parser of a kernel's name in a launch: k, ns::k, and of templates k<TILE, float,
 * "ops::sum<2>">.
 *
 * A template argument is an expression of the language, whose value becomes part of the name; or a C++ type, known by
 * its first word: a type's keyword, or a name that the template does not declare; or a string of C++.
 */
#ifndef TUNE_LANG_KERNEL_NAME_H
#define TUNE_LANG_KERNEL_NAME_H

#include "tuner/lang/builder.h"

/* Does a launch begin here? */
bool at_kernel_name(const struct parser *parser);

/* Parse the name up to <<<. */
bool parse_kernel_name(struct builder *builder, struct statement *statement);

#endif
