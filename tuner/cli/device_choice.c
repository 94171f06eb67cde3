/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/device_choice.h"
#include "tuner/workers/describe.h"

#include "tuner/device/device.h"
#include "tuner/engine/sweep.h"

#include <stdlib.h>
#include <string.h>

static bool describe(const char *kind, int ordinal, struct device_choice *choice, struct error *error)
{
    choice->ordinals[0] = ordinal;
    choice->ordinal_count = 1;
    return describe_device(kind, ordinal, &choice->description, error);
}

/* Describing tells that a device is there as well as counting does, and a process that starts a driver takes its
 * time: they are counted only where it fails. */
static bool choose_default(bool quiet, struct device_choice *choice, struct error *error)
{
    int count = 0;
    struct error why = {0}, reason = {0};
    if (describe("cuda", 0, choice, &reason))
        return true;
    if (count_devices("cuda", &count, &why) && count > 0) {
        if (error)
            *error = reason;
        return false;
    }
    if (!quiet)
        fprintf(stderr, "tune: no CUDA GPU: %s; using the CPU device\n", why.text[0] ? why.text : "none found");
    return describe("cpu", 0, choice, error);
}

static bool unknown_device(const char *text, struct error *error)
{
    error_set(error, ERROR_INPUT, "--device: '%s' is no device", text);
    return error_hint(error, "cuda, cuda:N, cpu or the path of a recorded description; see 'tune list devices'");
}

static bool is_several(const char *text)
{
    return text && (strcmp(text, "all") == 0 || strchr(text, ','));
}

static bool no_such_device(const char *kind, long ordinal, int count, const char *why, struct error *error)
{
    error_set(error, ERROR_INPUT, "--device: there is no %s:%ld: this machine has %d %s device%s", kind, ordinal,
              count, kind, count == 1 ? "" : "s");
    return error_hint(error, "%s", why[0] ? why : "see 'tune list devices'");
}

bool device_choose(const char *text, bool quiet, struct device_choice *choice, struct error *error)
{
    *choice = (struct device_choice){0};
    if (!text)
        return choose_default(quiet, choice, error);
    if (is_several(text)) {
        error_set(error, ERROR_INPUT, "--device: '%s' may be several devices, and this command works on one", text);
        return error_hint(error, "cuda, cuda:N or cpu; only sweeps take several");
    }

    size_t length = strlen(text);
    if (length > 5 && strcmp(text + length - 5, ".json") == 0) {
        choice->recorded = true;
        return device_description_read(text, &choice->description, error);
    }

    char kind[16];
    size_t kind_length = strcspn(text, ":");
    if (kind_length == 0 || kind_length >= sizeof kind)
        return unknown_device(text, error);
    memcpy(kind, text, kind_length);
    kind[kind_length] = '\0';
    if (!device_driver_find(kind))
        return unknown_device(text, error);

    long ordinal = 0;
    if (text[kind_length]) {
        char *end;
        ordinal = strtol(text + kind_length + 1, &end, 10);
        if (end == text + kind_length + 1 || *end || ordinal < 0 || ordinal > 1000)
            return unknown_device(text, error);
    }
    int count = 0;
    struct error why = {0}, reason = {0};
    if (describe(kind, (int)ordinal, choice, &reason))
        return true;
    if (!count_devices(kind, &count, &why))
        return error_set(error, ERROR_WORK, "%s", why.text);
    if (ordinal >= count)
        return no_such_device(kind, ordinal, count, why.text, error);
    if (error)
        *error = reason;
    return false;
}

/* ---- several */

/* The GPUs that a text asks for, in its order. */
struct selection {
    const struct found_device *devices[DEVICES_MOST];
    size_t count;
};

static bool select_device(struct selection *selection, const struct found_device *device, struct error *error)
{
    if (selection->count == DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "--device: more than %d devices", DEVICES_MOST);
    selection->devices[selection->count++] = device;
    return true;
}

static bool select_all(const struct found_device *found, size_t count, struct selection *selection,
                       struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!found[i].works)
            fprintf(stderr, "tune: cuda:%d is left out: %s\n", found[i].ordinal, found[i].why.text);
        else if (!select_device(selection, &found[i], error))
            return false;
    }
    return true;
}

static bool select_item(const char *item, const struct found_device *found, size_t count, struct selection *selection,
                        struct error *error)
{
    char *end = NULL;
    long ordinal = strncmp(item, "cuda:", 5) == 0 ? strtol(item + 5, &end, 10) : -1;
    if (!end || end == item + 5 || *end || ordinal < 0) {
        error_set(error, ERROR_INPUT, "--device: '%s' cannot stand in a list of devices", item);
        return error_hint(error, "GPUs as in --device cuda:0,cuda:1, or --device all");
    }
    if ((size_t)ordinal >= count)
        return no_such_device("cuda", ordinal, (int)count, "", error);
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->devices[i] == &found[ordinal])
            return error_set(error, ERROR_INPUT, "--device: %s is there twice", item);
    }
    if (!found[ordinal].works)
        return error_set(error, ERROR_WORK, "--device: %s: %s", item, found[ordinal].why.text);
    return select_device(selection, &found[ordinal], error);
}

static bool select_list(const char *text, const struct found_device *found, size_t count, struct selection *selection,
                        struct error *error)
{
    char *copy = strdup(text), *rest = copy;
    bool done = copy != NULL || error_out_of_memory(error);
    for (char *item; done && (item = strsep(&rest, ","));)
        done = select_item(item, found, count, selection, error);
    free(copy);
    return done;
}

/* `choices` has room for each to be on its own. */
static size_t group(const struct selection *selection, struct device_choice *choices)
{
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct found_device *device = selection->devices[i];
        size_t at = 0;
        while (at < count && !device_description_alike(&choices[at].description, &device->description))
            at++;
        if (at == count)
            choices[count++].description = device->description;
        choices[at].ordinals[choices[at].ordinal_count++] = device->ordinal;
    }
    return count;
}

static void say_several(const struct device_choice *choices, size_t count)
{
    fprintf(stderr, "tune: ");
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "%s%s (", i ? ", then " : "on ", choices[i].description.name);
        for (size_t j = 0; j < choices[i].ordinal_count; j++)
            fprintf(stderr, "%s%s:%d", j ? ", " : "", choices[i].description.kind, choices[i].ordinals[j]);
        fprintf(stderr, ")");
    }
    fprintf(stderr, "\n");
}

static bool choose_gpus(const char *text, const struct found_device *found, size_t found_count,
                        struct device_choice *choices, size_t *count, struct error *error)
{
    struct selection selection = {.count = 0};
    bool all = strcmp(text, "all") == 0;
    if (!(all ? select_all(found, found_count, &selection, error)
              : select_list(text, found, found_count, &selection, error)))
        return false;
    *count = group(&selection, choices);
    return true;
}

bool device_choose_several(const char *text, bool quiet, struct device_choice **choices, size_t *count,
                           struct error *error)
{
    struct found_device *found = NULL;
    size_t found_count = 0;
    *count = 0;
    *choices = calloc(DEVICES_MOST, sizeof **choices);
    if (!*choices)
        return error_out_of_memory(error);
    bool done = !is_several(text) || (describe_devices("cuda", &found, &found_count, error) &&
                                      choose_gpus(text, found, found_count, *choices, count, error));
    free(found);
    if (done && *count == 0) { /* one is meant, or none of all works */
        *count = 1;
        done = device_choose(is_several(text) ? NULL : text, quiet, *choices, error);
    } else if (done && !quiet) {
        say_several(*choices, *count);
    }
    if (done)
        return true;
    free(*choices);
    *choices = NULL;
    return false;
}
