/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.h - keys of cache entries: XXH3-128 over everything that an entry depends on, and a second, independent hash.
 *
 * Every piece is preceded by its length, so that different lists of pieces never hash the same bytes.
 */
#ifndef TUNE_CACHE_KEY_H
#define TUNE_CACHE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_key {
    uint64_t name[2]; /* names the entry's file */
    uint64_t check;   /* stored in the entry */
};

struct key_builder;

struct key_builder *key_builder_create(void); /* NULL: out of memory */
void key_builder_free(struct key_builder *builder);
void key_builder_add(struct key_builder *builder, const void *bytes, size_t length);
void key_builder_add_text(struct key_builder *builder, const char *text); /* NULL counts as "" */
void key_builder_add_number(struct key_builder *builder, uint64_t number);
struct cache_key key_builder_key(const struct key_builder *builder);

bool cache_key_equal(const struct cache_key *a, const struct cache_key *b);

#endif
