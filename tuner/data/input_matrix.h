/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_matrix.h - inputs from Matrix Market files: what inputs_open reads of them. Errors have the place of the
 * file's name.
 */
#ifndef TUNE_DATA_INPUT_MATRIX_H
#define TUNE_DATA_INPUT_MATRIX_H

#include "tuner/data/inputs.h"

/* The file of `input->matrix`: its shape and number of entries, which the types of the buffers must be able to count.
 */
bool input_read_matrix(const struct template *template, struct input *input, struct error *error);

/* A file with all elements of a buffer. */
bool input_read_dense(struct input *input, const struct buffer_declaration *buffer, struct error *error);

#endif
