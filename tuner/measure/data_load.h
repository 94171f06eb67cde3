/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data_load.h - the data of files on their way to the device, a piece at a time.
 */
#ifndef TUNE_MEASURE_DATA_LOAD_H
#define TUNE_MEASURE_DATA_LOAD_H

#include "tuner/measure/instance.h"

/* Fill a buffer from its file and keep a copy beside it, for it to be restored from and compared with. ERROR_INPUT:
 * the file has changed. ERROR_DOES_NOT_FIT: no memory for the copy. */
bool data_load_initial(struct validation_kernels *validation, const struct job_data *data,
                       struct instance_buffer *buffer, struct error *error);

/* Write the expected values of a file, as doubles, to the buffer's `reference`. */
bool data_load_expected(struct validation_kernels *validation, const struct job_data *data,
                        const struct instance_buffer *buffer, struct error *error);

#endif
