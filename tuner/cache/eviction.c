/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/eviction.h"

#include "tuner/cache/region_lock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, DAY = 24 * 3600, ABANDONED_SECONDS = 3600 };

/* Seconds to wait for the sum, which is locked for microseconds, or for as long as its holder is kept from a core. */
static const double patience = 1.0;
static const uint64_t magic = 0x31656e7574u;

struct state {
    uint64_t magic;
    uint64_t total;  /* bytes */
    int64_t counted; /* time of the last count of the folder */
};

struct entry {
    char name[ENTRY_NAME + 1];
    struct timespec used;
    uint64_t bytes;
};

struct entries {
    struct entry *entries;
    size_t count, capacity;
    uint64_t total;
};

uint64_t eviction_size(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static bool read_state(int file, struct state *state)
{
    return pread(file, state, sizeof *state, 0) == (ssize_t)sizeof *state && state->magic == magic;
}

static bool is_due(const struct state *state, uint64_t bound)
{
    time_t now = time(NULL);
    return state->total > bound || state->counted > now || state->counted < now - DAY;
}

/* ---- the folder */

static bool is_entry(const char *name)
{
    return strspn(name, "0123456789abcdef") == ENTRY_NAME && name[ENTRY_NAME] == '\0';
}

static bool note(struct entries *list, const char *name, const struct stat *status)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 1024;
        struct entry *longer = realloc(list->entries, capacity * sizeof *longer);
        if (!longer)
            return false;
        list->entries = longer;
        list->capacity = capacity;
    }
    struct entry *entry = &list->entries[list->count++];
    memcpy(entry->name, name, sizeof entry->name);
    entry->used = status->st_mtim;
    entry->bytes = eviction_size((uint64_t)status->st_size);
    list->total += entry->bytes;
    return true;
}

/* List all entries, and remove abandoned temporary files. */
static bool list_entries(int folder, struct entries *list)
{
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = own < 0 ? NULL : fdopendir(own);
    if (!directory) {
        if (own >= 0)
            close(own);
        return false;
    }
    bool done = true;
    for (struct dirent *found; done && (found = readdir(directory));) {
        struct stat status;
        bool temporary = strncmp(found->d_name, TEMPORARY_PREFIX, strlen(TEMPORARY_PREFIX)) == 0;
        if ((!temporary && !is_entry(found->d_name)) ||
            fstatat(folder, found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!temporary)
            done = note(list, found->d_name, &status);
        else if (status.st_mtim.tv_sec < time(NULL) - ABANDONED_SECONDS)
            (void)unlinkat(folder, found->d_name, 0);
    }
    closedir(directory);
    return done;
}

static int by_use(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void remove_oldest(int folder, struct entries *list, uint64_t bound)
{
    if (list->total <= bound)
        return;
    qsort(list->entries, list->count, sizeof *list->entries, by_use);
    for (size_t i = 0; i < list->count && list->total > bound / 10 * 9; i++) {
        if (unlinkat(folder, list->entries[i].name, 0) == 0)
            list->total -= list->entries[i].bytes;
    }
}

/* Count the folder again, plus whatever other processes add to the sum in the meantime. */
static void evict(int folder, int file, uint64_t bound)
{
    struct entries list = {0};
    struct state before = {0}, now;
    if (!read_state(file, &before))
        before.total = 0;
    if (list_entries(folder, &list)) {
        remove_oldest(folder, &list, bound);
        if (region_lock(file, REGION_TOTAL, patience)) {
            uint64_t added = read_state(file, &now) && now.total > before.total ? now.total - before.total : 0;
            now = (struct state){.magic = magic, .total = list.total + added, .counted = time(NULL)};
            (void)!pwrite(file, &now, sizeof now, 0);
            region_unlock(file, REGION_TOTAL);
        }
    }
    free(list.entries);
}

void eviction_count(int folder, int state, uint64_t bytes, uint64_t bound)
{
    struct state now;
    if (!region_lock(state, REGION_TOTAL, patience))
        return;
    bool known = read_state(state, &now);
    if (known) {
        now.total += eviction_size(bytes);
        (void)!pwrite(state, &now, sizeof now, 0);
    }
    region_unlock(state, REGION_TOTAL);
    if ((known && !is_due(&now, bound)) || !region_lock(state, REGION_EVICTION, 0))
        return;
    evict(folder, state, bound);
    region_unlock(state, REGION_EVICTION);
}
