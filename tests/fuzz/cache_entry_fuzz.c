/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the cache. The first byte says what the others are:
 *
 *     d  damage of a genuine entry: two bytes of an offset and one to flip the bits of, again and again
 *     t  the length to which it is cut
 *     o  appended to the entry of another image, put in its place
 *     r  the whole file
 *     f  a header and packed content whose key and checksum are made to fit
 *     c  the unpacked content, stored as the cache does
 *
 * Unless key and checksum were made to fit, only the genuine image may come back.
 */
#include "tests/fuzz/scratch.h"
#include "tuner/cache/compile_cache.h"

#include <inttypes.h>
#include <xxhash.h>

enum { KEY_AT = 16, PACKED_AT = 48, CHECKSUM_AT = 56, HEADER = 64 }; /* see disk.c */

static const char source[] = "__global__ void k() {}\n", image[] = "a genuine image",
                  other_image[] = "of another source";
static struct cache *disk;
static struct compile_cache *cache;
static struct cache_key key;
static char path[PATH_MAX];
static uint8_t *genuine, *other;
static size_t genuine_size, other_size;

static bool identify(const struct device_description *description, char **text, struct error *error)
{
    (void)description, (void)error;
    *text = strdup("fuzz");
    return *text;
}

static struct compile_request request_for(const char *text)
{
    return (struct compile_request){
        .path = "/nonexistent/k.cu", .text = text, .length = strlen(text), .folder = "/nonexistent", .defines = ""};
}

/* Store an image and take its file out of the cache. */
static uint8_t *stored(const char *text, const char *bytes, size_t *size)
{
    struct compile_request request = request_for(text);
    struct compile_lookup lookup;
    struct compile_result result = {.compiled = true,
                                    .image = (char *)(uintptr_t)bytes,
                                    .image_bytes = strlen(bytes),
                                    .log = (char[]){"a log"},
                                    .spill_bytes = -1};
    struct compile_result found;
    fuzz_require(!compile_lookup_begin(cache, &request, &lookup, &found) && lookup.keyed);
    compile_lookup_keep(&lookup, &request, &result);
    key = lookup.key;
    compile_lookup_end(&lookup);
    char name[64];
    snprintf(name, sizeof name, "images/%016" PRIx64 "%016" PRIx64, key.name[0], key.name[1]);
    scratch_path(path, name);
    return scratch_read(path, size);
}

static void prepare(void)
{
    static const struct device_driver driver = {.kind = "cpu", .compile_identity = identify};
    static const struct device_description description = {.kind = "cpu", .compiler = "fuzz"};
    char folder[PATH_MAX];
    scratch_path(folder, "images");
    disk = cache_open_at(folder, (uint64_t)1 << 30);
    cache = compile_cache_create(disk, &driver, &description);
    fuzz_require(disk && cache);
    other = stored("__global__ void other() {}\n", other_image, &other_size);
    genuine = stored(source, image, &genuine_size); /* the last: `key` and `path` are its */
}

static void look(bool may_differ)
{
    struct compile_request request = request_for(source);
    struct compile_lookup lookup;
    struct compile_result result;
    if (compile_lookup_begin(cache, &request, &lookup, &result)) {
        fuzz_require(result.log && result.compiled == (result.image_bytes > 0) && (result.image || !result.compiled));
        fuzz_require(may_differ || (result.compiled && result.image_bytes == strlen(image) &&
                                    memcmp(result.image, image, strlen(image)) == 0));
        free(result.image);
        free(result.log);
    }
    compile_lookup_end(&lookup);
}

static void damage(const uint8_t *data, size_t size)
{
    uint8_t *entry = fuzz_copy(genuine, genuine_size);
    for (; size >= 3; data += 3, size -= 3)
        entry[((size_t)data[0] << 8 | data[1]) % genuine_size] ^= data[2];
    scratch_write(path, entry, genuine_size);
    free(entry);
}

static void forge(const uint8_t *data, size_t size)
{
    size_t length = size < HEADER ? HEADER : size;
    uint8_t *entry = calloc(length, 1);
    fuzz_require(entry);
    memcpy(entry, data, size);
    memcpy(entry + KEY_AT, &key, sizeof key);
    uint64_t packed = length - HEADER;
    memcpy(entry + PACKED_AT, &packed, sizeof packed);
    XXH64_hash_t checksum = XXH3_64bits_withSeed(entry + HEADER, packed, XXH3_64bits(entry, CHECKSUM_AT));
    memcpy(entry + CHECKSUM_AT, &checksum, sizeof checksum);
    scratch_write(path, entry, length);
    free(entry);
}

static void append(const uint8_t *data, size_t size)
{
    uint8_t *entry = malloc(other_size + size);
    fuzz_require(entry);
    memcpy(entry, other, other_size);
    memcpy(entry + other_size, data, size);
    scratch_write(path, entry, other_size + size);
    free(entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!cache)
        prepare();
    if (size < 2)
        return 0;
    char kind = (char)*data++;
    size--;
    if (kind == 'd')
        damage(data, size);
    else if (kind == 't')
        scratch_write(path, genuine, data[0] % genuine_size);
    else if (kind == 'o')
        append(data, size);
    else if (kind == 'f')
        forge(data, size);
    else if (kind == 'c')
        cache_put(disk, &key, data, size);
    else
        scratch_write(path, data, size);
    look(kind == 'f' || kind == 'c');
    return 0;
}
