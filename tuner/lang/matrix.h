/* SPDX-License-Identifier: Apache-2.0 */
/*
 * matrix.h - the parser of sparse matrices: the buffers that one consists of, and which file has it.
 *
 *     matrix A[rows, columns] = csr(starts, indices, values) file("a.mtx")
 *
 * Without a file of its own a matrix is made by setup, unless --input names one: `if not given(A) { ... }`.
 */
#ifndef TUNE_LANG_MATRIX_H
#define TUNE_LANG_MATRIX_H

#include "tuner/lang/builder.h"

/* Parse `NAME [rows, columns] = format(buffers) file(...)`, behind the word `matrix`. */
bool parse_matrix(struct builder *builder);

/* Parse `(NAME)`, behind the word `given`, which is `token`. */
struct node *parse_given(struct parser *parser, const struct token *token);

/* Once the template is complete: does each matrix come from a file, or from a setup block that leaves one alone? */
bool check_matrices(const struct builder *builder);

#endif
