/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/market_write.h"

#include "tuner/data/matrix_market.h"
#include "tuner/lang/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const struct market_array *array, uint64_t index)
{
    const size_t bytes = element_types[array->element].bytes;
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array->numbers + index * bytes, bytes); /* little-endian, as all devices are */
    return number_of_bits(array->element, bits);
}

/* ---- is it a matrix? ---- */

/* A whole number below `limit`. */
static bool index_of(const struct market_array *array, uint64_t at, uint64_t limit, uint64_t *index)
{
    const double value = number(array, at);
    if (!(value >= 0 && value < (double)limit))
        return false;
    *index = (uint64_t)value;
    return true;
}

static bool add_key(const struct market_arrays *matrix, uint64_t row, uint64_t entry, uint64_t *keys)
{
    uint64_t column;
    if (!index_of(&matrix->indices, entry, matrix->columns, &column))
        return false;
    keys[entry] = row << 32 | column;
    return true;
}

static bool find_keys_by_rows(const struct market_arrays *matrix, uint64_t *keys)
{
    uint64_t entry, end;
    if (!index_of(&matrix->places, 0, 1, &entry))
        return false;
    for (uint64_t row = 0; row < matrix->rows; row++) {
        if (!index_of(&matrix->places, row + 1, matrix->count + 1, &end) || end < entry)
            return false;
        for (; entry < end; entry++) {
            if (!add_key(matrix, row, entry, keys))
                return false;
        }
    }
    return entry == matrix->count;
}

static bool find_keys_of_entries(const struct market_arrays *matrix, uint64_t *keys)
{
    for (uint64_t entry = 0; entry < matrix->count; entry++) {
        uint64_t row;
        if (!index_of(&matrix->places, entry, matrix->rows, &row) || !add_key(matrix, row, entry, keys))
            return false;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool ascend(const uint64_t *keys, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        if (keys[i - 1] >= keys[i])
            return false;
    }
    return true;
}

static bool occur_once(const uint64_t *keys, uint64_t count)
{
    if (ascend(keys, count))
        return true;
    uint64_t *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, keys, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    const bool once = ascend(sorted, count);
    free(sorted);
    return once;
}

static bool are_exact(const struct market_arrays *matrix)
{
    if (!matrix->values.numbers || element_types[matrix->values.element].floating)
        return true;
    for (uint64_t i = 0; i < matrix->count * matrix->per_value; i++) {
        if (fabs(number(&matrix->values, i)) >= 0x1p53) /* what is above may be rounded to it */
            return false;
    }
    return true;
}

/* ---- text ---- */

static const char *field_of(const struct market_arrays *matrix)
{
    if (!matrix->values.numbers)
        return "pattern";
    if (matrix->per_value == 2)
        return "complex";
    return element_types[matrix->values.element].floating ? "real" : "integer";
}

static void write_number(const struct market_array *array, uint64_t index, FILE *file)
{
    const double value = number(array, index);
    if (isnan(value))
        fputs(" nan", file);
    else
        fprintf(file, array->element == ELEMENT_DOUBLE ? " %.17g" : " %.9g", value);
}

static void write_integer(const struct market_array *array, uint64_t index, FILE *file)
{
    fprintf(file, " %" PRId64, (int64_t)number(array, index));
}

static bool write_text(const struct market_arrays *matrix, const uint64_t *keys, FILE *file)
{
    const bool whole = !element_types[matrix->values.element].floating && matrix->per_value == 1;
    const size_t numbers = matrix->values.numbers ? matrix->per_value : 0;
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s general\n%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
            field_of(matrix), matrix->rows, matrix->columns, matrix->count);
    for (uint64_t i = 0; i < matrix->count; i++) {
        fprintf(file, "%" PRIu64 " %" PRIu64, (keys[i] >> 32) + 1, (keys[i] & UINT32_MAX) + 1);
        for (size_t k = 0; k < numbers; k++)
            (whole ? write_integer : write_number)(&matrix->values, i * numbers + k, file);
        putc('\n', file);
    }
    return fflush(file) == 0 && !ferror(file);
}

bool market_write(const struct market_arrays *matrix, FILE *file)
{
    const bool fits = matrix->rows <= MARKET_DIMENSION_MOST && matrix->columns <= MARKET_DIMENSION_MOST;
    uint64_t *keys = fits ? malloc((matrix->count + 1) * sizeof *keys) : NULL;
    const bool done = keys && (matrix->by_rows ? find_keys_by_rows : find_keys_of_entries)(matrix, keys) &&
                      occur_once(keys, matrix->count) && are_exact(matrix) && write_text(matrix, keys, file);
    free(keys);
    return done;
}
