/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_reference.h - where the expected values of an imported template come from: files that T1 names, another kernel
 * that it names, or else the kernel itself in its default configuration.
 */
#ifndef TUNE_FORMATS_T1_REFERENCE_H
#define TUNE_FORMATS_T1_REFERENCE_H

#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_members.h"

/* The template's reference block; `fixed` is the default configuration, a value for each parameter. */
bool t1_write_reference_block(struct t1 *t1, const json_t *document, struct text_stream *stream,
                              const struct value *fixed, const struct t1_import *import, struct error *error);

/* The source of that block; nothing if no expected values are computed. */
bool t1_write_reference(const struct t1 *t1, const struct value *fixed, struct t1_import *import,
                        struct error *error);

#endif
