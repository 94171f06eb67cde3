/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/compile_cache.h"

#include "tuner/cache/source_scan.h"
#include "tuner/device/host_part.h"
#include "tuner/device/monotonic.h"
#include "tuner/evaluation/transient.h"

#include <stdlib.h>
#include <string.h>

/* To wait for another worker that compiles the same image, and how often to look whether it is there. */
static const double claim_seconds = 10.0, look_seconds = 0.01;

struct compile_cache {
    struct cache *disk;
    struct device_description description;
    char *identity; /* from the driver; NULL: nothing can be cached */
    void (*offer)(const struct compile_offer *made, void *context);
    void *context;
    bool unclaimed;        /* look-ups neither claim images nor wait for them */
    struct cache_key held; /* claimed until what was offered has been stored */
    bool holds;
};

/* The content of an entry, followed by the log and the image. */
struct stored_result {
    uint8_t compiled, too_large, padding[6];
    int64_t spill_bytes;
    uint64_t log_bytes, image_bytes;
};

struct compile_cache *compile_cache_create(struct cache *disk, const struct device_driver *driver,
                                           const struct device_description *description)
{
    struct compile_cache *cache = calloc(1, sizeof *cache);
    if (!cache) {
        cache_close(disk);
        return NULL;
    }
    cache->disk = disk;
    cache->description = *description;
    if (!driver->compile_identity || !description->compiler[0] ||
        !driver->compile_identity(description, &cache->identity, NULL))
        cache->identity = NULL;
    return cache;
}

void compile_cache_offer_to(struct compile_cache *cache,
                            void (*offer)(const struct compile_offer *made, void *context), void *context)
{
    cache->offer = offer;
    cache->context = context;
}

struct compile_cache *compile_cache_for(const struct compile_images *images, const struct device_driver *driver,
                                        const struct device_description *description)
{
    struct cache *disk = images && images->open ? images->open() : NULL;
    struct compile_cache *cache = compile_cache_create(disk, driver, description);
    if (cache && images) {
        compile_cache_offer_to(cache, images->offer, images->context);
        cache->unclaimed = images->unclaimed;
    }
    return cache;
}

void compile_cache_free(struct compile_cache *cache)
{
    if (!cache)
        return;
    cache_close(cache->disk);
    free(cache->identity);
    free(cache);
}

/* ---- the key */

static void add_list(struct key_builder *key, const char *const *texts, size_t count)
{
    key_builder_add_number(key, count);
    for (size_t i = 0; i < count; i++)
        key_builder_add_text(key, texts[i]);
}

static void add_request(const struct compile_cache *cache, const struct compile_request *request,
                        struct key_builder *key)
{
    const struct device_description *description = &cache->description;
    static const char checked[] = "parameters are compared at the end of the source";
    const char *const texts[] = {TUNE_VERSION,
                                 checked,
                                 description->kind,
                                 description->architecture,
                                 description->compiler,
                                 cache->identity,
                                 request->path,
                                 request->folder,
                                 request->preamble ? request->preamble : ""};
    add_list(key, texts, sizeof texts / sizeof *texts);
    add_list(key, request->options, request->option_count);
    add_list(key, request->kernels, request->kernel_count);
    add_list(key, request->symbols, request->symbol_count);
}

/* The defines without those that can be dropped. */
static char *kept_defines(const struct source_scan *scan, const struct compile_request *request)
{
    size_t length = 0;
    char *kept = malloc((request->defines ? strlen(request->defines) : 0) + scan->define_count + 1);
    for (size_t i = 0; kept && i < scan->define_count; i++) {
        const struct scanned_define *define = &scan->defines[i];
        if (source_scan_can_drop(scan, define))
            continue;
        memcpy(kept + length, define->line, define->length);
        length += define->length;
        kept[length++] = '\n';
    }
    if (kept)
        kept[length] = '\0';
    return kept;
}

/* The key and the remaining defines, from one scan. `*defines` may be NULL: use the request's own. */
static bool make_key(const struct compile_cache *cache, const struct compile_request *request, struct cache_key *key,
                     uint64_t *stamp, char **defines)
{
    struct source_scan scan;
    struct key_builder *builder = key_builder_create();
    bool keyed = false;
    *defines = NULL;
    if (!builder || !source_scan_run(request, &scan, builder))
        goto out;
    *defines = kept_defines(&scan, request);
    keyed = *defines && !scan.uncertain && cache->identity && !host_is_wanted(request);
    if (keyed) {
        add_request(cache, request, builder);
        key_builder_add_text(builder, *defines);
        *key = key_builder_key(builder);
        *stamp = scan.stamp;
    }
    source_scan_clear(&scan);
out:
    key_builder_free(builder);
    return keyed;
}

bool compile_cache_key(const struct compile_cache *cache, const struct compile_request *request,
                       struct cache_key *key)
{
    uint64_t stamp;
    char *defines;
    bool keyed = make_key(cache, request, key, &stamp, &defines);
    free(defines);
    return keyed;
}

/* Is this what was compiled, and are the files as they were when the look-up began? If one has changed and changed
 * back, the compiler may have read the version between. */
static bool is_of(const struct compile_cache *cache, const struct compile_request *request,
                  const struct compile_offer *offer)
{
    struct cache_key key;
    uint64_t stamp;
    char *defines;
    bool keyed = make_key(cache, request, &key, &stamp, &defines);
    free(defines);
    return keyed && stamp == offer->stamp && cache_key_equal(&key, &offer->key);
}

/* ---- what is stored */

/* Failures for lack of memory, disk space or a part of the compiler are not caused by the source. */
static bool is_source_error(const struct compile_result *result)
{
    static const char *const others[] = {"fatal error", "catastrophic error", "could not open",
                                         "cannot open", "collect2",           "linker command",
                                         "terminated",  "internal error",     "internal compiler"};
    if (result->compiled || result->crashed || result->unlinked || !result->log || transient_text(result->log))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strstr(result->log, others[i]))
            return false;
    }
    return result->too_large || strstr(result->log, "error:");
}

static bool unpack_result(const void *content, size_t bytes, struct compile_result *result)
{
    struct stored_result stored;
    if (bytes < sizeof stored)
        return false;
    memcpy(&stored, content, sizeof stored);
    size_t rest = bytes - sizeof stored;
    if (stored.log_bytes > rest || stored.image_bytes != rest - stored.log_bytes || stored.compiled > 1 ||
        (stored.image_bytes > 0) != stored.compiled)
        return false;
    const char *text = (const char *)content + sizeof stored;
    char *log = strndup(text, stored.log_bytes);
    void *image = stored.compiled ? malloc(stored.image_bytes) : NULL;
    if (!log || (stored.compiled && !image)) {
        free(log);
        free(image);
        return false;
    }
    if (image)
        memcpy(image, text + stored.log_bytes, stored.image_bytes);
    *result = (struct compile_result){
        .compiled = stored.compiled,
        .too_large = stored.too_large,
        .spill_bytes = stored.spill_bytes,
        .cached = true,
        .log = log,
        .image = image,
        .image_bytes = stored.image_bytes,
    };
    return true;
}

static bool get(const struct compile_cache *cache, const struct cache_key *key, struct compile_result *result)
{
    void *content;
    size_t bytes;
    if (!cache_get(cache->disk, key, &content, &bytes))
        return false;
    bool unpacked = unpack_result(content, bytes, result);
    free(content);
    return unpacked;
}

static void put(const struct compile_cache *cache, const struct cache_key *key, const struct compile_result *result)
{
    struct stored_result stored = {
        .compiled = result->compiled,
        .too_large = result->too_large,
        .spill_bytes = result->spill_bytes,
        .log_bytes = result->log ? strlen(result->log) : 0,
        .image_bytes = result->compiled ? result->image_bytes : 0,
    };
    size_t bytes = sizeof stored + stored.log_bytes + stored.image_bytes;
    char *content = malloc(bytes);
    if (!content)
        return;
    memcpy(content, &stored, sizeof stored);
    if (stored.log_bytes)
        memcpy(content + sizeof stored, result->log, stored.log_bytes);
    if (stored.image_bytes)
        memcpy(content + sizeof stored + stored.log_bytes, result->image, stored.image_bytes);
    cache_put(cache->disk, key, content, bytes);
    free(content);
}

static bool may_be_stored(const struct compile_result *result)
{
    return result->compiled || is_source_error(result);
}

bool compile_cache_accept(const struct compile_cache *cache, const struct compile_request *request,
                          const struct compile_offer *offer)
{
    bool accepted = cache->disk && may_be_stored(offer->result) && is_of(cache, request, offer);
    if (accepted)
        put(cache, &offer->key, offer->result);
    return accepted;
}

bool compile_cache_has(struct compile_cache *cache, const struct compile_request *request)
{
    struct cache_key key;
    struct compile_result result = {0};
    bool has = compile_cache_key(cache, request, &key) && get(cache, &key, &result) && result.compiled;
    free(result.image);
    free(result.log);
    return has;
}

/* ---- a look-up */

static void release_held(struct compile_cache *cache)
{
    if (cache->holds)
        cache_release(cache->disk, &cache->held);
    cache->holds = false;
}

/* Claim it, or find what another worker has stored in the meantime. */
static bool claim_or_get(struct compile_lookup *lookup, struct compile_result *result)
{
    const struct compile_cache *cache = lookup->cache;
    bool found = false;
    for (double waited = 0; !found && !lookup->claimed && waited < claim_seconds; waited += look_seconds) {
        lookup->claimed = cache_claim(cache->disk, &lookup->key, look_seconds);
        found = get(cache, &lookup->key, result);
    }
    return found;
}

bool compile_lookup_begin(struct compile_cache *cache, struct compile_request *request, struct compile_lookup *lookup,
                          struct compile_result *result)
{
    double start = monotonic_seconds();
    *lookup = (struct compile_lookup){.cache = cache};
    release_held(cache);
    lookup->keyed = make_key(cache, request, &lookup->key, &lookup->stamp, &lookup->defines) && cache->disk;
    bool found = lookup->keyed && get(cache, &lookup->key, result);
    if (lookup->keyed && !found && !cache->unclaimed)
        found = claim_or_get(lookup, result);
    if (found)
        result->seconds = monotonic_seconds() - start;
    else if (lookup->defines)
        request->defines = lookup->defines;
    return found;
}

void compile_lookup_keep(struct compile_lookup *lookup, const struct compile_request *request,
                         const struct compile_result *result)
{
    struct compile_cache *cache = lookup->cache;
    const struct compile_offer made = {lookup->key, lookup->stamp, result};
    if (!lookup->keyed || !may_be_stored(result))
        return;
    lookup->offered = cache->offer != NULL;
    if (lookup->offered)
        cache->offer(&made, cache->context);
    else
        (void)compile_cache_accept(cache, request, &made);
}

void compile_lookup_end(struct compile_lookup *lookup)
{
    struct compile_cache *cache = lookup->cache;
    if (lookup->claimed && lookup->offered) {
        cache->held = lookup->key;
        cache->holds = true;
    } else if (lookup->claimed) {
        cache_release(cache->disk, &lookup->key);
    }
    free(lookup->defines);
    *lookup = (struct compile_lookup){0};
}
