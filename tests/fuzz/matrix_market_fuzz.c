/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Matrix Market file; the first one says how long the pieces are in which they come. */
#include "tests/fuzz/fuzz.h"
#include "tuner/data/matrix_market.h"

#include <math.h>

struct taken {
    struct market_header header;
    uint64_t entries, line;
    double sum; /* of what is finite */
};

static bool take_header(void *context, const struct market_header *header, struct error *error)
{
    struct taken *taken = context;
    (void)error;
    fuzz_require(taken->header.rows == 0); /* once */
    fuzz_require(header->rows > 0 && header->rows <= MARKET_DIMENSION_MOST);
    fuzz_require(header->columns > 0 && header->columns <= MARKET_DIMENSION_MOST);
    fuzz_require(header->symmetry == MARKET_GENERAL || header->rows == header->columns);
    taken->header = *header;
    return true;
}

static bool take_entry(void *context, const struct market_entry *entry, struct error *error)
{
    struct taken *taken = context;
    (void)error;
    fuzz_require(entry->row < taken->header.rows && entry->column < taken->header.columns);
    fuzz_require(entry->line > taken->line && taken->entries < taken->header.listed);
    fuzz_require(taken->header.field == MARKET_COMPLEX || entry->value[1] == 0);
    fuzz_require(taken->header.field != MARKET_PATTERN || entry->value[0] == 1);
    fuzz_require(taken->header.field != MARKET_INTEGER || fabs(entry->value[0]) <= 0x1p53);
    taken->line = entry->line;
    taken->entries++;
    taken->sum += isfinite(entry->value[0]) ? entry->value[0] : 0;
    return true;
}

static bool read_pieces(const char *text, size_t size, size_t step, struct taken *taken, struct error *error)
{
    const struct market_taker taker = {take_header, take_entry, taken};
    struct market_reader *reader = market_open(&taker, size);
    bool done = true;
    fuzz_require(reader);
    for (size_t at = 0; at < size && done; at += step) {
        size_t bytes = size - at < step ? size - at : step;
        char *piece = fuzz_copy((const uint8_t *)text + at, bytes);
        done = market_take(reader, piece, bytes, error);
        free(piece);
    }
    done = done && market_end(reader, error);
    market_free(reader);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0}, again = {0};
    struct taken taken = {0}, whole = {0};
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    bool done = read_pieces(text, size - 1, (size_t)data[0] + 1, &taken, &error);
    fuzz_require(read_pieces(text, size - 1, size, &whole, &again) == done); /* pieces make no difference */
    fuzz_require(strcmp(error.text, again.text) == 0);
    fuzz_require(taken.entries == whole.entries && (taken.sum == whole.sum || isnan(taken.sum)));
    if (done)
        fuzz_require(taken.header.rows > 0 && taken.entries == taken.header.listed);
    else
        fuzz_refused(&error);
    return 0;
}
