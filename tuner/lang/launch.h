/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.h - the parser of kernel<<<grid, block, shared, attributes>>>(arguments).
 */
#ifndef TUNE_LANG_LAUNCH_H
#define TUNE_LANG_LAUNCH_H

#include "tuner/lang/builder.h"

/* Parse a launch; the current token is the kernel's name. */
bool parse_launch(struct builder *builder, struct statement *statement);

#endif
