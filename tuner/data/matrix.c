/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/matrix.h"

#include "tuner/data/matrix_market.h"
#include "tuner/lang/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 }; /* bytes */

bool matrix_is_file(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".mtx") == 0;
}

/* ---- reading ---- */

struct reading {
    struct sparse_matrix *matrix;
    struct market_header header;
    enum element element;
    struct market_reader *reader;
    uint64_t wanted; /* a key that occurs twice, */
    unsigned seen;
    struct market_entry second; /* and the entry where it does so for the second time */
};

static bool take_header(void *context, const struct market_header *header, struct error *error)
{
    struct reading *reading = context;
    struct sparse_matrix *matrix = reading->matrix;
    if (header->field == MARKET_COMPLEX && matrix->numbers == 1) {
        error_set(error, ERROR_INPUT, "line 1: the values are complex, and would lose their imaginary parts");
        return error_hint(error, "the buffer's type must be complex or complex_double");
    }
    const uint64_t most = header->symmetry == MARKET_GENERAL ? header->listed : 2 * header->listed;
    reading->header = *header;
    matrix->rows = header->rows;
    matrix->columns = header->columns;
    matrix->keys = malloc((most + 1) * sizeof *matrix->keys);
    matrix->values = malloc((most * matrix->numbers + 1) * sizeof *matrix->values);
    return (matrix->keys && matrix->values) || error_out_of_memory(error);
}

/* Does the type hold the number? NaN and infinities stay what they are. */
static bool holds(enum element element, double value)
{
    const struct element_type *type = &element_types[element];
    if (type->floating)
        return !isfinite(value) || isfinite(number_of_bits(element, number_to_bits(element, value)));
    double beyond = ldexp(1, (int)type->bytes * 8 - type->is_signed);
    return value >= (type->is_signed ? -beyond : 0) && value < beyond && value == floor(value);
}

static bool add(struct reading *reading, uint32_t row, uint32_t column, const double value[2], uint64_t line,
                struct error *error)
{
    struct sparse_matrix *matrix = reading->matrix;
    for (size_t i = 0; i < matrix->numbers; i++) {
        matrix->values[matrix->count * matrix->numbers + i] = value[i];
        if (!holds(reading->element, value[i]))
            return error_set(error, ERROR_INPUT, "line %" PRIu64 ": %.15g does not fit type %s", line, value[i],
                             element_types[reading->element].name);
    }
    matrix->keys[matrix->count++] = (uint64_t)row << 32 | column;
    return true;
}

/* The entry of the other triangle. */
static bool add_mirrored(struct reading *reading, const struct market_entry *entry, struct error *error)
{
    const double sign = reading->header.symmetry == MARKET_SKEW ? -1 : 1;
    const double second = reading->header.symmetry == MARKET_HERMITIAN ? -1 : sign;
    const double value[2] = {sign * entry->value[0], second * entry->value[1]};
    if (reading->header.symmetry == MARKET_GENERAL || entry->row == entry->column)
        return true;
    return add(reading, entry->column, entry->row, value, entry->line, error);
}

static bool take_entry(void *context, const struct market_entry *entry, struct error *error)
{
    struct reading *reading = context;
    if (reading->header.is_array && entry->value[0] == 0 && entry->value[1] == 0)
        return true;
    return add(reading, entry->row, entry->column, entry->value, entry->line, error) &&
           add_mirrored(reading, entry, error);
}

static bool take_text(const void *piece, size_t bytes, void *context, struct error *error)
{
    struct reading *reading = context;
    return market_take(reading->reader, piece, bytes, error);
}

/* "a.mtx, " and what is wrong with it. Errors of data_read name the file themselves. */
static bool name_first(const char *name, struct error *error)
{
    char text[sizeof error->text];
    if (!error || error->code != ERROR_INPUT || strncmp(error->text, "line ", 5) != 0)
        return false;
    snprintf(text, sizeof text, "%s", error->text);
    snprintf(error->text, sizeof error->text, "%.400s, %.600s", name, text);
    return false;
}

static bool read_text(const struct data_part *file, const struct market_taker *taker, struct reading *reading,
                      struct error *error)
{
    reading->reader = market_open(taker, file->bytes);
    bool done = (reading->reader || error_out_of_memory(error)) && data_read(file, take_text, reading, error) &&
                market_end(reading->reader, error);
    market_free(reading->reader);
    return done;
}

/* ---- order ---- */

static bool is_sorted(const struct sparse_matrix *matrix)
{
    for (uint64_t i = 1; i < matrix->count; i++) {
        if (matrix->keys[i - 1] > matrix->keys[i])
            return false;
    }
    return true;
}

/* One pass of a radix sort, by the eight bits from `shift` on. False: they are the same in all keys, nothing moved.
 */
static bool deal(const struct sparse_matrix *matrix, unsigned shift, uint64_t *keys, double *values)
{
    uint64_t starts[257] = {0};
    for (uint64_t i = 0; i < matrix->count; i++)
        starts[(matrix->keys[i] >> shift & 255) + 1]++;
    for (size_t i = 1; i < 257; i++) {
        if (starts[i] == matrix->count)
            return false;
        starts[i] += starts[i - 1];
    }
    for (uint64_t i = 0; i < matrix->count; i++) {
        uint64_t to = starts[matrix->keys[i] >> shift & 255]++;
        keys[to] = matrix->keys[i];
        for (size_t k = 0; k < matrix->numbers; k++)
            values[to * matrix->numbers + k] = matrix->values[i * matrix->numbers + k];
    }
    return true;
}

static bool sort(struct sparse_matrix *matrix, struct error *error)
{
    if (is_sorted(matrix))
        return true;
    uint64_t *keys = malloc(matrix->count * sizeof *keys);
    double *values = malloc((matrix->count * matrix->numbers + 1) * sizeof *values);
    bool done = (keys && values) || error_out_of_memory(error);
    for (unsigned shift = 0; done && shift < 64; shift += 8) {
        if (!deal(matrix, shift, keys, values))
            continue;
        uint64_t *former_keys = matrix->keys;
        double *former_values = matrix->values;
        matrix->keys = keys;
        matrix->values = values;
        keys = former_keys;
        values = former_values;
    }
    free(keys);
    free(values);
    return done;
}

static bool find_header(void *context, const struct market_header *header, struct error *error)
{
    (void)context, (void)header, (void)error;
    return true;
}

static bool find_entry(void *context, const struct market_entry *entry, struct error *error)
{
    struct reading *reading = context;
    uint64_t row = reading->wanted >> 32, column = reading->wanted & UINT32_MAX;
    bool listed = entry->row == row && entry->column == column;
    bool mirrored = reading->header.symmetry != MARKET_GENERAL && entry->row == column && entry->column == row;
    (void)error;
    reading->seen += listed || mirrored;
    if (reading->seen == 2 && reading->second.line == 0)
        reading->second = *entry;
    return true;
}

/* Look for the line, which is not kept: the file is read again. */
static bool refuse_twice(const struct data_part *file, struct reading *reading, uint64_t key, struct error *error)
{
    const struct market_taker taker = {find_header, find_entry, reading};
    reading->wanted = key;
    if (!read_text(file, &taker, reading, error))
        return false;
    const struct market_entry *second = &reading->second;
    error_set(error, ERROR_INPUT,
              "line %" PRIu64 ": row %" PRIu64 ", column %" PRIu64 " is listed for the second time", second->line,
              (uint64_t)second->row + 1, (uint64_t)second->column + 1);
    return error_hint(error, "in Python, to add them up: scipy.io.mmwrite(\"sum.mtx\", "
                             "scipy.sparse.csr_matrix(scipy.io.mmread(\"a.mtx\")))");
}

static bool check_once(const struct data_part *file, struct reading *reading, struct error *error)
{
    const struct sparse_matrix *matrix = reading->matrix;
    for (uint64_t i = 1; i < matrix->count; i++) {
        if (matrix->keys[i - 1] == matrix->keys[i])
            return refuse_twice(file, reading, matrix->keys[i], error);
    }
    return true;
}

bool matrix_read(const struct data_part *file, const char *name, enum element element, size_t numbers,
                 struct sparse_matrix **result, struct error *error)
{
    struct sparse_matrix *matrix = calloc(1, sizeof *matrix);
    struct reading reading = {.matrix = matrix, .element = element};
    const struct market_taker taker = {take_header, take_entry, &reading};
    *result = NULL;
    if (!matrix)
        return error_out_of_memory(error);
    matrix->numbers = numbers;
    if (!read_text(file, &taker, &reading, error) || !sort(matrix, error) || !check_once(file, &reading, error)) {
        matrix_free(matrix);
        return name_first(name, error);
    }
    *result = matrix;
    return true;
}

void matrix_free(struct sparse_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->keys);
    free(matrix->values);
    free(matrix);
}

/* ---- arrays ---- */

uint64_t matrix_longest(const struct sparse_matrix *matrix)
{
    uint64_t longest = 0, first = 0; /* the first entry of the row */
    for (uint64_t i = 0; i < matrix->count; i++) {
        if (matrix->keys[i] >> 32 != matrix->keys[first] >> 32)
            first = i;
        longest = i - first + 1 > longest ? i - first + 1 : longest;
    }
    return longest;
}

uint64_t matrix_count(const struct sparse_matrix *matrix, enum matrix_array array)
{
    return array == MATRIX_STARTS  ? matrix->rows + 1
           : array == MATRIX_DENSE ? matrix->rows * matrix->columns
                                   : matrix->count;
}

/* How far an array has been passed on: elements, and entries that lie before the next one. */
struct progress {
    uint64_t element, entry;
};

static double dense_number(const struct sparse_matrix *matrix, const struct progress *progress, size_t number)
{
    uint64_t key = progress->element / matrix->columns << 32 | progress->element % matrix->columns;
    bool listed = progress->entry < matrix->count && matrix->keys[progress->entry] == key;
    return listed ? matrix->values[progress->entry * matrix->numbers + number] : 0;
}

/* A number of the next element, as the bits of its type. */
static uint64_t number_bits(const struct sparse_matrix *matrix, enum matrix_array array, enum element element,
                            const struct progress *progress, size_t number)
{
    bool listed = progress->element < matrix->count;
    switch (array) {
    case MATRIX_STARTS:
        return progress->entry;
    case MATRIX_ROWS:
        return listed ? matrix->keys[progress->element] >> 32 : 0;
    case MATRIX_COLUMNS:
        return listed ? matrix->keys[progress->element] & UINT32_MAX : 0;
    case MATRIX_VALUES:
        return listed ? number_to_bits(element, matrix->values[progress->element * matrix->numbers + number]) : 0;
    case MATRIX_DENSE:
        return number_to_bits(element, dense_number(matrix, progress, number));
    default:
        return 0;
    }
}

/* Entries before the next element of those arrays that have not one an entry. */
static void advance(const struct sparse_matrix *matrix, enum matrix_array array, struct progress *progress)
{
    uint64_t at = progress->element++, row = at + 1;
    if (array == MATRIX_DENSE) {
        uint64_t key = at / matrix->columns << 32 | at % matrix->columns;
        progress->entry += progress->entry < matrix->count && matrix->keys[progress->entry] == key;
    }
    while (array == MATRIX_STARTS && progress->entry < matrix->count && matrix->keys[progress->entry] >> 32 < row)
        progress->entry++;
}

bool matrix_take(const struct sparse_matrix *matrix, enum matrix_array array, enum element element, uint64_t count,
                 data_taker *take, void *context, struct error *error)
{
    const size_t numbers = array == MATRIX_VALUES || array == MATRIX_DENSE ? matrix->numbers : 1;
    const size_t bytes = element_types[element].bytes;
    unsigned char *piece = malloc(PIECE), *at = piece;
    bool done = piece || error_out_of_memory(error);
    struct progress progress = {0};
    while (done && progress.element < count) {
        for (size_t k = 0; k < numbers; k++) {
            uint64_t bits = number_bits(matrix, array, element, &progress, k);
            for (size_t i = 0; i < bytes; i++)
                *at++ = (unsigned char)(bits >> 8 * i);
        }
        advance(matrix, array, &progress);
        if (progress.element == count || (size_t)(at - piece) + numbers * bytes > PIECE) {
            done = take(piece, (size_t)(at - piece), context, error);
            at = piece;
        }
    }
    free(piece);
    return done;
}
