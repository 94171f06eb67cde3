/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packing.h - an evaluation as bytes: for messages that are too many to be read as JSON.
 *
 * All its fields but `awkward` and `metrics`, as evaluation_to_json has them; in native byte order, between programs
 * that are the same. The length follows from what the first bytes say, and must be that.
 */
#ifndef TUNE_EVALUATION_PACKING_H
#define TUNE_EVALUATION_PACKING_H

#include "tuner/evaluation/evaluation.h"

/* `*bytes` is allocated. What is not UTF-8 in the message is replaced, as in JSON. False: out of memory. */
bool evaluation_pack(const struct evaluation *evaluation, void **bytes, size_t *count, struct error *error);

/* ERROR_MESSAGE: these bytes, which may be anyone's, are no evaluation. Numbers are not judged (evaluation_check). */
bool evaluation_unpack(const void *bytes, size_t count, struct evaluation *evaluation, struct error *error);

#endif
