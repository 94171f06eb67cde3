/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loaded.h - a version of a kernel: compiled or found, and loaded.
 */
#ifndef TUNE_LIBRARY_LOADED_H
#define TUNE_LIBRARY_LOADED_H

#include "tuner/library/answer.h"
#include "tuner/library/kernel.h"

/* `cache` is the folder of images; NULL: the user's. TUNE_ERROR_INPUT: the template's sources were edited. */
enum tune_code loaded_make(struct attached *attached, const char *cache, const struct tune_answer *answer,
                           struct version *version, struct tune_error *error);
/* What is empty stays so. */
void loaded_clear(struct version *version);

#endif
