/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_template.h - the text of the template that a T1 file becomes.
 */
#ifndef TUNE_FORMATS_T1_TEMPLATE_H
#define TUNE_FORMATS_T1_TEMPLATE_H

#include "tuner/formats/python_text.h"
#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_launch.h"
#include "tuner/formats/t1_members.h"

/*
 * Set import->template; the files are already named (t1_files.h) and the notes complete. `fixed` is the configuration
 * of the reference, a value for each parameter.
 */
bool t1_write_template(struct t1 *t1, const json_t *document, const struct value *fixed, struct t1_import *import,
                       struct error *error);

/* The uploads to symbols, and the launch. With `names` each parameter is replaced by its value. */
bool t1_write_launch(struct t1 *t1, FILE *out, const struct t1_launch *launch, const struct python_names *names,
                     struct error *error);

/* Write a string in quotes, as the language has it. */
void t1_write_quoted(struct text_stream *stream, const char *text);

/* Close a stream and put its text in place of `*text`, which is freed. */
bool t1_keep_text(struct text_stream *stream, char **text, struct error *error);

#endif
