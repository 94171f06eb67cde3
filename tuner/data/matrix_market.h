/* SPDX-License-Identifier: Apache-2.0 */
/*
 * matrix_market.h - the text of Matrix Market files (*.mtx), taken a piece at a time.
 *
 *     %%MatrixMarket matrix coordinate real general
 *     % any number of comments
 *     3 4 2                                            rows, columns, entries
 *     1 1 0.5                                          row and column from 1, value
 *     3 4 -1e-3
 *
 * Of the `array` format there are no coordinates, but the values of all elements, column by column. Of a matrix with
 * a symmetry only one triangle is listed. The format is that of Boisvert, Pozo and Remington, "The Matrix Market
 * Exchange Formats: Initial Design", NISTIR 5935, 1996: words of the first line in any case, lines of at most 1024
 * characters, blank lines anywhere behind the first. As SciPy writes them, values may be nan and inf.
 */
#ifndef TUNE_DATA_MATRIX_MARKET_H
#define TUNE_DATA_MATRIX_MARKET_H

#include "tuner/error/error.h"

#include <stdint.h>

enum market_field { MARKET_REAL, MARKET_INTEGER, MARKET_COMPLEX, MARKET_PATTERN };
enum market_symmetry { MARKET_GENERAL, MARKET_SYMMETRIC, MARKET_SKEW, MARKET_HERMITIAN };

struct market_header {
    bool is_array;
    enum market_field field;
    enum market_symmetry symmetry;
    uint64_t rows, columns; /* 1 to MARKET_DIMENSION_MOST */
    uint64_t listed;        /* how many entries the file lists, or elements of an array */
};

enum { MARKET_LINE_MOST = 1024 };
#define MARKET_DIMENSION_MOST UINT32_MAX

/* As it is listed, counted from 0. */
struct market_entry {
    uint64_t line;
    uint32_t row, column;
    double value[2]; /* the imaginary part is 0 unless the field is complex; a pattern's value is 1 */
};

/* Who takes what has been read; false: an error, which ends the reading. */
struct market_taker {
    bool (*header)(void *context, const struct market_header *header, struct error *error);
    bool (*entry)(void *context, const struct market_entry *entry, struct error *error);
    void *context;
};

struct market_reader;

/* Read a file of `bytes` bytes, by which what its header promises is judged; NULL: out of memory. */
struct market_reader *market_open(const struct market_taker *taker, uint64_t bytes);
void market_free(struct market_reader *reader);

/*
 * The next bytes of the file, and its end. ERROR_INPUT, worded to follow "FILE, ": "line 4: row 7 of a matrix of 3
 * rows". Taken entries have indices within the matrix; each value that the file does not call nan or inf is finite,
 * and a whole number of at most 2^53 in size if the field is integer. A symmetric matrix is square.
 */
bool market_take(struct market_reader *reader, const char *piece, size_t bytes, struct error *error);
bool market_end(struct market_reader *reader, struct error *error);

#endif
