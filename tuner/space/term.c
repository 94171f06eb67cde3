/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

static void foreign_clear(const struct foreign *foreign)
{
    free((size_t *)foreign->slots);
    free(foreign->lets);
}

void terms_free(struct terms *terms)
{
    for (size_t i = 0; i < terms->foreign_count; i++)
        foreign_clear(&terms->foreigns[i]);
    free(terms->items);
    free(terms->operands);
    free(terms->table);
    free(terms->foreigns);
    for (size_t i = 0; i < terms->scratch_count; i++)
        free(terms->scratches[i]);
    free(terms->scratches);
}

bool term_is_truth(const struct term *term)
{
    switch ((enum term_kind)term->kind) {
    case TERM_CONSTANT:
        return term->constant.kind == VALUE_BOOLEAN;
    case TERM_TRUTH:
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_HOLDS:
    case TERM_COMPARE:
    case TERM_IN:
    case TERM_IN_RANGE:
    case TERM_IN_STRING:
        return true;
    default:
        return false;
    }
}

static bool reserve(void **items, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    size_t larger = *capacity ? *capacity : 64;
    while (larger < wanted)
        larger *= 2;
    void *moved = realloc(*items, larger * size);
    if (!moved)
        return false;
    *items = moved;
    *capacity = larger;
    return true;
}

static uint64_t hash_of(const struct term *term, const term_id *operands)
{
    uint64_t words[4] = {(uint64_t)term->kind << 8 | term->operation | (uint64_t)term->constant.kind << 16,
                         term->index, 0, 0};
    if (term->kind == TERM_CONSTANT && term->constant.kind == VALUE_STRING)
        words[2] = XXH3_64bits(term->constant.string, strlen(term->constant.string));
    else if (term->kind == TERM_CONSTANT && term->constant.kind == VALUE_BOOLEAN)
        words[2] = term->constant.boolean;
    else if (term->kind == TERM_CONSTANT)
        memcpy(&words[2], &term->constant.integer, sizeof words[2]);
    words[3] = XXH3_64bits(operands, term->count * sizeof *operands);
    return XXH3_64bits(words, sizeof words);
}

/* The same constant of the same kind: 1 and 1.0 are equal, but not the same. */
static bool same_constant(struct value a, struct value b)
{
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case VALUE_BOOLEAN:
        return a.boolean == b.boolean;
    case VALUE_INTEGER:
        return a.integer == b.integer;
    case VALUE_FLOAT:
        return a.real == b.real && !signbit(a.real) == !signbit(b.real); /* -0.0 is not 0.0 */
    case VALUE_STRING:
        return strcmp(a.string, b.string) == 0;
    case VALUE_UNSET:
        break;
    }
    return true;
}

static bool same_term(const struct terms *terms, const struct term *a, const struct term *b, const term_id *operands)
{
    return a->kind == b->kind && a->operation == b->operation && a->count == b->count && a->index == b->index &&
           same_constant(a->constant, b->constant) &&
           (a->count == 0 || memcmp(term_operands(terms, a), operands, a->count * sizeof *operands) == 0);
}

static bool grow_table(struct terms *terms)
{
    size_t capacity = terms->table_capacity ? 2 * terms->table_capacity : 256;
    uint32_t *table = calloc(capacity, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < terms->count; i++) {
        const struct term *term = &terms->items[i];
        size_t at = hash_of(term, term_operands(terms, term)) & (capacity - 1);
        while (table[at])
            at = (at + 1) & (capacity - 1);
        table[at] = (uint32_t)i + 1;
    }
    free(terms->table);
    terms->table = table;
    terms->table_capacity = capacity;
    return true;
}

term_id term_intern(struct terms *terms, const struct term *term, const term_id *operands)
{
    if (2 * terms->count >= terms->table_capacity && !grow_table(terms))
        goto failed;
    size_t at = hash_of(term, operands) & (terms->table_capacity - 1);
    for (; terms->table[at]; at = (at + 1) & (terms->table_capacity - 1)) {
        if (same_term(terms, &terms->items[terms->table[at] - 1], term, operands))
            return terms->table[at] - 1;
    }
    if (!reserve((void **)&terms->items, &terms->capacity, terms->count + 1, sizeof *terms->items) ||
        !reserve((void **)&terms->operands, &terms->operand_capacity, terms->operand_count + term->count + 1,
                 sizeof *terms->operands))
        goto failed;
    struct term *added = &terms->items[terms->count];
    *added = *term;
    added->first = (uint32_t)terms->operand_count;
    if (term->count > 0) /* else `operands` may be NULL */
        memcpy(terms->operands + terms->operand_count, operands, term->count * sizeof *operands);
    terms->operand_count += term->count;
    terms->table[at] = (uint32_t)++terms->count;
    return (term_id)terms->count - 1;
failed:
    terms->failed = true;
    return 0;
}

term_id term_constant(struct terms *terms, struct value value)
{
    struct term term = {.kind = TERM_CONSTANT, .constant = value, .range = range_of(value)};
    return term_intern(terms, &term, NULL);
}

term_id term_variable(struct terms *terms, size_t index, const struct value *values, size_t count)
{
    struct term term = {.kind = TERM_VARIABLE, .index = index};
    term.range = range_of(values[0]);
    for (size_t i = 1; i < count; i++)
        term.range = range_hull(term.range, range_of(values[i]));
    return term_intern(terms, &term, NULL);
}

struct value *term_add_scratch(struct terms *terms, const struct value *base, size_t slot_count)
{
    struct value *scratch = calloc(slot_count + 1, sizeof *scratch);
    struct value **more =
        scratch ? realloc(terms->scratches, (terms->scratch_count + 1) * sizeof(struct value *)) : NULL;
    if (!more) {
        free(scratch);
        terms->failed = true;
        return NULL;
    }
    memcpy(scratch, base, slot_count * sizeof *scratch);
    terms->scratches = more;
    terms->scratches[terms->scratch_count++] = scratch;
    return scratch;
}

size_t term_add_foreign(struct terms *terms, const struct foreign *foreign)
{
    if (terms->failed || !reserve((void **)&terms->foreigns, &terms->foreign_capacity, terms->foreign_count + 1,
                                  sizeof *terms->foreigns)) {
        foreign_clear(foreign);
        terms->failed = true;
        return 0;
    }
    terms->foreigns[terms->foreign_count] = *foreign;
    return terms->foreign_count++;
}
