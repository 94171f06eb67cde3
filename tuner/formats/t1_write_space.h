/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_write_space.h - the ConfigurationSpace of a T1 document: parameters and conditions.
 */
#ifndef TUNE_FORMATS_T1_WRITE_SPACE_H
#define TUNE_FORMATS_T1_WRITE_SPACE_H

#include "tuner/formats/t1_writing.h"

bool t1_write_configuration_space(struct t1_writing *writing, json_t *document);

#endif
