/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/key.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const XXH64_hash_t check_seed = 0x74756e65u;

struct key_builder {
    XXH3_state_t *name, *check;
};

struct key_builder *key_builder_create(void)
{
    struct key_builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return NULL;
    builder->name = XXH3_createState();
    builder->check = XXH3_createState();
    if (!builder->name || !builder->check || XXH3_128bits_reset(builder->name) != XXH_OK ||
        XXH3_64bits_reset_withSeed(builder->check, check_seed) != XXH_OK) {
        key_builder_free(builder);
        return NULL;
    }
    return builder;
}

void key_builder_free(struct key_builder *builder)
{
    if (!builder)
        return;
    XXH3_freeState(builder->name);
    XXH3_freeState(builder->check);
    free(builder);
}

static void update(struct key_builder *builder, const void *bytes, size_t length)
{
    XXH3_128bits_update(builder->name, bytes, length);
    XXH3_64bits_update(builder->check, bytes, length);
}

void key_builder_add(struct key_builder *builder, const void *bytes, size_t length)
{
    key_builder_add_number(builder, length);
    update(builder, bytes, length);
}

void key_builder_add_text(struct key_builder *builder, const char *text)
{
    key_builder_add(builder, text ? text : "", text ? strlen(text) : 0);
}

void key_builder_add_number(struct key_builder *builder, uint64_t number)
{
    update(builder, &number, sizeof number);
}

struct cache_key key_builder_key(const struct key_builder *builder)
{
    XXH128_hash_t name = XXH3_128bits_digest(builder->name);
    return (struct cache_key){.name = {name.high64, name.low64}, .check = XXH3_64bits_digest(builder->check)};
}

bool cache_key_equal(const struct cache_key *a, const struct cache_key *b)
{
    return a->name[0] == b->name[0] && a->name[1] == b->name[1] && a->check == b->check;
}
