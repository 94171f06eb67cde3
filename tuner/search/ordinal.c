/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/ordinal.h"

size_t ordinal_positions(const struct search_space *space, size_t dimension)
{
    size_t count = search_space_positions(space, dimension);
    if (count > 0 && search_space_value(space, dimension, count - 1).kind == VALUE_UNSET)
        count--;
    for (size_t i = 0; i < count; i++) {
        enum value_kind kind = search_space_value(space, dimension, i).kind;
        if (kind != VALUE_INTEGER && kind != VALUE_FLOAT)
            return 0;
    }
    return count;
}

double ordinal_value(const struct search_space *space, size_t dimension, size_t position)
{
    struct value value = search_space_value(space, dimension, position);
    return value.kind == VALUE_INTEGER ? (double)value.integer : value.real;
}
