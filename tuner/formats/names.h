/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h - names of others in tune's language.
 */
#ifndef TUNE_FORMATS_NAMES_H
#define TUNE_FORMATS_NAMES_H

#include "tuner/error/error.h"

/* Does the language let a declaration take the name? Not a reserved word, a function or a type, and not too long.
 * False: out of memory. */
bool name_is_allowed(const char *name, bool *allowed, struct error *error);

#endif
