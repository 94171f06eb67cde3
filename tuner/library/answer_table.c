/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/answer_table.h"

#include "tuner/library/answer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_FIRST = 64, ANSWERS_MOST = 1 << 14 };

struct cell {
    uint64_t hash;
    void *key;
    size_t length;
    struct tune_answer *answer; /* NULL: the cell is free */
};

struct answer_table {
    pthread_rwlock_t lock;
    uint64_t generation;
    struct cell *cells; /* open addressing; at most half of them are taken */
    size_t size, count; /* size: a power of two, or 0 */
};

struct answer_table *answer_table_create(void)
{
    struct answer_table *table = calloc(1, sizeof *table);
    if (table && pthread_rwlock_init(&table->lock, NULL) != 0) {
        free(table);
        table = NULL;
    }
    return table;
}

static void clear(struct answer_table *table)
{
    for (size_t i = 0; i < table->size; i++) {
        if (table->cells[i].answer) {
            tune_answer_free(table->cells[i].answer);
            free(table->cells[i].key);
        }
    }
    free(table->cells);
    table->cells = NULL;
    table->size = table->count = 0;
}

void answer_table_free(struct answer_table *table)
{
    if (!table)
        return;
    clear(table);
    pthread_rwlock_destroy(&table->lock);
    free(table);
}

uint64_t answer_table_generation(struct answer_table *table)
{
    pthread_rwlock_rdlock(&table->lock);
    uint64_t generation = table->generation;
    pthread_rwlock_unlock(&table->lock);
    return generation;
}

void answer_table_clear(struct answer_table *table)
{
    pthread_rwlock_wrlock(&table->lock);
    table->generation++;
    clear(table);
    pthread_rwlock_unlock(&table->lock);
}

/* The cell of a key, or the free one where it would go. The table has cells. */
static struct cell *find_cell(const struct answer_table *table, const struct answer_key *key)
{
    size_t mask = table->size - 1;
    for (size_t i = (size_t)key->hash & mask;; i = (i + 1) & mask) {
        struct cell *cell = &table->cells[i];
        if (!cell->answer || (cell->hash == key->hash && cell->length == key->length &&
                              memcmp(cell->key, key->bytes, key->length) == 0))
            return cell;
    }
}

struct tune_answer *answer_table_find(struct answer_table *table, const struct answer_key *key)
{
    struct tune_answer *answer = NULL;
    pthread_rwlock_rdlock(&table->lock);
    if (table->size) {
        const struct cell *cell = find_cell(table, key);
        answer = cell->answer ? answer_keep(cell->answer) : NULL;
    }
    pthread_rwlock_unlock(&table->lock);
    return answer;
}

static bool grow(struct answer_table *table)
{
    struct answer_table larger = {.size = table->size ? 2 * table->size : CELLS_FIRST};
    larger.cells = calloc(larger.size, sizeof *larger.cells);
    if (!larger.cells)
        return false;
    for (size_t i = 0; i < table->size; i++) {
        const struct cell *cell = &table->cells[i];
        if (cell->answer)
            *find_cell(&larger, &(struct answer_key){cell->key, cell->length, cell->hash}) = *cell;
    }
    free(table->cells);
    table->cells = larger.cells;
    table->size = larger.size;
    return true;
}

static void insert(struct answer_table *table, struct cell *cell, const struct answer_key *key,
                   const struct tune_answer *answer)
{
    void *bytes = malloc(key->length + 1);
    if (!bytes)
        return;
    memcpy(bytes, key->bytes, key->length);
    *cell = (struct cell){key->hash, bytes, key->length, answer_keep(answer)};
    table->count++;
}

void answer_table_put(struct answer_table *table, uint64_t generation, const struct answer_key *key,
                      struct tune_answer **answer)
{
    struct tune_answer *surplus = NULL;
    pthread_rwlock_wrlock(&table->lock);
    if (table->generation == generation) {
        if (table->count == ANSWERS_MOST)
            clear(table);
        if (2 * (table->count + 1) <= table->size || grow(table)) {
            struct cell *cell = find_cell(table, key);
            if (!cell->answer) {
                insert(table, cell, key, *answer);
            } else {
                surplus = *answer;
                *answer = answer_keep(cell->answer);
            }
        }
    }
    pthread_rwlock_unlock(&table->lock);
    tune_answer_free(surplus);
}
