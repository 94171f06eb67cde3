/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT(element, name, c_name, bytes, ...)                                                                    \
    [element] = {name, c_name, bytes, bytes, 1, &(const struct leaf){element, 0, ""}},

const struct layout scalar_layouts[ELEMENT_COUNT] = {ELEMENTS(LAYOUT)};

struct leaf_run layout_run(const struct layout *layout, size_t first, size_t end)
{
    const struct leaf *leaves = layout->leaves;
    size_t bytes = element_types[leaves[first].element].bytes, next = first + 1;
    while (next < end && leaves[next].element == leaves[first].element &&
           leaves[next].offset == leaves[first].offset + (next - first) * bytes)
        next++;
    return (struct leaf_run){leaves[first].element, leaves[first].offset, first, next - first};
}

bool layout_is_array(const struct layout *layout)
{
    struct leaf_run run = layout_run(layout, 0, layout->leaf_count);
    return run.offset == 0 && run.count * element_types[run.element].bytes == layout->bytes;
}

bool layout_has_floats(const struct layout *layout, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (element_types[layout->leaves[i].element].floating)
            return true;
    }
    return false;
}

bool layout_equal(const struct layout *a, const struct layout *b)
{
    if (a == b)
        return true;
    bool equal = strcmp(a->name, b->name) == 0 && a->bytes == b->bytes && a->alignment == b->alignment &&
                 a->leaf_count == b->leaf_count;
    for (size_t i = 0; i < a->leaf_count && equal; i++)
        equal = a->leaves[i].element == b->leaves[i].element && a->leaves[i].offset == b->leaves[i].offset;
    return equal;
}

void layout_number_text(const struct layout *layout, const char *name, uint64_t number, char *text, size_t size)
{
    snprintf(text, size, "%s[%" PRIu64 "]%s", name, number / layout->leaf_count,
             layout->leaves[number % layout->leaf_count].path);
}

/* Append a string to those of a copy. */
static const char *put(char **at, const char *string)
{
    char *start = *at;
    size_t size = strlen(string) + 1;
    memcpy(start, string, size);
    *at += size;
    return start;
}

struct layout *layout_copy(const struct layout *layout)
{
    size_t head = sizeof *layout + layout->leaf_count * sizeof *layout->leaves;
    size_t strings = strlen(layout->name) + strlen(layout->c_name) + 2;
    for (size_t i = 0; i < layout->leaf_count; i++)
        strings += strlen(layout->leaves[i].path) + 1;
    struct layout *copy = malloc(head + strings);
    if (!copy)
        return NULL;
    struct leaf *leaves = (struct leaf *)(copy + 1);
    char *at = (char *)copy + head;
    *copy = *layout;
    copy->leaves = leaves;
    copy->name = put(&at, layout->name);
    copy->c_name = put(&at, layout->c_name);
    for (size_t i = 0; i < layout->leaf_count; i++) {
        leaves[i] = layout->leaves[i];
        leaves[i].path = put(&at, layout->leaves[i].path);
    }
    return copy;
}

bool layout_is_sound(const struct layout *layout)
{
    bool sound = layout->bytes > 0 && layout->bytes <= LAYOUT_BYTES_LIMIT && layout->alignment > 0 &&
                 layout->alignment <= ALIGNMENT_LIMIT && (layout->alignment & (layout->alignment - 1)) == 0 &&
                 layout->bytes % layout->alignment == 0 && layout->leaf_count > 0 &&
                 layout->leaf_count <= LEAVES_LIMIT;
    for (size_t i = 0; i < layout->leaf_count && sound; i++) {
        size_t bytes = element_types[layout->leaves[i].element].bytes;
        sound = layout->leaves[i].offset % bytes == 0 && layout->leaves[i].offset + bytes <= layout->bytes &&
                bytes <= layout->alignment;
    }
    return sound;
}
