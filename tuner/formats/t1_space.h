/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_space.h - the ConfigurationSpace of a T1 file: parameters with their values and defaults, and conditions.
 */
#ifndef TUNE_FORMATS_T1_SPACE_H
#define TUNE_FORMATS_T1_SPACE_H

#include "tuner/formats/t1_members.h"

bool t1_read_space(struct t1 *t1, const json_t *space, struct error *error);

#endif
