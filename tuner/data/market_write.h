/* SPDX-License-Identifier: Apache-2.0 */
/*
 * market_write.h - the arrays of a sparse matrix as a Matrix Market file, which matrix.h reads back as they are.
 *
 * Entries are listed in the order of the arrays. The field is real, complex, integer or pattern, as the values are;
 * floating-point values have as many digits as it takes to get the same bits again (9 of a float, 17 of a double).
 */
#ifndef TUNE_DATA_MARKET_WRITE_H
#define TUNE_DATA_MARKET_WRITE_H

#include "tuner/lang/element.h"

#include <stdint.h>
#include <stdio.h>

struct market_array {
    const void *numbers;
    enum element element;
};

struct market_arrays {
    uint64_t rows, columns, count; /* count: entries */
    bool by_rows; /* `places` has where each row starts, rows + 1 of them; else the row of each entry */
    struct market_array places, indices; /* indices: the column of each entry, from 0 */
    struct market_array values;          /* numbers NULL: there are none */
    size_t per_value;                    /* numbers of a value: 1, or 2 of a complex one */
};

/* False: these are no matrix (starts of rows that descend or are not those of `count` entries, an index outside, an
 * element that occurs twice, an integer of 2^53 or more), memory is short, or writing failed. */
bool market_write(const struct market_arrays *matrix, FILE *file);

#endif
