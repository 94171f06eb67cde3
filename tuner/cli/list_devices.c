/* SPDX-License-Identifier: Apache-2.0 */
/* tune list devices: what this machine can tune on. */
#include "tuner/cli/listing.h"

#include "tuner/cli/json_output.h"
#include "tuner/device/device.h"
#include "tuner/workers/describe.h"

static bool add_device(const struct device_driver *driver, int ordinal, json_t **rows, struct error *error)
{
    struct device_description description;
    if (!describe_device(driver->kind, ordinal, &description, error))
        return false;
    char label[32];
    snprintf(label, sizeof label, "%s:%d", driver->kind, ordinal);
    json_t *row = device_description_json(&description);
    json_put(&row, "device", json_string(label));
    json_append(rows, row);
    return true;
}

static bool add_kind(const struct device_driver *driver, json_t **rows, struct error *error)
{
    struct error why = {0};
    int count = 0;
    if (!count_devices(driver->kind, &count, &why) || count == 0)
        fprintf(stderr, "tune: no %s: %s\n", driver->title, why.text[0] ? why.text : "none found");
    for (int i = 0; i < count; i++) {
        if (!add_device(driver, i, rows, error))
            return false;
    }
    return true;
}

json_t *list_devices(const struct options *options, struct error *error)
{
    (void)options;
    json_t *rows = json_array();
    for (size_t i = 0; i < device_driver_count; i++) {
        if (!add_kind(device_drivers[i], &rows, error)) {
            json_decref(rows);
            return NULL;
        }
    }
    if (!rows)
        error_out_of_memory(error);
    return rows;
}
