/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/program_cache.h"

#include "tuner/error/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Setups and references rarely depend on the configuration, so there are only a few. */
enum { CACHED_PROGRAMS = 8 };

struct cached_program {
    char *identity; /* everything the compiler is given; NULL: free */
    size_t identity_length;
    struct program program;
    uint64_t last_use;
};

struct program_cache {
    struct cached_program entries[CACHED_PROGRAMS];
    struct program empty; /* for sequences without kernels */
    uint64_t clock;
};

bool program_cache_create(struct program_cache **result, struct error *error)
{
    *result = calloc(1, sizeof **result);
    if (!*result)
        return error_out_of_memory(error);
    return true;
}

void program_cache_free(struct program_cache *cache, const struct device_driver *driver, struct device *device)
{
    if (!cache)
        return;
    for (size_t i = 0; i < CACHED_PROGRAMS; i++) {
        free(cache->entries[i].identity);
        program_unload(driver, device, &cache->entries[i].program);
    }
    free(cache);
}

/* Each string with its NUL, and another NUL after the list. */
static void put_list(FILE *stream, char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fwrite(strings[i], 1, strlen(strings[i]) + 1, stream);
    fputc('\0', stream);
}

static bool make_identity(const struct job_program *source, const char *text, size_t length, char **identity,
                          size_t *identity_length, struct error *error)
{
    struct text_stream stream;
    *identity = NULL;
    if (!text_stream_open(&stream, error))
        return false;
    put_list(stream.out, &source->path, 1);
    put_list(stream.out, &source->defines, source->defines ? 1 : 0);
    put_list(stream.out, source->kernels, source->kernel_count);
    put_list(stream.out, source->symbols, source->symbol_count);
    put_list(stream.out, source->options, source->option_count);
    fwrite(text, 1, length, stream.out);
    *identity = text_stream_close(&stream, error);
    *identity_length = stream.length;
    return *identity != NULL;
}

/* The entry with this identity, or the least recently used one, emptied. */
static struct cached_program *find_entry(struct program_cache *cache, const char *identity, size_t length)
{
    struct cached_program *oldest = &cache->entries[0];
    for (size_t i = 0; i < CACHED_PROGRAMS; i++) {
        struct cached_program *entry = &cache->entries[i];
        if (entry->identity && entry->identity_length == length && memcmp(entry->identity, identity, length) == 0)
            return entry;
        if (entry->last_use < oldest->last_use)
            oldest = entry;
    }
    free(oldest->identity);
    oldest->identity = NULL;
    return oldest;
}

bool program_cache_get(struct program_cache *cache, const struct device_driver *driver, struct device *device,
                       const struct device_description *description, struct compile_cache *images,
                       const struct job_program *source, const struct program **program, struct error *error)
{
    *program = &cache->empty;
    if (!source->path)
        return true;
    char *text = NULL, *identity = NULL;
    size_t length = 0, identity_length = 0;
    bool done = false;
    if (!program_read(source->path, &text, &length, error) ||
        !make_identity(source, text, length, &identity, &identity_length, error))
        goto out;
    struct cached_program *entry = find_entry(cache, identity, identity_length);
    if (!entry->identity) {
        program_unload(driver, device, &entry->program);
        entry->last_use = 0;
        if (!program_compile(driver, device, description, images, source, text, length, &entry->program, error))
            goto out;
        entry->identity = identity;
        entry->identity_length = identity_length;
        identity = NULL;
    }
    entry->last_use = ++cache->clock;
    *program = &entry->program;
    done = true;
out:
    free(text);
    free(identity);
    return done;
}
