/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/neighbours.h"

size_t neighbours_most(const struct search_space *space, enum neighbourhood kind)
{
    size_t most = 0, longest = 0;
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        size_t positions = search_space_positions(space, d), others = positions - 1;
        most += kind == NEIGHBOURS_ADJACENT && others > 2 ? 2 : others;
        longest = positions > longest ? positions : longest;
    }
    return most + longest; /* each line is fetched as a whole after the neighbours found so far */
}

/* Keep all configurations of a line but the one at `own`, packed at its start. */
static size_t keep_others(size_t *line, size_t positions, size_t own)
{
    size_t count = 0;
    for (size_t i = 0; i < positions; i++) {
        if (i != own && line[i] != SEARCH_SPACE_NONE)
            line[count++] = line[i];
    }
    return count;
}

/* Keep the nearest configurations of a line below and above `own`. */
static size_t keep_adjacent(size_t *line, size_t positions, size_t own)
{
    size_t count = 0, below = SEARCH_SPACE_NONE, above = SEARCH_SPACE_NONE;
    for (size_t i = own; i-- > 0 && below == SEARCH_SPACE_NONE;)
        below = line[i];
    for (size_t i = own + 1; i < positions && above == SEARCH_SPACE_NONE; i++)
        above = line[i];
    if (below != SEARCH_SPACE_NONE)
        line[count++] = below;
    if (above != SEARCH_SPACE_NONE)
        line[count++] = above;
    return count;
}

size_t neighbours_list(const struct search_space *space, enum neighbourhood kind, size_t index, uint16_t *point,
                       size_t *neighbours)
{
    size_t count = 0;
    search_space_point(space, index, point);
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        size_t positions = search_space_positions(space, d), *line = neighbours + count;
        search_space_line(space, point, d, line);
        count += kind == NEIGHBOURS_HAMMING ? keep_others(line, positions, point[d])
                                            : keep_adjacent(line, positions, point[d]);
    }
    return count;
}
