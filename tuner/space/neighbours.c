#include "tuner/space/neighbours.h"

size_t neighbours_most(const struct search_space *space, enum neighbourhood kind)
{
    size_t most = 0;
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        size_t others = search_space_positions(space, d) - 1;
        most += kind == NEIGHBOURS_ADJACENT && others > 2 ? 2 : others;
    }
    return most;
}

/* The neighbours in dimension `d`; `point` comes back as it was. */
static size_t along(const struct search_space *space, enum neighbourhood kind, uint16_t *point, size_t d,
                    size_t *neighbours)
{
    size_t count = 0, positions = search_space_positions(space, d);
    uint16_t own = point[d];
    for (int step = -1; step <= 1; step += 2) {
        bool found = false;
        for (size_t at = own; (step < 0 ? at > 0 : at + 1 < positions) && !(found && kind == NEIGHBOURS_ADJACENT);) {
            at = step < 0 ? at - 1 : at + 1;
            point[d] = (uint16_t)at;
            found = search_space_find(space, point, &neighbours[count]);
            count += found;
        }
    }
    point[d] = own;
    return count;
}

size_t neighbours_list(const struct search_space *space, enum neighbourhood kind, size_t index, uint16_t *point,
                       size_t *neighbours)
{
    size_t count = 0;
    search_space_point(space, index, point);
    for (size_t d = 0; d < search_space_dimensions(space); d++)
        count += along(space, kind, point, d, neighbours + count);
    return count;
}
