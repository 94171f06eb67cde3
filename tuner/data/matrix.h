/* SPDX-License-Identifier: Apache-2.0 */
/*
 * matrix.h - the matrix of a Matrix Market file as the arrays that kernels read.
 *
 * All of it is in memory while it is put in order: 16 bytes an entry of a real matrix, twice that for a moment. The
 * other triangle of a symmetric matrix is added (its diagonal once), with the sign or conjugate that it has in a
 * skew- symmetric or hermitian one; which triangle is listed does not matter. Zeros that are listed stay, except in
 * the array format, where all elements are. An entry that is listed twice is an error: what it means is for its
 * writer to say.
 */
#ifndef TUNE_DATA_MATRIX_H
#define TUNE_DATA_MATRIX_H

#include "tuner/data/data_file.h"
#include "tuner/lang/element.h"

enum matrix_array {
    MATRIX_NONE,    /* not of a matrix */
    MATRIX_STARTS,  /* of row i the first entry; rows + 1 of them, the last is the number of entries */
    MATRIX_ROWS,    /* of each entry, from 0 */
    MATRIX_COLUMNS, /* likewise */
    MATRIX_VALUES,
    MATRIX_DENSE, /* all elements, row by row */
};
enum { MATRIX_ARRAYS = MATRIX_DENSE + 1 };

struct sparse_matrix {
    uint64_t rows, columns, count;
    size_t numbers; /* of a value: 0: none are kept, 1, or 2 of a complex one */
    uint64_t *keys; /* row << 32 | column, ascending */
    double *values; /* `numbers` each */
};

/* Is the last part of the path such that it is taken for a Matrix Market file? */
bool matrix_is_file(const char *path);

/*
 * Read a file whose values become elements of `numbers` numbers of type `element`. ERROR_INPUT: it is damaged, or has
 * values that the type does not hold, NaN and infinities of floating-point types excepted. The texts begin with
 * `name` and the line.
 */
bool matrix_read(const struct data_part *file, const char *name, enum element element, size_t numbers,
                 struct sparse_matrix **result, struct error *error);
void matrix_free(struct sparse_matrix *matrix);

/* How many entries the row with the most of them has. */
uint64_t matrix_longest(const struct sparse_matrix *matrix);

/* How many elements an array has. */
uint64_t matrix_count(const struct sparse_matrix *matrix, enum matrix_array array);

/* Pass on the first `count` elements of an array in pieces, as numbers of type `element`; behind the last are zeros.
 * The type must hold them. */
bool matrix_take(const struct sparse_matrix *matrix, enum matrix_array array, enum element element, uint64_t count,
                 data_taker *take, void *context, struct error *error);

#endif
