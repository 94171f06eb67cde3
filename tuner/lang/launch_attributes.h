/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_attributes.h - the parser of what follows grid, block and shared memory inside <<< >>>: named attributes, in
 * any order.
 *
 *     kernel<<<grid, block, 4 * BLOCK, cooperative, cluster = (2, 1), stream = 1, launches = n>>>(...)
 *
 * `cooperative = condition` and `host = condition` switch by a parameter. A name that the template declares is no
 * attribute where the dynamic shared memory may stand.
 */
#ifndef TUNE_LANG_LAUNCH_ATTRIBUTES_H
#define TUNE_LANG_LAUNCH_ATTRIBUTES_H

#include "tuner/lang/builder.h"

/* A grid, block or cluster: an expression or a tuple of up to three. */
bool parse_dimensions(struct builder *builder, const struct expr *dimensions[3]);

/* Parse [ "," shared ] { "," attribute }; the current token follows the block. */
bool parse_launch_attributes(struct builder *builder, struct statement *statement);

/* Parse [ "," "stream" "=" expression ] after a copy or fill. */
bool parse_stream(struct builder *builder, const struct expr **stream);

#endif
