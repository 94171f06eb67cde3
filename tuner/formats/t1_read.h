/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_read.h - the parts of a T1 document, all but its launch (t1_launch.h).
 */
#ifndef TUNE_FORMATS_T1_READ_H
#define TUNE_FORMATS_T1_READ_H

#include "tuner/formats/t1_members.h"

/* `path` is for messages; the files that the document names are looked for beside the one at `beside`, unless that is
 * NULL. Both must outlive `t1`, and so must the document. Call t1_clear also after an error. */
bool t1_read(const json_t *document, const char *path, const char *beside, struct t1 *t1, struct error *error);

#endif
