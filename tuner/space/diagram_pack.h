/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagram_pack.h - built nodes into a diagram: points are counted and numbered, and memory is laid out compactly.
 *
 * The level from which rows replace nodes is chosen so that the whole takes the fewest bytes, hence never more than a
 * packed list of the points (plus a bit per value).
 */
#ifndef TUNE_SPACE_DIAGRAM_PACK_H
#define TUNE_SPACE_DIAGRAM_PACK_H

#include "tuner/space/diagram.h"
#include "tuner/space/diagram_builder.h"

/*
 * The diagram of the points below a root, of which there may be at most 2^63 - 1 (ask diagram_builder_count). Leaves
 * the builder empty. NULL when out of memory.
 */
struct diagram *diagram_pack(struct diagram_builder *builder, uint32_t root);

#endif
