/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data.h - which part of which file a buffer's values, or its expected ones, are.
 */
#ifndef TUNE_JOB_DATA_H
#define TUNE_JOB_DATA_H

#include "tuner/job/lowering.h"

/* Set the data of buffer `index`, whose extent is known, if it has a file. ERROR_INPUT: that has too few elements, or
 * cannot be read any more. */
bool data_lower_initial(const struct lowering *lowering, struct job_case *now, size_t index);

/* Likewise the expected values of the template's buffer `index`, in its check. */
bool data_lower_expected(const struct lowering *lowering, const struct job_case *now, size_t index,
                         struct job_check *check);

/* Can the files be used at the current sizes? Not where --input names them all and one has too few elements: then the
 * awkward size has the template's own values, of all of them, since some of each might not go together. */
bool data_reaches(const struct lowering *lowering);

#endif
