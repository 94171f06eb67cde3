/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/disk.h"

#include "tuner/cache/eviction.h"
#include "tuner/cache/region_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum { VERSION = 1, LEVEL = 1, TOUCH_SECONDS = 3600 };

static const uint64_t default_bound = (uint64_t)2 << 30;
static const uint64_t content_most = (uint64_t)1 << 30;
static const char magic[8] = "tuneimg";

struct entry_header {
    char magic[8];
    uint64_t version;
    struct cache_key key;
    uint64_t bytes;    /* of the content */
    uint64_t packed;   /* bytes that follow the header */
    uint64_t checksum; /* of the header up to here and the bytes that follow it */
};

struct cache {
    int folder;
    int state;  /* eviction.h; -1: the folder is not writable, or only read */
    int claims; /* region_lock.h; -1: it cannot be opened */
    uint64_t bound;
    char path[PATH_MAX - 64]; /* with room for a name */
    char claims_path[PATH_MAX];
};

/* ---- the place */

/* Create the folder and its parents. */
static bool make_folders(const char *path)
{
    char part[PATH_MAX];
    if (strlen(path) >= sizeof part)
        return false;
    for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
        if (slash == path)
            continue;
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES;
}

static bool find_place(char *path, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (base && base[0] == '/') /* "All paths must be absolute. [Others] should be ignored." */
        length = snprintf(path, size, "%s/tune/images", base);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/.cache/tune/images", home);
    return length > 0 && (size_t)length < size;
}

uint64_t cache_bound(void)
{
    const char *text = getenv("TUNE_CACHE_BYTES");
    if (!text || !*text)
        return default_bound;
    char *end;
    errno = 0;
    unsigned long long bound = strtoull(text, &end, 10);
    return errno || *end || *text < '0' || *text > '9' ? 0 : bound;
}

static int open_file(const struct cache *cache, const char *name)
{
    return openat(cache->folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

static struct cache *open_folder(const char *folder)
{
    struct cache *cache = NULL;
    if (strlen(folder) >= sizeof cache->path || !make_folders(folder))
        return NULL;
    cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    strcpy(cache->path, folder);
    snprintf(cache->claims_path, sizeof cache->claims_path, "%s/.claims", folder);
    cache->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cache->folder < 0) {
        free(cache);
        return NULL;
    }
    cache->claims = open_file(cache, ".claims");
    cache->state = -1;
    return cache;
}

/* Whoever may claim may also fill that file. */
static void empty_claims(const struct cache *cache)
{
    struct stat status;
    if (cache->claims >= 0 && fstat(cache->claims, &status) == 0 && status.st_size > 0)
        (void)!ftruncate(cache->claims, 0);
}

struct cache *cache_open(void)
{
    char path[PATH_MAX];
    return find_place(path, sizeof path) ? cache_open_at(path, cache_bound()) : NULL;
}

struct cache *cache_open_at(const char *folder, uint64_t bound)
{
    struct cache *cache = bound ? open_folder(folder) : NULL;
    if (!cache)
        return NULL;
    cache->bound = bound;
    cache->state = open_file(cache, ".state");
    empty_claims(cache);
    return cache;
}

struct cache *cache_open_to_read(void)
{
    char path[PATH_MAX];
    return cache_bound() && find_place(path, sizeof path) ? open_folder(path) : NULL;
}

struct cache *cache_open_to_read_at(const char *folder)
{
    return open_folder(folder);
}

void cache_close(struct cache *cache)
{
    if (!cache)
        return;
    if (cache->state >= 0)
        close(cache->state);
    if (cache->claims >= 0)
        close(cache->claims);
    close(cache->folder);
    free(cache);
}

const char *cache_path(const struct cache *cache)
{
    return cache->path;
}

const char *cache_claims_path(const struct cache *cache)
{
    return cache->claims_path;
}

static void entry_name(const struct cache_key *key, char name[ENTRY_NAME + 1])
{
    snprintf(name, ENTRY_NAME + 1, "%016" PRIx64 "%016" PRIx64, key->name[0], key->name[1]);
}

static uint64_t checksum(const struct entry_header *header, const void *packed)
{
    XXH64_hash_t first = XXH3_64bits(header, offsetof(struct entry_header, checksum));
    return XXH3_64bits_withSeed(packed, header->packed, first);
}

/* ---- reading */

static bool read_all(int file, void *to, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t got = read(file, (char *)to + have, bytes - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

static bool header_fits(const struct entry_header *header, const struct cache_key *key, off_t file_bytes)
{
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->version == VERSION &&
           cache_key_equal(&header->key, key) && header->bytes > 0 && header->bytes <= content_most &&
           header->packed == (uint64_t)file_bytes - sizeof *header;
}

static void *unpack(const struct entry_header *header, const void *packed)
{
    void *content = malloc(header->bytes);
    if (content && ZSTD_decompress(content, header->bytes, packed, header->packed) != header->bytes) {
        free(content);
        return NULL;
    }
    return content;
}

static void *read_entry(int file, const struct cache_key *key, const struct stat *status, size_t *bytes)
{
    struct entry_header header;
    void *packed = NULL, *content = NULL;
    if (status->st_size <= (off_t)sizeof header || !read_all(file, &header, sizeof header) ||
        !header_fits(&header, key, status->st_size))
        return NULL;
    packed = malloc(header.packed);
    if (packed && read_all(file, packed, header.packed) && checksum(&header, packed) == header.checksum)
        content = unpack(&header, packed);
    free(packed);
    *bytes = header.bytes;
    return content;
}

/* Times in the future, from a clock that was ahead, are updated too: those entries would never be evicted. */
static void touch(int file, const struct stat *status)
{
    time_t now = time(NULL);
    if (status->st_mtim.tv_sec < now - TOUCH_SECONDS || status->st_mtim.tv_sec > now)
        (void)futimens(file, NULL);
}

bool cache_get(struct cache *cache, const struct cache_key *key, void **content, size_t *bytes)
{
    char name[ENTRY_NAME + 1];
    struct stat status;
    *content = NULL;
    if (!cache)
        return false;
    entry_name(key, name);
    int file = openat(cache->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    /* Images are programs: trust only files of this user. */
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        *content = read_entry(file, key, &status, bytes);
    if (*content)
        touch(file, &status);
    close(file);
    return *content != NULL;
}

/* ---- writing */

static bool write_all(int file, const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t put = write(file, (const char *)from + done, bytes - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

/* Write under a temporary name, then rename. */
static bool write_entry(const struct cache *cache, const struct cache_key *key, const struct entry_header *header,
                        const void *packed)
{
    char path[PATH_MAX], name[ENTRY_NAME + 1];
    entry_name(key, name);
    snprintf(path, sizeof path, "%s/" TEMPORARY_PREFIX "XXXXXX", cache->path);
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0)
        return false;
    bool written = write_all(file, header, sizeof *header) && write_all(file, packed, header->packed);
    written = close(file) == 0 && written;
    if (written && renameat(AT_FDCWD, path, cache->folder, name) == 0)
        return true;
    (void)unlink(path);
    return false;
}

void cache_put(struct cache *cache, const struct cache_key *key, const void *content, size_t bytes)
{
    if (!cache || cache->state < 0 || bytes == 0 || bytes > content_most)
        return;
    size_t room = ZSTD_compressBound(bytes);
    void *packed = malloc(room);
    if (!packed)
        return;
    size_t size = ZSTD_compress(packed, room, content, bytes, LEVEL);
    if (!ZSTD_isError(size) && eviction_size(sizeof(struct entry_header) + size) <= cache->bound) {
        struct entry_header header;
        memset(&header, 0, sizeof header); /* padding too: it is part of the checksum */
        memcpy(header.magic, magic, sizeof magic);
        header.version = VERSION;
        header.key = *key;
        header.bytes = bytes;
        header.packed = size;
        header.checksum = checksum(&header, packed);
        if (write_entry(cache, key, &header, packed))
            eviction_count(cache->folder, cache->state, sizeof header + size, cache->bound);
    }
    free(packed);
}

/* ---- claims */

static uint64_t key_region(const struct cache_key *key)
{
    uint64_t region = key->name[0] >> 2;
    return region < REGION_KEYS ? REGION_KEYS : region;
}

bool cache_claim(struct cache *cache, const struct cache_key *key, double seconds)
{
    return !cache || cache->claims < 0 || region_lock(cache->claims, key_region(key), seconds);
}

void cache_release(struct cache *cache, const struct cache_key *key)
{
    if (cache && cache->claims >= 0)
        region_unlock(cache->claims, key_region(key));
}
