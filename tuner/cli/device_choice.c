/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/device_choice.h"

#include "tuner/cli/device_list.h"
#include "tuner/error/visible.h"
#include "tuner/workers/describe.h"

#include <stdlib.h>
#include <string.h>

static bool describe(struct forerunner *forerunner, const struct device_driver *driver, int ordinal,
                     struct device_choice *choice, struct error *error)
{
    choice->ordinals[0] = ordinal;
    choice->ordinal_count = 1;
    bool described =
        forerunner_is_on(forerunner, driver->kind, ordinal) && forerunner_describe(forerunner, &choice->description);
    if (!described && !describe_device(driver->kind, ordinal, &choice->description, error))
        return false;
    snprintf(choice->uuids[0], sizeof choice->uuids[0], "%s", choice->description.uuid);
    return true;
}

/* Devices are counted only where describing the first one fails: each takes a process that starts a driver. */
static bool choose_default(struct forerunner *forerunner, bool quiet, struct device_choice *choice,
                           struct error *error)
{
    const struct device_driver *first = device_drivers[0];
    struct error reason = {0}, why_first = {0};
    for (size_t i = 0; i < device_driver_count; i++) {
        const struct device_driver *driver = device_drivers[i];
        struct error why = {0};
        int count = 0;
        if (describe(forerunner, driver, 0, choice, &reason)) {
            if (i > 0 && !quiet)
                visible_printf(stderr, "tune: no %s: %s; using the %s\n", first->title,
                               why_first.text[0] ? why_first.text : "none found", driver->title);
            return true;
        }
        if (count_devices(driver->kind, &count, &why) && count > 0)
            break; /* it is there and does not work: nothing else takes its place unasked */
        if (i == 0)
            why_first = why;
    }
    if (error)
        *error = reason;
    return false;
}

static bool unknown_device(const char *text, struct error *error)
{
    error_set(error, ERROR_INPUT, "--device: unknown device '%s'", text);
    return error_hint(error, "use cuda, cuda:N, cpu or the path of a recorded description; see 'tune list devices'");
}

bool device_missing(const struct device_driver *driver, int ordinal, int count, const char *why, struct error *error)
{
    error_set(error, ERROR_INPUT, "--device: there is no %s:%d: this machine has %d %s%s", driver->kind, ordinal,
              count, driver->title, count == 1 ? "" : "s");
    return error_hint(error, "%s", why[0] ? why : "see 'tune list devices'");
}

static bool is_recorded(const char *text)
{
    static const char suffix[] = ".json";
    size_t length = strlen(text), suffix_length = sizeof suffix - 1;
    return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static bool choose_named(struct forerunner *forerunner, const char *text, struct device_choice *choice,
                         struct error *error)
{
    const struct device_driver *driver;
    int ordinal, count = 0;
    struct error why = {0}, reason = {0};
    if (!device_name_parse(text, &driver, &ordinal))
        return unknown_device(text, error);
    if (describe(forerunner, driver, ordinal, choice, &reason))
        return true;
    if (!count_devices(driver->kind, &count, &why))
        return error_set(error, ERROR_WORK, "%s", why.text);
    if (ordinal >= count)
        return device_missing(driver, ordinal, count, why.text, error);
    if (error)
        *error = reason;
    return false;
}

bool device_choose(const char *text, bool quiet, struct device_choice *choice, struct error *error)
{
    return device_choose_with(NULL, text, quiet, choice, error);
}

bool device_choose_with(struct forerunner *forerunner, const char *text, bool quiet, struct device_choice *choice,
                        struct error *error)
{
    *choice = (struct device_choice){0};
    if (!text)
        return choose_default(forerunner, quiet, choice, error);
    if (device_list_is(text)) {
        error_set(error, ERROR_INPUT, "--device: '%s' may be several devices, and this command works on one", text);
        return error_hint(error, "use cuda, cuda:N or cpu; only sweeps take several");
    }
    if (is_recorded(text)) {
        choice->recorded = true;
        return device_description_read(text, &choice->description, error);
    }
    return choose_named(forerunner, text, choice, error);
}

bool device_can_run(const struct device_choice *choice, struct error *error)
{
    if (!choice->recorded)
        return true;
    error_set(error, ERROR_INPUT, "--device: nothing can run on a recorded description");
    return error_hint(error, "'tune show' and 'tune best' take recorded descriptions");
}
