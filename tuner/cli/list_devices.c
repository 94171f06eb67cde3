/* SPDX-License-Identifier: Apache-2.0 */
/* tune list devices: what this machine can tune on. */
#include "tuner/cli/listing.h"

#include "tuner/cli/json_output.h"
#include "tuner/device/device.h"
#include "tuner/error/visible.h"
#include "tuner/workers/confinement.h"
#include "tuner/workers/describe.h"

#include <string.h>

/* What is missing, for a person. */
static void tell_confinement(const struct confinement_offer *offer)
{
    const struct {
        bool missing;
        const char *what;
    } parts[] = {{offer->landlock == 0, "rules for files (Landlock)"},
                 {!offer->filter, "filters of system calls (seccomp)"},
                 {!offer->process_namespace, "process namespaces"}};
    char text[160] = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t used = strlen(text);
        if (parts[i].missing)
            snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", parts[i].what);
    }
    if (text[0])
        visible_printf(stderr, "tune: compilers and kernels are confined only in part: this system allows no %s\n",
                       text);
}

static json_t *confinement_json(const struct confinement_offer *offer)
{
    return json_pack("{s:i, s:b, s:b}", "landlock", offer->landlock, "filter", (int)offer->filter,
                     "process_namespace", (int)offer->process_namespace);
}

static bool add_device(const struct device_driver *driver, int ordinal, const struct confinement_offer *offer,
                       json_t **rows, struct error *error)
{
    struct device_description description;
    if (!describe_device(driver->kind, ordinal, &description, error))
        return false;
    char label[32];
    snprintf(label, sizeof label, "%s:%d", driver->kind, ordinal);
    json_t *row = device_description_json(&description);
    json_put(&row, "device", json_string(label));
    json_put(&row, "confinement", confinement_json(offer));
    json_append(rows, row);
    return true;
}

static bool add_kind(const struct device_driver *driver, const struct confinement_offer *offer, json_t **rows,
                     struct error *error)
{
    struct error why = {0};
    int count = 0;
    if (!count_devices(driver->kind, &count, &why) || count == 0)
        visible_printf(stderr, "tune: no %s: %s\n", driver->title, why.text[0] ? why.text : "none found");
    for (int i = 0; i < count; i++) {
        if (!add_device(driver, i, offer, rows, error))
            return false;
    }
    return true;
}

json_t *list_devices(const struct options *options, struct error *error)
{
    (void)options;
    const struct confinement_offer offer = confinement_offered();
    json_t *rows = json_array();
    tell_confinement(&offer);
    for (size_t i = 0; i < device_driver_count; i++) {
        if (!add_kind(device_drivers[i], &offer, &rows, error)) {
            json_decref(rows);
            return NULL;
        }
    }
    if (!rows)
        error_out_of_memory(error);
    return rows;
}
