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
    struct early_image *early; /* of `source`, and not loaded yet; NULL: it is loaded */
    struct job_program source;
    char *text;
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

static void vacate(struct cached_program *entry, const struct device_driver *driver, struct device *device)
{
    early_image_drop(entry->early);
    program_unload(driver, device, &entry->program);
    free(entry->text);
    free(entry->identity);
    *entry = (struct cached_program){0};
}

void program_cache_free(struct program_cache *cache, const struct device_driver *driver, struct device *device)
{
    if (!cache)
        return;
    for (size_t i = 0; i < CACHED_PROGRAMS; i++)
        vacate(&cache->entries[i], driver, device);
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

/* A program's text, and all that its compiler is given. */
struct wanted {
    char *text, *identity;
    size_t length, identity_length;
};

static bool read_wanted(const struct job_program *source, struct wanted *wanted, struct error *error)
{
    *wanted = (struct wanted){0};
    return program_read(source->path, &wanted->text, &wanted->length, error) &&
           make_identity(source, wanted->text, wanted->length, &wanted->identity, &wanted->identity_length, error);
}

static void clear_wanted(struct wanted *wanted)
{
    free(wanted->text);
    free(wanted->identity);
}

/* Does an entry have it? Else `*entry` is the least recently used one, emptied, which has its identity now. */
static bool find_entry(struct program_cache *cache, const struct device_driver *driver, struct device *device,
                       struct wanted *wanted, struct cached_program **entry)
{
    struct cached_program *oldest = &cache->entries[0];
    for (size_t i = 0; i < CACHED_PROGRAMS; i++) {
        *entry = &cache->entries[i];
        if ((*entry)->identity && (*entry)->identity_length == wanted->identity_length &&
            memcmp((*entry)->identity, wanted->identity, wanted->identity_length) == 0)
            return true;
        if ((*entry)->last_use < oldest->last_use)
            oldest = *entry;
    }
    vacate(oldest, driver, device);
    oldest->identity = wanted->identity;
    oldest->identity_length = wanted->identity_length;
    wanted->identity = NULL;
    *entry = oldest;
    return false;
}

/* The image that was begun early, unless that came to nothing. */
static bool load(struct cached_program *entry, const struct device_driver *driver, struct device *device,
                 const struct device_description *description, struct compile_cache *images,
                 const struct job_program *source, const struct wanted *wanted, struct error *error)
{
    struct compile_result image = {0};
    bool has = entry->early && early_image_end(entry->early, description, NULL, &image);
    entry->early = NULL;
    bool done = has ? program_load(driver, device, source, image.image, image.image_bytes, &entry->program, error)
                    : program_compile(driver, device, description, images, source, wanted->text, wanted->length,
                                      &entry->program, error);
    free(image.image);
    free(image.log);
    return done;
}

void program_cache_begin(struct program_cache *cache, const struct device_driver *driver, struct device *device,
                         const struct device_description *description, const struct compile_images *images,
                         const struct job_program *source)
{
    struct wanted wanted = {0};
    struct cached_program *entry;
    if (source->path && read_wanted(source, &wanted, NULL) && !find_entry(cache, driver, device, &wanted, &entry)) {
        entry->source = *source;
        entry->text = wanted.text;
        wanted.text = NULL;
        entry->last_use = ++cache->clock;
        entry->early = early_image_begin(driver, description, images, &entry->source, entry->text, wanted.length);
        if (!entry->early)
            vacate(entry, driver, device);
    }
    clear_wanted(&wanted);
}

bool program_cache_get(struct program_cache *cache, const struct device_driver *driver, struct device *device,
                       const struct device_description *description, struct compile_cache *images,
                       const struct job_program *source, const struct program **program, struct error *error)
{
    *program = &cache->empty;
    if (!source->path)
        return true;
    struct wanted wanted;
    struct cached_program *entry = NULL;
    bool done = read_wanted(source, &wanted, error);
    if (done && (!find_entry(cache, driver, device, &wanted, &entry) || entry->early))
        done = load(entry, driver, device, description, images, source, &wanted, error);
    if (done) {
        entry->last_use = ++cache->clock;
        *program = &entry->program;
    } else if (entry) {
        vacate(entry, driver, device);
    }
    clear_wanted(&wanted);
    return done;
}
