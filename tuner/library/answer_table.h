/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer_table.h - the answers that were given, by all that a problem says: a hash table that many threads read at
 * once.
 *
 * It forgets everything when it is full, so that a program whose sizes never recur does not grow.
 */
#ifndef TUNE_LIBRARY_ANSWER_TABLE_H
#define TUNE_LIBRARY_ANSWER_TABLE_H

#include "tuner/library/tune.h"

#include <stdbool.h>
#include <stdint.h>

struct answer_table;

/* What identifies a problem, as bytes. */
struct answer_key {
    const void *bytes;
    size_t length;
    uint64_t hash;
};

struct answer_table *answer_table_create(void); /* NULL: out of memory */
void answer_table_free(struct answer_table *table);

/* How often it was cleared: an answer that was found out before that must not be put in any more. */
uint64_t answer_table_generation(struct answer_table *table);
void answer_table_clear(struct answer_table *table);

/* A new reference, or NULL. */
struct tune_answer *answer_table_find(struct answer_table *table, const struct answer_key *key);

/* Put an answer in, unless the table was cleared since, or another thread was first: then `*answer` becomes that one,
 * and the caller's reference is given back. If memory runs out the table lacks it. */
void answer_table_put(struct answer_table *table, uint64_t generation, const struct answer_key *key,
                      struct tune_answer **answer);

#endif
