/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/measured_name.h"

#include <stdio.h>

enum { NAME_BYTES = 64 };

static size_t name_of(const struct measured_figure *figure, char name[NAME_BYTES])
{
    return (size_t)snprintf(name, NAME_BYTES, MEASURED_PREFIX "%s", figure->name);
}

bool scope_add_measured(struct scope *scope)
{
    for (size_t i = 0; i < measured_figure_count; i++) {
        char name[NAME_BYTES];
        size_t slot, length = name_of(&measured_figures[i], name);
        if (!scope_symbol(scope, name, length) &&
            !scope_add_value(scope, name, length, NAME_MEASURED, NULL, 0, &slot))
            return false;
    }
    return true;
}

void scope_find_measured(const struct scope *scope, size_t *slots)
{
    for (size_t i = 0; i < measured_figure_count; i++) {
        char name[NAME_BYTES];
        name_of(&measured_figures[i], name);
        scope_find(scope, name, &slots[i]);
    }
}

void measured_set(const struct evaluation *evaluation, const size_t *slots, struct value *values)
{
    for (size_t i = 0; i < measured_figure_count; i++) {
        const struct measured_figure *figure = &measured_figures[i];
        double value;
        if (!measured_value(figure, evaluation, &value))
            values[slots[i]] = (struct value){0};
        else
            values[slots[i]] =
                figure->integer && figure->scale == 1 ? value_integer((int64_t)value) : value_float(value);
    }
}
