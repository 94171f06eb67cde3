/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/fitting.h"

#include "tuner/space/configuration.h"
#include "tuner/space/slots.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct fitting {
    const struct template *template;
    struct value *base;  /* of the template's scope: the device and the sizes */
    struct value *slots; /* of a space's scope, which begins with the template's */
    size_t capacity;     /* of `slots` */
};

bool fitting_create(const struct template *template, const struct device_description *device,
                    const struct size_setting *sizes, struct fitting **result, struct error *error)
{
    struct fitting *fitting = calloc(1, sizeof *fitting);
    *result = fitting;
    if (!fitting)
        return error_out_of_memory(error);
    fitting->template = template;
    fitting->base = calloc(scope_count(template->scope) + 1, sizeof *fitting->base);
    if (!fitting->base) {
        fitting_free(fitting);
        *result = NULL;
        return error_out_of_memory(error);
    }
    slots_set_device(template->scope, device, fitting->base);
    for (size_t i = 0; i < template->size_count; i++)
        fitting->base[template->sizes[i].slot] = value_integer(sizes[i].value);
    return true;
}

void fitting_free(struct fitting *fitting)
{
    if (!fitting)
        return;
    free(fitting->base);
    free(fitting->slots);
    free(fitting);
}

/* The slots become those of the space's scope, with the device and the sizes. */
static bool begin(struct fitting *fitting, const struct space *space, struct error *error)
{
    size_t own = scope_count(fitting->template->scope), count = scope_count(space->scope);
    if (count > fitting->capacity || !fitting->slots) {
        struct value *slots = realloc(fitting->slots, (count + 1) * sizeof *slots);
        if (!slots)
            return error_out_of_memory(error);
        fitting->slots = slots;
        fitting->capacity = count;
    }
    memset(fitting->slots, 0, (count + 1) * sizeof *fitting->slots);
    memcpy(fitting->slots, fitting->base, own * sizeof *fitting->slots);
    return true;
}

/* What the value of a parameter has to be. False: nothing says so; then it must be the only one. */
typedef bool wanted_value(const struct fitting *fitting, size_t slot, const void *wanted, struct value *value);

/* FOUND_OPEN: nothing says which of several values is meant. */
enum found { FOUND, FOUND_NOT, FOUND_OPEN, FOUND_FAILURE };

static enum found found_if(bool holds)
{
    return holds ? FOUND : FOUND_NOT;
}

static enum found choose_settings(struct fitting *fitting, const struct space *space, wanted_value *want,
                                  const void *wanted)
{
    for (size_t i = 0; i < space->setting_count; i++) {
        const struct space_setting *setting = &space->settings[i];
        struct value value, other;
        if (!expr_evaluate(setting->value, fitting->slots, &value, NULL) ||
            (want(fitting, setting->slot, wanted, &other) && !value_equal(value, other)))
            return FOUND_NOT;
        fitting->slots[setting->slot] = value;
    }
    return FOUND;
}

static enum found choose_parameter(struct fitting *fitting, const struct space_parameter *parameter,
                                   wanted_value *want, const void *wanted, struct error *error)
{
    struct value *values = NULL, value;
    struct error own = {0};
    size_t count = 0, at = 0;
    if (!expr_list(parameter->values, fitting->slots, &values, &count, &own)) {
        if (own.code != ERROR_OUT_OF_MEMORY)
            return FOUND_NOT;
        error_out_of_memory(error);
        return FOUND_FAILURE;
    }
    enum found found = FOUND;
    if (want(fitting, parameter->slot, wanted, &value)) {
        while (at < count && !value_equal(values[at], value))
            at++;
        found = found_if(at < count);
    } else if (count != 1) {
        found = count ? FOUND_OPEN : FOUND_NOT;
    }
    if (found == FOUND)
        fitting->slots[parameter->slot] = values[at];
    free(values);
    return found;
}

static bool is_set(const struct space *space, size_t slot)
{
    for (size_t i = 0; i < space->setting_count; i++) {
        if (space->settings[i].slot == slot)
            return true;
    }
    return false;
}

static enum found judge(struct fitting *fitting, const struct space *space)
{
    slots_set_lets(fitting->template, space, fitting->slots);
    for (size_t i = 0; i < space->constraint_count; i++) {
        bool truth;
        if (!expr_truth(space->constraints[i].condition, fitting->slots, &truth, NULL) || !truth)
            return FOUND_NOT;
    }
    return FOUND;
}

/* Give every parameter of a space, which is no union, its value, and look whether that is valid. */
static enum found choose(struct fitting *fitting, const struct space *space, wanted_value *want, const void *wanted,
                         struct error *error)
{
    if (!begin(fitting, space, error))
        return FOUND_FAILURE;
    enum found found = choose_settings(fitting, space, want, wanted);
    for (size_t i = 0; i < space->parameter_count && found == FOUND; i++) {
        if (!is_set(space, space->parameters[i].slot))
            found = choose_parameter(fitting, &space->parameters[i], want, wanted, error);
    }
    return found == FOUND ? judge(fitting, space) : found;
}

/* ---- of a configuration */

static bool want_configured(const struct fitting *fitting, size_t slot, const void *wanted, struct value *value)
{
    const json_t *member = json_object_get(wanted, scope_name(fitting->template->scope, slot));
    *value = member ? configuration_value(member) : (struct value){.kind = VALUE_UNSET};
    return true; /* one that is missing equals none */
}

static size_t parameter_count(const struct space *space)
{
    size_t count = space->setting_count;
    for (size_t i = 0; i < space->parameter_count; i++)
        count += !is_set(space, space->parameters[i].slot);
    return count;
}

static enum found find(struct fitting *fitting, const struct space *space, const json_t *configuration,
                       struct error *error)
{
    enum found found = FOUND_NOT;
    for (size_t i = 0; i < space->member_count && found == FOUND_NOT; i++)
        found = find(fitting, space->members[i], configuration, error);
    if (space->member_count > 0 || json_object_size(configuration) != parameter_count(space))
        return found;
    return choose(fitting, space, want_configured, configuration, error);
}

bool fitting_has(struct fitting *fitting, const struct space *space, const struct json_t *configuration, bool *has,
                 struct error *error)
{
    enum found found = find(fitting, space, configuration, error);
    *has = found == FOUND;
    return found != FOUND_FAILURE;
}

/* ---- of the defaults */

static bool want_default(const struct fitting *fitting, size_t slot, const void *wanted, struct value *value)
{
    const struct space *space = wanted;
    for (size_t i = 0; i < space->default_count; i++) {
        if (space->defaults[i].slot != slot)
            continue;
        if (!expr_evaluate(space->defaults[i].value, fitting->slots, value, NULL))
            value->kind = VALUE_UNSET;
        return true;
    }
    return false;
}

static enum found find_default(struct fitting *fitting, const struct space *space, struct error *error)
{
    enum found found = FOUND_NOT;
    for (size_t i = 0; i < space->member_count && found == FOUND_NOT; i++)
        found = find_default(fitting, space->members[i], error);
    if (space->member_count > 0 || space->default_count == 0)
        return found;
    return choose(fitting, space, want_default, space, error);
}

bool fitting_default(struct fitting *fitting, const struct space *space, char **text, struct error *error)
{
    enum found found = find_default(fitting, space, error);
    *text = NULL;
    if (found != FOUND)
        return found != FOUND_FAILURE;
    *text = configuration_text_of(fitting->template, fitting->slots);
    return *text || error_out_of_memory(error);
}
