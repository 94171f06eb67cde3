/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.h - the name of an entry: XXH3-128 of all that it depends on, and a second hash with another seed.
 *
 * Each piece goes in with its length, so that no two lists of pieces are one run of bytes.
 */
#ifndef TUNE_CACHE_KEY_H
#define TUNE_CACHE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_key {
    uint64_t name[2]; /* the entry's file */
    uint64_t check;   /* kept inside the entry */
};

struct key_builder;

struct key_builder *key_builder_create(void); /* NULL when there is no memory left */
void key_builder_free(struct key_builder *builder);
void key_builder_add(struct key_builder *builder, const void *bytes, size_t length);
void key_builder_add_text(struct key_builder *builder, const char *text); /* NULL counts as "" */
void key_builder_add_number(struct key_builder *builder, uint64_t number);
struct cache_key key_builder_key(const struct key_builder *builder);

bool cache_key_equal(const struct cache_key *a, const struct cache_key *b);

#endif
