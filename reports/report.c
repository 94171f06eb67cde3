/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/report.h"

#include "reports/page.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char report_device[], report_device_script[], report_device_policy[], report_index[],
    report_index_script[], report_index_policy[], report_style[], report_charts[];

/* "" where a damaged database has none. */
static const char *name_of(const json_t *device)
{
    const char *name = json_string_value(json_object_get(device, "name"));
    return name ? name : "";
}

/* "device-3-nvidia-h100-80gb-hbm3.html" */
static void page_name(json_int_t id, const char *device, char *name, size_t size)
{
    char slug[64];
    size_t length = 0;
    for (; *device && length + 1 < sizeof slug; device++) {
        if (isalnum((unsigned char)*device))
            slug[length++] = (char)tolower((unsigned char)*device);
        else if (length && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
    snprintf(name, size, "device-%lld-%s.html", (long long)id, slug);
}

static bool write_device(struct store *store, const json_t *device, const struct folder *folder, const char *name,
                         struct error *error)
{
    json_t *document = NULL;
    bool written = false;
    char *title = page_escape(name_of(device));
    if (!store_device_json(store, json_integer_value(json_object_get(device, "id")), &document, error)) {
        free(title);
        return false;
    }
    char *data = page_json(document);
    if (title && data) {
        const struct page_filling fillings[PAGE_FILLINGS] = {
            {"policy", report_device_policy}, {"title", title}, {"style", report_style},
            {"charts", report_charts},        {"data", data},   {"script", report_device_script},
        };
        written = page_write(folder, name, report_device, fillings, error);
    } else {
        error_out_of_memory(error);
    }
    free(data);
    free(title);
    json_decref(document);
    return written;
}

static bool write_index(json_t *devices, const struct folder *folder, struct error *error)
{
    char now[32];
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_t *document =
        json_pack("{s:O, s:s, s:s}", "devices", devices, "tune_version", TUNE_VERSION, "generated_at", now);
    char *data = document ? page_json(document) : NULL;
    bool written = false;
    if (data) {
        const struct page_filling fillings[PAGE_FILLINGS] = {
            {"policy", report_index_policy}, {"title", "tune"}, {"style", report_style}, {"data", data},
            {"script", report_index_script},
        };
        written = page_write(folder, "index.html", report_index, fillings, error);
    } else {
        error_out_of_memory(error);
    }
    free(data);
    json_decref(document);
    return written;
}

static bool write_pages(struct store *store, json_t *devices, const struct folder *folder, struct error *error)
{
    size_t i;
    json_t *device;
    json_array_foreach(devices, i, device)
    {
        char name[128];
        page_name(json_integer_value(json_object_get(device, "id")), name_of(device), name, sizeof name);
        if (json_object_set_new(device, "page", json_string(name)) != 0)
            return error_out_of_memory(error);
        if (!write_device(store, device, folder, name, error))
            return false;
    }
    return write_index(devices, folder, error);
}

bool report_write(struct store *store, const char *path, bool named, char **index_path, struct error *error)
{
    json_t *devices = NULL;
    struct folder folder;
    *index_path = NULL;
    bool written = folder_open(path, named, &folder, error) && store_devices_json(store, &devices, error) &&
                   write_pages(store, devices, &folder, error);
    if (written && asprintf(index_path, "%s/index.html", path) < 0) {
        *index_path = NULL;
        written = error_out_of_memory(error);
    }
    json_decref(devices);
    folder_close(&folder);
    return written;
}
