/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/shadow.h"

#include "tuner/device/cpu/kernel_abi.h"

#include <stdlib.h>
#include <string.h>

const char *const region_space_names[] = {
    [SPACE_STATIC_SHARED] = "static shared memory",
    [SPACE_DYNAMIC_SHARED] = "dynamic shared memory",
    [SPACE_GLOBAL] = "global memory",
    [SPACE_MODULE] = "a variable of the module",
};

enum { REGIONS_MOST = 1 << 16, PAGE_BYTES = 1024, WORD = 4, READERS = 3 };

struct cell {
    struct access write, reads[READERS];
    uint32_t published; /* see happens_before_atomic */
};

/* A cell is a word until something smaller is accessed, then a byte. */
struct page {
    size_t granule;
    struct cell cells[];
};

struct region {
    struct shadow_region region;
    unsigned char *undefined; /* one bit per byte; NULL: all defined */
    struct page **pages;
    size_t page_count;
};

struct shadow {
    struct region **regions; /* by address */
    size_t count, capacity;
    size_t last; /* index of the region found last */
};

bool shadow_create(struct shadow **result, struct error *error)
{
    *result = calloc(1, sizeof **result);
    return *result || error_out_of_memory(error);
}

static void region_free(struct region *region)
{
    if (!region)
        return;
    for (size_t i = 0; region->pages && i < region->page_count; i++)
        free(region->pages[i]);
    free(region->pages);
    free(region->undefined);
    free(region);
}

void shadow_free(struct shadow *shadow)
{
    if (!shadow)
        return;
    for (size_t i = 0; i < shadow->count; i++)
        region_free(shadow->regions[i]);
    free(shadow->regions);
    free(shadow);
}

static size_t bitmap_bytes(const struct region *region)
{
    return region->region.bytes / 8 + 1;
}

/* The first region that does not begin below the address. */
static size_t position(const struct shadow *shadow, uintptr_t address)
{
    size_t low = 0, high = shadow->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (shadow->regions[middle]->region.address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert(struct shadow *shadow, struct region *region)
{
    if (shadow->count == shadow->capacity) {
        size_t capacity = shadow->capacity ? 2 * shadow->capacity : 32;
        struct region **regions = realloc(shadow->regions, capacity * sizeof(struct region *));
        if (!regions)
            return false;
        shadow->regions = regions;
        shadow->capacity = capacity;
    }
    size_t at = position(shadow, region->region.address);
    memmove(shadow->regions + at + 1, shadow->regions + at, (shadow->count - at) * sizeof(struct region *));
    shadow->regions[at] = region;
    shadow->count++;
    return true;
}

bool shadow_add(struct shadow *shadow, const struct shadow_region *added, bool defined, struct error *error)
{
    if (added->bytes == 0)
        return true;
    if (shadow->count == REGIONS_MOST)
        return error_set(error, ERROR_SYSTEM, "a kernel with more than %d variables and buffers cannot be checked",
                         REGIONS_MOST);
    struct region *region = calloc(1, sizeof *region);
    if (!region)
        return error_out_of_memory(error);
    region->region = *added;
    region->page_count = (added->bytes - 1) / PAGE_BYTES + 1;
    region->pages = calloc(region->page_count, sizeof *region->pages);
    region->undefined = defined ? NULL : malloc(bitmap_bytes(region));
    if (!region->pages || (!defined && !region->undefined) || !insert(shadow, region)) {
        region_free(region);
        return error_out_of_memory(error);
    }
    if (!defined)
        memset(region->undefined, 0xff, bitmap_bytes(region));
    return true;
}

/* Those of a space; or, if there is one, the region at an address. */
static void drop(struct shadow *shadow, const enum region_space *space, uintptr_t address)
{
    size_t kept = 0;
    for (size_t i = 0; i < shadow->count; i++) {
        const struct shadow_region *region = &shadow->regions[i]->region;
        if (space ? region->space == *space : region->address == address)
            region_free(shadow->regions[i]);
        else
            shadow->regions[kept++] = shadow->regions[i];
    }
    shadow->count = kept;
    shadow->last = 0;
}

void shadow_drop(struct shadow *shadow, enum region_space space)
{
    drop(shadow, &space, 0);
}

void shadow_remove(struct shadow *shadow, uintptr_t address)
{
    drop(shadow, NULL, address);
}

static bool is_shared(const struct region *region)
{
    return region->region.space == SPACE_STATIC_SHARED || region->region.space == SPACE_DYNAMIC_SHARED;
}

void shadow_block(struct shadow *shadow)
{
    for (size_t i = 0; i < shadow->count; i++) {
        struct region *region = shadow->regions[i];
        if (is_shared(region) && region->undefined)
            memset(region->undefined, 0xff, bitmap_bytes(region));
    }
}

static bool holds(const struct region *region, uintptr_t address)
{
    return address - region->region.address < region->region.bytes;
}

static struct region *find(struct shadow *shadow, uintptr_t address)
{
    if (shadow->last < shadow->count && holds(shadow->regions[shadow->last], address))
        return shadow->regions[shadow->last];
    size_t after = position(shadow, address);
    if (after < shadow->count && shadow->regions[after]->region.address == address)
        after++;
    if (after == 0 || !holds(shadow->regions[after - 1], address))
        return NULL;
    shadow->last = after - 1;
    return shadow->regions[after - 1];
}

/* ---- values ---- */

/* Were all bytes of [first, end), offsets in the region, defined? With `change` they are from now on. */
static bool define(struct region *region, size_t first, size_t end, bool change)
{
    bool all = true;
    if (!region->undefined)
        return true;
    for (size_t i = first; i < end; i++) {
        unsigned char bit = (unsigned char)(1u << i % 8);
        all = all && !(region->undefined[i / 8] & bit);
        if (change)
            region->undefined[i / 8] &= (unsigned char)~bit;
    }
    return all;
}

static size_t end_inside(const struct region *region, uintptr_t address, size_t bytes)
{
    size_t first = address - region->region.address, room = region->region.bytes - first;
    return first + (bytes < room ? bytes : room);
}

void shadow_define(struct shadow *shadow, uintptr_t address, size_t bytes)
{
    struct region *region = find(shadow, address);
    if (region)
        define(region, address - region->region.address, end_inside(region, address, bytes), true);
}

/* ---- accesses ---- */

static struct page *page_create(size_t granule)
{
    struct page *page = calloc(1, sizeof *page + PAGE_BYTES / granule * sizeof(struct cell));
    if (page)
        page->granule = granule;
    return page;
}

/* The page of an offset, with cells no larger than `granule`; NULL: out of memory. */
static struct page *page_for(struct region *region, size_t offset, size_t granule)
{
    struct page **place = &region->pages[offset / PAGE_BYTES];
    if (*place && (*place)->granule <= granule)
        return *place;
    struct page *page = page_create(granule);
    if (page && *place) {
        for (size_t i = 0; i < PAGE_BYTES / granule; i++)
            page->cells[i] = (*place)->cells[i * granule / (*place)->granule];
    }
    if (page) {
        free(*place);
        *place = page;
    }
    return page;
}

/* An access and where to report its conflicts. */
struct visit {
    struct happens_before *relation;
    const struct region *region;
    const struct access *now;
    void (*found)(void *context, const struct conflict *conflict);
    void *context;
};

/* Atomic operations do not race with each other, nor, in memory through which blocks communicate, do volatile
 * accesses. */
static bool may_overlap(const struct visit *visit, const struct access *before)
{
    unsigned both = before->kind & visit->now->kind;
    if (both & TUNE_ATOMIC)
        return true;
    bool special =
        (before->kind & (TUNE_ATOMIC | TUNE_VOLATILE)) && (visit->now->kind & (TUNE_ATOMIC | TUNE_VOLATILE));
    return special && !is_shared(visit->region);
}

static void compare(const struct visit *visit, const struct access *before, uintptr_t address)
{
    const struct access *now = visit->now;
    if (!before->kind || (is_shared(visit->region) && before->block < visit->relation->first) ||
        may_overlap(visit, before) ||
        happens_before_holds(visit->relation, before->block, before->thread, before->time, now->thread))
        return;
    visit->found(visit->context, &(struct conflict){&visit->region->region, address, *before, *now});
}

static bool same_thread(const struct access *a, const struct access *b)
{
    return a->block == b->block && a->thread == b->thread;
}

static bool same_warp(const struct access *a, const struct access *b)
{
    return a->block == b->block && a->thread / HAPPENS_BEFORE_LANES == b->thread / HAPPENS_BEFORE_LANES;
}

/* [0] is the last reader, [1] the last other thread of the same warp, [2] the last of another warp. */
static void keep_reader(struct cell *cell, const struct access *now)
{
    struct access *last = &cell->reads[0];
    if (last->kind && !same_thread(last, now)) {
        if (same_warp(last, now)) {
            cell->reads[1] = *last;
        } else {
            cell->reads[2] = *last;
            cell->reads[1].kind = 0;
        }
    }
    *last = *now;
}

static void access_cell(const struct visit *visit, struct cell *cell, uintptr_t address)
{
    const struct access *now = visit->now;
    if (now->kind & (TUNE_ATOMIC | TUNE_VOLATILE))
        happens_before_atomic(visit->relation, now->thread, &cell->published);
    compare(visit, &cell->write, address);
    if (now->kind & TUNE_WRITE) {
        for (size_t i = 0; i < READERS; i++) {
            compare(visit, &cell->reads[i], address);
            cell->reads[i].kind = 0;
        }
        cell->write = *now;
    } else {
        keep_reader(cell, now);
    }
}

static bool access_all(const struct visit *visit, struct region *region, size_t first, size_t end)
{
    size_t granule = (first | end) % WORD ? 1 : WORD;
    for (size_t offset = first; offset < end;) {
        struct page *page = page_for(region, offset, granule);
        if (!page)
            return false;
        access_cell(visit, &page->cells[offset % PAGE_BYTES / page->granule], region->region.address + offset);
        offset += page->granule;
    }
    return true;
}

bool shadow_access(struct shadow *shadow, struct happens_before *relation, uintptr_t address, size_t bytes,
                   const struct access *now, void (*found)(void *context, const struct conflict *conflict),
                   void *context)
{
    struct region *region = find(shadow, address);
    if (!region)
        return true;
    const struct visit visit = {relation, region, now, found, context};
    size_t first = address - region->region.address, end = end_inside(region, address, bytes);
    if ((now->kind & TUNE_READ) && !define(region, first, end, false))
        found(context, &(struct conflict){&region->region, address, {0}, *now});
    if (now->kind & TUNE_WRITE)
        define(region, first, end, true);
    return access_all(&visit, region, first, end);
}
