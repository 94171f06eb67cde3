/* SPDX-License-Identifier: Apache-2.0 */
/*
 * written.h - may anything that runs after the poison is laid out write a buffer?
 */
#ifndef TUNE_LANG_WRITTEN_H
#define TUNE_LANG_WRITTEN_H

#include "tuner/lang/template.h"

/*
 * Does a kernel of prepare, launch, finish or verify get the buffer, whole or in part, does a copy or a fill go
 * there, or does a swap put another buffer in its place? If not, an `out` buffer is never written, whatever the
 * configuration.
 */
bool template_may_write(const struct template *template, size_t buffer);

#endif
