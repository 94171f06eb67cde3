/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/draft_values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool has_any(const char *name, const char *const *words)
{
    for (; *words; words++) {
        if (strcasestr(name, *words))
            return true;
    }
    return false;
}

enum draft_purpose draft_purpose_of(const char *name)
{
    static const char *const counts[] = {"BLOCKS", "WARPS", NULL};
    static const char *const items[] = {"ITEM", "COARS", "PER_THREAD", "PERTHREAD", "WORK_PER", "ELEMENTS", NULL};
    static const char *const blocks[] = {"BLOCK", "THREADS", "TPB", "BDIM", "WORK_GROUP", "NTHREAD", NULL};
    static const char *const tiles[] = {"TILE", NULL};
    static const char *const switches[] = {"USE_", "USE", "ENABLE", "WITH_", "READ_ONLY", "PADDING", NULL};
    if (has_any(name, counts))
        return DRAFT_OTHER;
    if (has_any(name, items))
        return DRAFT_ITEMS;
    if (has_any(name, blocks) && !strcasestr(name, "PER_BLOCK"))
        return DRAFT_BLOCK;
    if (strcasestr(name, "THREADS"))
        return DRAFT_BLOCK;
    if (has_any(name, tiles))
        return DRAFT_TILE;
    return has_any(name, switches) ? DRAFT_SWITCH : DRAFT_OTHER;
}

enum draft_axis draft_axis_of(const char *name)
{
    size_t length = strlen(name);
    int last = length ? tolower((unsigned char)name[length - 1]) : 0;
    return last == 'x' ? DRAFT_X : last == 'y' ? DRAFT_Y : last == 'z' ? DRAFT_Z : DRAFT_NO_AXIS;
}

static bool is_power(long long value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* Powers of two around a known value. */
static void around(long long value, long long low, long long high, char *text, size_t size)
{
    long long from = value / 4 > low ? value / 4 : low, to = value < high / 4 ? 4 * value : high;
    if (is_power(value) && value >= low && value <= high)
        snprintf(text, size, "pow2(%lld, %lld)", from, to);
    else
        snprintf(text, size, "[%lld]", value);
}

/* A side of a block of several dimensions, or all of a flat one. */
static void block_values(enum draft_axis axis, bool flat, bool known, long long value, char *text, size_t size)
{
    enum { WARP = 32, SIDE = 8, BLOCK_MOST = 1024 };
    int least = flat ? WARP : axis == DRAFT_Y ? 1 : SIDE, most = flat ? BLOCK_MOST : WARP;
    if (known && (value < least || value > most || !is_power(value)))
        around(value, 1, BLOCK_MOST, text, size);
    else if (axis == DRAFT_Z)
        snprintf(text, size, "[1, 2, 4]");
    else
        snprintf(text, size, "pow2(%d, %d)", least, most);
}

static long long first_value(enum draft_purpose purpose, bool is_block, enum draft_axis axis, unsigned dimensions)
{
    enum { BLOCK = 256, PLANE_SIDE = 16, SPACE_SIDE = 8 };
    if (purpose == DRAFT_SWITCH)
        return 0;
    if (!is_block || axis == DRAFT_Z)
        return 1;
    return dimensions == 1 ? BLOCK : dimensions == 2 ? PLANE_SIDE : SPACE_SIDE;
}

void draft_values(enum draft_purpose purpose, enum draft_axis axis, unsigned dimensions, bool known, long long value,
                  char *text, size_t size, long long *first)
{
    enum { ITEMS_MOST = 64, VALUE_MOST = 1 << 20 };
    bool is_block = purpose == DRAFT_BLOCK || (purpose == DRAFT_TILE && axis == DRAFT_NO_AXIS);
    *first = known ? value : first_value(purpose, is_block, axis, dimensions);
    if (purpose == DRAFT_SWITCH && (*first == 0 || *first == 1))
        snprintf(text, size, "[0, 1]");
    else if (is_block)
        block_values(axis, dimensions == 1, known, value, text, size);
    else if (known)
        around(value, 1, purpose == DRAFT_ITEMS ? ITEMS_MOST : VALUE_MOST, text, size);
    else
        snprintf(text, size, "[1, 2, 4]");
}
