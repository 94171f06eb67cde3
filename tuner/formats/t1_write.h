/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_write.h - a template and a space as a T1 document (the format: t1_import.h).
 */
#ifndef TUNE_FORMATS_T1_WRITE_H
#define TUNE_FORMATS_T1_WRITE_H

#include "tuner/space/problem.h"

struct json_t;

/*
 * The T1 document of a problem that has a space, a new reference. Lets, sizes and device fields are replaced by their
 * definitions and values; constraints that read none of them are copied as written. `*notes`, allocated, lists what
 * T1 cannot express, one line each. Errors: a union of several spaces, a constraint or an extent that T1 cannot
 * express.
 */
bool t1_export(const struct problem *problem, struct json_t **document, char **notes, struct error *error);

#endif
