/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texture.h - the parser of textures and surfaces as arguments of launches.
 *
 *     texture(x)   texture(x, width, height, filter = "linear", address = "wrap", normalized = true)
 *     surface(y, width, height)
 */
#ifndef TUNE_LANG_TEXTURE_H
#define TUNE_LANG_TEXTURE_H

#include "tuner/lang/builder.h"

/* Does a texture or surface begin here? */
bool at_texture(const struct parser *parser);

bool parse_texture(struct builder *builder, struct argument *argument);

#endif
