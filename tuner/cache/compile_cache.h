/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_cache.h - compiled images from disk instead of compilations.
 *
 * The key of an image covers everything that its compiler sees: the source and every file that it includes, the
 * request's defines, options and names, the device's kind and architecture, the compiler, and whatever else the
 * driver says matters (device_driver's compile_identity). The compiler's own headers are covered by its version. A
 * request is not cached if its inputs cannot be determined without a preprocessor: an include by macro,
 * __has_include, __DATE__, options that name files in other ways than -I does (source/closure.h); nor is one with
 * kernels for the host beside a device, which another compiler has a part in (device/host_part.h). Failures that the
 * source causes are cached with their messages; crashes and other failures that may not recur are not.
 *
 * Defines that no source mentions are left out of the key and of the compilation, so that configurations that differ
 * only in their launches share an image. The first worker to need an image claims it; the others wait for its result
 * for a while.
 *
 * An image is a program: whoever stores one decides what others run. Processes that run what a template's author
 * wrote therefore only read the cache (cache_open_to_read), and offer what they have compiled to one that does not,
 * which computes the key itself (compile_cache_accept).
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

/* What a process has compiled and not found in the cache. */
struct compile_offer {
    struct cache_key key;
    uint64_t stamp;                      /* of the sources when the compilation began */
    const struct compile_result *result; /* of the caller */
};

/* Takes over `disk`; if that is NULL, nothing is cached, and only unused defines are left out. NULL: out of memory.
 */
struct compile_cache *compile_cache_create(struct cache *disk, const struct device_driver *driver,
                                           const struct device_description *description);
void compile_cache_free(struct compile_cache *cache);

/* From now on `offer` is called with what would be stored (NULL: it is stored in the cache itself). The claim to it
 * ends with the next look-up, or with the cache, so that whoever waits for it finds it stored. */
void compile_cache_offer_to(struct compile_cache *cache,
                            void (*offer)(const struct compile_offer *made, void *context), void *context);

/* Where the images of a part of the program come from and go to. */
struct compile_images {
    struct cache *(*open)(void);                                    /* the disk of compile_cache_create; NULL: none */
    void (*offer)(const struct compile_offer *made, void *context); /* of compile_cache_offer_to */
    void *context;
    bool unclaimed; /* what may take long to be offered: nobody shall wait for that, nor does this for others */
};

/* A cache of them; `images` may be NULL. NULL: out of memory. */
struct compile_cache *compile_cache_for(const struct compile_images *images, const struct device_driver *driver,
                                        const struct device_description *description);

/* Store what another process offers as the result of `request`, if its key is the request's, its sources have not
 * changed since, and it is one to be stored. */
bool compile_cache_accept(const struct compile_cache *cache, const struct compile_request *request,
                          const struct compile_offer *offer);

struct compile_lookup {
    struct compile_cache *cache;
    struct cache_key key;
    uint64_t stamp; /* of the sources' metadata */
    bool keyed;     /* the request can be cached */
    bool claimed;   /* by this process */
    bool offered;   /* to whoever stores it */
    char *defines;  /* the request's defines without unused ones; the request refers to them until the end */
};

/*
 * True: `result` comes from the cache (`cached` is set, `seconds` is the time of the look-up). False: compile the
 * request, from which unused defines have been removed.
 */
bool compile_lookup_begin(struct compile_cache *cache, struct compile_request *request, struct compile_lookup *lookup,
                          struct compile_result *result);

/* Store or offer the result of a compilation, unless a source file has changed in the meantime. */
void compile_lookup_keep(struct compile_lookup *lookup, const struct compile_request *request,
                         const struct compile_result *result);
void compile_lookup_end(struct compile_lookup *lookup);

/* Would a look-up find an image now? Claims nothing. */
bool compile_cache_has(struct compile_cache *cache, const struct compile_request *request);

/* The key of a request; false if it cannot be cached. */
bool compile_cache_key(const struct compile_cache *cache, const struct compile_request *request,
                       struct cache_key *key);

#endif
