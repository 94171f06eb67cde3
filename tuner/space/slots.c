/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/slots.h"

#include <stdlib.h>
#include <string.h>

static void set_field(const struct scope *scope, const char *field, struct value value, struct value *slots)
{
    static const char prefix[] = "device.";
    char name[64];
    size_t slot, length = strlen(field);
    if (sizeof prefix + length > sizeof name)
        return;
    memcpy(name, prefix, sizeof prefix - 1);
    memcpy(name + sizeof prefix - 1, field, length + 1);
    if (scope_find(scope, name, &slot))
        slots[slot] = value;
}

void slots_set_device(const struct scope *scope, const struct device_description *device, struct value *slots)
{
    set_field(scope, "kind", value_string(device->kind), slots);
    set_field(scope, "name", value_string(device->name), slots);
    set_field(scope, "architecture", value_string(device->architecture), slots);
    for (size_t i = 0; i < device_field_count; i++) {
        int64_t integer;
        memcpy(&integer, (const char *)device + device_fields[i].offset, sizeof integer);
        set_field(scope, device_fields[i].name, value_integer(integer), slots);
    }
}

size_t slots_let_count(const struct template *template, const struct space *space)
{
    return template->let_count + (space ? space->let_count : 0);
}

const struct let_declaration *slots_let(const struct template *template, const struct space *space, size_t index)
{
    bool of_template = index < template->let_count || !space;
    return of_template ? &template->lets[index] : &space->lets[index - template->let_count];
}

void slots_set_let(const struct let_declaration *let, struct value *slots)
{
    struct value value;
    slots[let->slot] = (struct value){.kind = VALUE_UNSET};
    if (expr_evaluate(let->value, slots, &value, NULL))
        slots[let->slot] = value;
}

void slots_set_lets(const struct template *template, const struct space *space, struct value *slots)
{
    size_t count = slots_let_count(template, space);
    for (size_t i = 0; i < count; i++)
        slots_set_let(slots_let(template, space, i), slots);
}

/* A let reads only earlier lets: from the last to the first each is seen after all that read it. */
void slots_mark(const struct template *template, const struct space *space, const struct expr *expr, bool *marked)
{
    expr_mark(expr, marked);
    for (size_t i = slots_let_count(template, space); i-- > 0;) {
        const struct let_declaration *let = slots_let(template, space, i);
        if (marked[let->slot])
            expr_mark(let->value, marked);
    }
}

bool slots_read_parameters(const struct template *template, const struct expr *expr, bool *reads, struct error *error)
{
    bool *marked = calloc(scope_count(template->scope) + 1, sizeof *marked);
    if (!marked)
        return error_out_of_memory(error);
    slots_mark(template, NULL, expr, marked);
    *reads = false;
    for (size_t i = 0; i < template->parameter_count; i++)
        *reads = *reads || marked[template->parameters[i].slot];
    for (size_t i = 0; i < template->count_count; i++)
        *reads = *reads || marked[template->counts[i].slot];
    free(marked);
    return true;
}

bool slots_blame(const struct template *template, const struct space *space, const struct expr *expr,
                 const struct value *slots, struct error *error)
{
    const struct expr *culprit = expr;
    for (size_t i = slots_let_count(template, space); i-- > 0;) {
        const struct let_declaration *let = slots_let(template, space, i);
        struct value ignored;
        if (slots[let->slot].kind == VALUE_UNSET && expr_uses(culprit, let->slot) &&
            !expr_evaluate(let->value, slots, &ignored, error))
            culprit = let->value;
    }
    return false;
}
