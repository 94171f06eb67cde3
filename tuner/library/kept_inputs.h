/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_inputs.h - what the inputs of a launch hold, in files that a sweep can be given (`--input NAME=FILE`).
 *
 * A sparse matrix becomes a Matrix Market file, other inputs are raw. Left out is what setup makes of others,
 * whatever a file holds, and a matrix that such a file cannot have (market_write.h).
 */
#ifndef TUNE_LIBRARY_KEPT_INPUTS_H
#define TUNE_LIBRARY_KEPT_INPUTS_H

#include "tuner/library/answer.h"
#include "tuner/library/variant.h"

#include <jansson.h>

/*
 * Write the files into a new folder inside `folder`, which is made if need be, when all that is in the variant's
 * stream is done. Returns their absolute paths by the names of buffers and matrices; NULL if there are none. What
 * cannot be written is left out.
 */
json_t *keep_inputs(const struct tune_answer *answer, const struct variant *variant,
                    const struct tune_buffer *buffers, const char *folder);

#endif
