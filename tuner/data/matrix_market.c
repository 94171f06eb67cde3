/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/matrix_market.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum stage { STAGE_BANNER, STAGE_SIZES, STAGE_ENTRIES };

struct market_reader {
    struct market_taker taker;
    struct market_header header;
    enum stage stage;
    uint64_t bytes;       /* of the file */
    uint64_t line, taken; /* lines that have begun, entries */
    uint32_t row, column; /* of the next element of an array */
    size_t length;        /* of the line so far */
    char text[MARKET_LINE_MOST + 1];
};

struct market_reader *market_open(const struct market_taker *taker, uint64_t bytes)
{
    struct market_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->taker = *taker;
    reader->bytes = bytes;
    reader->line = 1;
    return reader;
}

void market_free(struct market_reader *reader)
{
    free(reader);
}

/* "line 4: ", what is wrong, and the line itself. */
static bool refuse(const struct market_reader *reader, const char *what, struct error *error)
{
    return error_set(error, ERROR_INPUT, "line %" PRIu64 ": %s: %.80s", reader->line, what, reader->text);
}

/* ---- words and numbers: each is followed by a blank or the end of the line ---- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* The word at `*at`, which is moved behind it; 0: there is none. */
static size_t next_word(const char **at, const char **word)
{
    *word = skip_blanks(*at);
    size_t length = strcspn(*word, " \t");
    *at = *word + length;
    return length;
}

static bool read_whole(const char **at, uint64_t *number)
{
    const char *word;
    size_t length = next_word(at, &word);
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || __builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(word[i] - '0'), number))
            return false;
    }
    return length > 0;
}

static bool is_nonfinite(const char *word, size_t length)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    size_t sign = *word == '-' || *word == '+';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length - sign && strncasecmp(word + sign, words[i], length - sign) == 0)
            return true;
    }
    return false;
}

/* NULL, or what is wrong. */
static const char *read_value(const char **at, bool whole, double *value)
{
    const char *word;
    size_t length = next_word(at, &word);
    char *end;
    if (length == 0)
        return "a value is missing";
    bool nonfinite = is_nonfinite(word, length);
    if (strspn(word, whole ? "+-0123456789" : "+-.0123456789eE") < length && (whole || !nonfinite))
        return whole ? "a value is no whole number" : "a value is no number";
    *value = strtod(word, &end);
    if (end != word + length)
        return "a value is no number";
    if (!nonfinite && !isfinite(*value))
        return "a value is too large for double precision";
    return whole && fabs(*value) > 0x1p53 ? "a value is beyond 2^53, where doubles lose digits" : NULL;
}

static bool at_end(const char *at)
{
    return *skip_blanks(at) == '\0';
}

/* ---- the header ---- */

/* The number of one of these words; false: it is none of them. */
static bool choose(const char **at, const char *const *words, unsigned count, unsigned *choice)
{
    const char *word;
    size_t length = next_word(at, &word);
    for (*choice = 0; *choice < count; ++*choice) {
        if (strlen(words[*choice]) == length && strncasecmp(word, words[*choice], length) == 0)
            return true;
    }
    return false;
}

/* %%MatrixMarket matrix coordinate real general */
static bool read_banner(struct market_reader *reader, struct error *error)
{
    static const char *const begins[] = {"%%MatrixMarket"}, *const objects[] = {"matrix"};
    static const char *const formats[] = {"coordinate", "array"};
    static const char *const fields[] = {"real", "integer", "complex", "pattern"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    struct market_header *header = &reader->header;
    const char *at = reader->text;
    unsigned ignored, is_array, field, symmetry;
    if (!choose(&at, begins, 1, &ignored))
        return refuse(reader, "no Matrix Market file begins like this", error) ||
               error_hint(error, "its first line is like %%%%MatrixMarket matrix coordinate real general");
    if (!choose(&at, objects, 1, &ignored))
        return refuse(reader, "only a matrix can be read", error);
    if (!choose(&at, formats, 2, &is_array))
        return refuse(reader, "the format is neither coordinate nor array", error);
    if (!choose(&at, fields, 4, &field))
        return refuse(reader, "the field is not real, integer, complex or pattern", error);
    if (!choose(&at, symmetries, 4, &symmetry) || !at_end(at))
        return refuse(reader, "the symmetry is not general, symmetric, skew-symmetric or hermitian", error);
    header->is_array = is_array;
    header->field = (enum market_field)field;
    header->symmetry = (enum market_symmetry)symmetry;
    if (header->symmetry == MARKET_HERMITIAN && header->field != MARKET_COMPLEX)
        return refuse(reader, "only a complex matrix is hermitian", error);
    if (header->field == MARKET_PATTERN && (is_array || header->symmetry == MARKET_SKEW))
        return refuse(reader, "a pattern has coordinates, and no signs", error);
    reader->stage = STAGE_SIZES;
    return true;
}

/* How many elements of an array are listed: all, or those of the lower triangle. */
static uint64_t count_elements(const struct market_header *header)
{
    uint64_t rows = header->rows;
    if (header->symmetry == MARKET_GENERAL)
        return rows * header->columns; /* of 32 bits each */
    return header->symmetry == MARKET_SKEW ? rows * (rows - 1) / 2 : rows * (rows - 1) / 2 + rows;
}

/* Does the file have room for what it promises? The shortest entry is "1 1", that of an array "0". */
static bool has_room(const struct market_reader *reader, struct error *error)
{
    uint64_t least = reader->header.is_array ? 2 : reader->header.field == MARKET_PATTERN ? 4 : 6;
    if (reader->header.listed <= (reader->bytes + 1) / least)
        return true;
    return error_set(error, ERROR_INPUT,
                     "line %" PRIu64 ": %" PRIu64 " entries do not fit in a file of %" PRIu64 " bytes", reader->line,
                     reader->header.listed, reader->bytes);
}

static bool read_sizes(struct market_reader *reader, struct error *error)
{
    struct market_header *header = &reader->header;
    const char *at = reader->text;
    if (!read_whole(&at, &header->rows) || !read_whole(&at, &header->columns) ||
        (!header->is_array && !read_whole(&at, &header->listed)) || !at_end(at))
        return refuse(reader, header->is_array ? "expected rows and columns" : "expected rows, columns and entries",
                      error);
    if (header->rows == 0 || header->columns == 0)
        return refuse(reader, "a matrix without rows or columns", error);
    if (header->rows > MARKET_DIMENSION_MOST || header->columns > MARKET_DIMENSION_MOST)
        return refuse(reader, "more rows or columns than 32 bits can count", error);
    if (header->symmetry != MARKET_GENERAL && header->rows != header->columns)
        return refuse(reader, "a symmetric matrix must be square", error);
    if (header->is_array)
        header->listed = count_elements(header);
    reader->stage = STAGE_ENTRIES;
    reader->row = header->symmetry == MARKET_SKEW;
    return has_room(reader, error) && reader->taker.header(reader->taker.context, header, error);
}

/* ---- entries ---- */

static bool read_index(const struct market_reader *reader, const char **at, const char *what, uint64_t most,
                       uint32_t *index, struct error *error)
{
    uint64_t number;
    if (!read_whole(at, &number))
        return refuse(reader,
                      reader->header.field == MARKET_PATTERN ? "expected a row and a column"
                                                             : "expected a row, a column and a value",
                      error);
    if (number == 0)
        return refuse(reader, "rows and columns count from 1", error);
    if (number > most)
        return error_set(error, ERROR_INPUT, "line %" PRIu64 ": %s %" PRIu64 " of a matrix of %" PRIu64 " %ss",
                         reader->line, what, number, most, what);
    *index = (uint32_t)(number - 1);
    return true;
}

/* The next place in the order of columns. */
static void step(struct market_reader *reader)
{
    const struct market_header *header = &reader->header;
    if (++reader->row < header->rows)
        return;
    reader->column++;
    reader->row = header->symmetry == MARKET_GENERAL ? 0 : reader->column + (header->symmetry == MARKET_SKEW);
}

static bool check_diagonal(const struct market_reader *reader, const struct market_entry *entry, struct error *error)
{
    if (entry->row != entry->column)
        return true;
    if (reader->header.symmetry == MARKET_SKEW)
        return refuse(reader, "the diagonal of a skew-symmetric matrix is not listed", error);
    return reader->header.symmetry != MARKET_HERMITIAN || entry->value[1] == 0 ||
           refuse(reader, "the diagonal of a hermitian matrix is real", error);
}

static bool read_entry(struct market_reader *reader, struct error *error)
{
    const struct market_header *header = &reader->header;
    struct market_entry entry = {.line = reader->line, .row = reader->row, .column = reader->column, .value = {1, 0}};
    const char *at = reader->text, *wrong = NULL;
    if (reader->taken == header->listed)
        return error_set(error, ERROR_INPUT,
                         "line %" PRIu64 ": more than the %" PRIu64 " entries that the file promises", reader->line,
                         header->listed);
    if (!header->is_array && (!read_index(reader, &at, "row", header->rows, &entry.row, error) ||
                              !read_index(reader, &at, "column", header->columns, &entry.column, error)))
        return false;
    size_t values = header->field == MARKET_PATTERN ? 0 : header->field == MARKET_COMPLEX ? 2 : 1;
    for (size_t i = 0; i < values && !wrong; i++)
        wrong = read_value(&at, header->field == MARKET_INTEGER, &entry.value[i]);
    if (wrong)
        return refuse(reader, wrong, error);
    if (!at_end(at))
        return refuse(reader, "something follows the entry", error);
    reader->taken++;
    step(reader);
    return check_diagonal(reader, &entry, error) && reader->taker.entry(reader->taker.context, &entry, error);
}

/* ---- lines ---- */

static bool read_line(struct market_reader *reader, struct error *error)
{
    if (reader->length > 0 && reader->text[reader->length - 1] == '\r')
        reader->length--;
    reader->text[reader->length] = '\0';
    if (strlen(reader->text) < reader->length)
        return error_set(error, ERROR_INPUT, "line %" PRIu64 ": a zero byte, which no text has", reader->line);
    if (reader->stage == STAGE_BANNER)
        return read_banner(reader, error);
    if (at_end(reader->text) || (reader->stage == STAGE_SIZES && reader->text[0] == '%'))
        return true;
    return reader->stage == STAGE_SIZES ? read_sizes(reader, error) : read_entry(reader, error);
}

/* Part of a line; of a comment that is too long, the rest does not matter. */
static bool append(struct market_reader *reader, const char *part, size_t bytes, struct error *error)
{
    size_t room = MARKET_LINE_MOST - reader->length;
    if (bytes > room && (reader->stage != STAGE_SIZES || (reader->length ? reader->text[0] : part[0]) != '%'))
        return error_set(error, ERROR_INPUT, "line %" PRIu64 ": more than %d characters", reader->line,
                         MARKET_LINE_MOST);
    bytes = bytes < room ? bytes : room;
    memcpy(reader->text + reader->length, part, bytes);
    reader->length += bytes;
    return true;
}

bool market_take(struct market_reader *reader, const char *piece, size_t bytes, struct error *error)
{
    const char *end = piece + bytes;
    while (piece < end) {
        const char *newline = memchr(piece, '\n', (size_t)(end - piece));
        const char *stop = newline ? newline : end;
        if (!append(reader, piece, (size_t)(stop - piece), error) || (newline && !read_line(reader, error)))
            return false;
        if (newline) {
            reader->line++;
            reader->length = 0;
        }
        piece = newline ? newline + 1 : end;
    }
    return true;
}

bool market_end(struct market_reader *reader, struct error *error)
{
    if ((reader->length > 0 || reader->stage == STAGE_BANNER) && !read_line(reader, error))
        return false;
    if (reader->stage == STAGE_SIZES)
        return error_set(error, ERROR_INPUT, "line %" PRIu64 ": the file ends before its sizes", reader->line);
    return reader->taken == reader->header.listed ||
           error_set(error, ERROR_INPUT,
                     "line %" PRIu64 ": the file is cut off: %" PRIu64 " of its %" PRIu64 " entries are there",
                     reader->line, reader->taken, reader->header.listed);
}
