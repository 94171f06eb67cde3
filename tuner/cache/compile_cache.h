/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_cache.h - images from the cache, in place of compilations.
 *
 * An image is kept under a key of all that its compiler sees: the source and every file that it includes, the
 * defines, options and names of the request, the device's kind and architecture, the compiler, and what the device's
 * driver adds of its own (device_driver's compile_identity). A request is not cached when that cannot be told without
 * a preprocessor: an include by macro, __has_include, __DATE__, options that name files (source_scan.h). Headers of
 * the compiler itself stand for its version. Failures that are the source's fault are kept with their messages;
 * crashes and whatever else may end otherwise the next time are not.
 *
 * Defines that no source mentions are left out of the key and of the compilation: configurations that differ in
 * their launches alone share an image. The first worker to come for an image claims it; the others wait a while for
 * its result.
 *
 *     struct compile_lookup lookup;
 *     if (!compile_lookup_begin(cache, &request, &lookup, &result)) {
 *         done = driver->compile(description, &request, &result, error);
 *         if (done)
 *             compile_lookup_keep(&lookup, &request, &result);
 *     }
 *     compile_lookup_end(&lookup);
 */
#ifndef TUNE_CACHE_COMPILE_CACHE_H
#define TUNE_CACHE_COMPILE_CACHE_H

#include "tuner/cache/disk.h"
#include "tuner/device/device.h"

struct compile_cache;

/* Takes over `disk`, which may be NULL: then only unused defines are left out. NULL when there is no memory left. */
struct compile_cache *compile_cache_create(struct cache *disk, const struct device_driver *driver,
                                           const struct device_description *description);
void compile_cache_free(struct compile_cache *cache);

struct compile_lookup {
    struct compile_cache *cache;
    struct cache_key key;
    bool keyed;    /* the request can be cached */
    bool claimed;  /* and nobody else is at it */
    char *defines; /* of the request, without the unused; it points here until the end */
};

/*
 * True: `result` is filled in from the cache (cached is set, seconds are those of the look-up). False: compile the
 * request, which has its unused defines taken out.
 */
bool compile_lookup_begin(struct compile_cache *cache, struct compile_request *request, struct compile_lookup *lookup,
                          struct compile_result *result);

/* Keep the result of a compilation that came to its end, unless a file was changed meanwhile. */
void compile_lookup_keep(struct compile_lookup *lookup, const struct compile_request *request,
                         const struct compile_result *result);
void compile_lookup_end(struct compile_lookup *lookup);

/* The key of a request; false if it is not to be cached. */
bool compile_cache_key(const struct compile_cache *cache, const struct compile_request *request,
                       struct cache_key *key);

#endif
