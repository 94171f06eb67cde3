/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/device_list.h"

#include "tuner/error/visible.h"
#include "tuner/workers/describe.h"

#include <stdlib.h>
#include <string.h>

/* The devices that are asked for, in the order of the text. */
struct selection {
    struct found_device devices[DEVICES_MOST];
    size_t count;
};

bool device_list_is(const char *text)
{
    return text && (strcmp(text, "all") == 0 || strchr(text, ','));
}

bool device_list_names(const char *text)
{
    const struct device_driver *driver;
    int ordinal;
    if (!text || strcmp(text, "all") == 0)
        return true;
    for (const char *item = text;; item++) {
        char name[32];
        size_t length = strcspn(item, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, item);
        if (length >= sizeof name || !device_name_parse(name, &driver, &ordinal))
            return false;
        item += length;
        if (!*item)
            return true;
    }
}

static bool add_device(struct selection *selection, const struct found_device *device, struct error *error)
{
    if (selection->count == DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "--device: more than %d devices", DEVICES_MOST);
    selection->devices[selection->count++] = *device;
    return true;
}

/* ---- all ---- */

static bool select_kind(const struct device_driver *driver, struct selection *selection, struct error *error)
{
    struct found_device *found = NULL;
    size_t count = 0;
    bool done = describe_devices(driver->kind, &found, &count, error);
    for (size_t i = 0; done && i < count; i++) {
        if (!found[i].works)
            visible_printf(stderr, "tune: skipping %s:%d: %s\n", driver->kind, found[i].ordinal, found[i].why.text);
        else
            done = add_device(selection, &found[i], error);
    }
    free(found);
    return done;
}

static bool select_all(struct selection *selection, struct error *error)
{
    for (size_t i = 0; i < device_driver_count; i++) {
        if (device_drivers[i]->accelerator && !select_kind(device_drivers[i], selection, error))
            return false;
    }
    return true;
}

/* ---- a list ---- */

static bool is_selected(const struct selection *selection, const struct device_driver *driver, int ordinal)
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct found_device *device = &selection->devices[i];
        if (device->ordinal == ordinal && strcmp(device->description.kind, driver->kind) == 0)
            return true;
    }
    return false;
}

/* The devices of the kind that was asked for last: each kind is described once. */
struct found_list {
    const struct device_driver *driver;
    struct found_device *devices;
    size_t count;
};

static bool find_kind(const struct device_driver *driver, struct found_list *found, struct error *error)
{
    if (found->driver == driver)
        return true;
    free(found->devices);
    *found = (struct found_list){.driver = driver};
    return describe_devices(driver->kind, &found->devices, &found->count, error);
}

static bool select_item(const char *item, struct found_list *found, struct selection *selection, struct error *error)
{
    const struct device_driver *driver;
    int ordinal;
    if (!strchr(item, ':') || !device_name_parse(item, &driver, &ordinal) || !driver->accelerator) {
        error_set(error, ERROR_INPUT, "--device: '%s' cannot be in a list of devices", item);
        return error_hint(error, "list GPUs as in --device cuda:0,cuda:1, or use --device all");
    }
    if (is_selected(selection, driver, ordinal))
        return error_set(error, ERROR_INPUT, "--device: %s is listed twice", item);
    if (!find_kind(driver, found, error))
        return false;
    if ((size_t)ordinal >= found->count)
        return device_missing(driver, ordinal, (int)found->count, "", error);
    const struct found_device *device = &found->devices[ordinal];
    if (!device->works)
        return error_set(error, ERROR_WORK, "--device: %s: %s", item, device->why.text);
    return add_device(selection, device, error);
}

static bool select_list(const char *text, struct selection *selection, struct error *error)
{
    struct found_list found = {0};
    char *copy = strdup(text), *rest = copy;
    bool done = copy || error_out_of_memory(error);
    for (char *item; done && (item = strsep(&rest, ","));)
        done = select_item(item, &found, selection, error);
    free(found.devices);
    free(copy);
    return done;
}

/* ---- choices ---- */

/* `choices` has room for each to be on its own. */
static size_t group(const struct selection *selection, struct device_choice *choices)
{
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct found_device *device = &selection->devices[i];
        size_t at = 0;
        while (at < count && !device_description_alike(&choices[at].description, &device->description))
            at++;
        if (at == count)
            choices[count++].description = device->description;
        struct device_choice *choice = &choices[at];
        snprintf(choice->uuids[choice->ordinal_count], sizeof choice->uuids[0], "%s", device->description.uuid);
        choice->ordinals[choice->ordinal_count++] = device->ordinal;
    }
    return count;
}

static void announce(const struct device_choice *choices, size_t count)
{
    fputs("tune: ", stderr);
    for (size_t i = 0; i < count; i++) {
        visible_printf(stderr, "%s%s (", i ? ", then " : "on ", choices[i].description.name);
        for (size_t j = 0; j < choices[i].ordinal_count; j++)
            visible_printf(stderr, "%s%s:%d", j ? ", " : "", choices[i].description.kind, choices[i].ordinals[j]);
        fputc(')', stderr);
    }
    fputc('\n', stderr);
}

static bool choose_listed(const char *text, struct device_choice *choices, size_t *count, struct error *error)
{
    struct selection *selection = calloc(1, sizeof *selection);
    if (!selection)
        return error_out_of_memory(error);
    bool done = strcmp(text, "all") == 0 ? select_all(selection, error) : select_list(text, selection, error);
    if (done)
        *count = group(selection, choices);
    free(selection);
    return done;
}

bool device_choose_several(struct forerunner *forerunner, const char *text, bool quiet,
                           struct device_choice **choices, size_t *count, struct error *error)
{
    bool listed = device_list_is(text);
    *count = 0;
    *choices = calloc(DEVICES_MOST, sizeof **choices);
    if (!*choices)
        return error_out_of_memory(error);
    bool done = !listed || choose_listed(text, *choices, count, error);
    if (done && *count > 0 && !quiet)
        announce(*choices, *count);
    if (done && *count == 0) { /* one is meant, or none of all works */
        *count = 1;
        done = device_choose_with(forerunner, listed ? NULL : text, quiet, *choices, error);
    }
    if (done)
        return true;
    free(*choices);
    *choices = NULL;
    *count = 0;
    return false;
}
