/* SPDX-License-Identifier: Apache-2.0 */
/*
 * database_read.h - tune's own database as recordings, one for each problem.
 */
#ifndef TUNE_FORMATS_DATABASE_READ_H
#define TUNE_FORMATS_DATABASE_READ_H

#include "tuner/formats/recording.h"

bool database_read(const char *path, struct recordings *recordings, struct error *error);

#endif
