/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data_load.h - the data of files on their way to the device, a piece at a time.
 */
#ifndef TUNE_MEASURE_DATA_LOAD_H
#define TUNE_MEASURE_DATA_LOAD_H

#include "tuner/measure/instance.h"

/* A case whose buffers are loaded one after the other; a matrix is kept meanwhile, since several may be of one. */
struct data_loading {
    const struct job_case *job_case;
    struct sparse_matrix *matrix;
    size_t values; /* the buffer for whose type its values were read */
};
void data_load_end(struct data_loading *loading);

/* Fill buffer `index` from its file and keep a copy beside it, for it to be restored from and compared with.
 * ERROR_INPUT: the file has changed. ERROR_DOES_NOT_FIT: no memory for the copy. */
bool data_load_initial(struct validation_kernels *validation, struct data_loading *loading, size_t index,
                       struct instance_buffer *buffer, struct error *error);

/* Write the expected values of a file, as doubles, to the buffer's `reference`. */
bool data_load_expected(struct validation_kernels *validation, const struct job_data *data,
                        const struct instance_buffer *buffer, struct error *error);

#endif
