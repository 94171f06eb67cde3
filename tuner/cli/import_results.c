/* SPDX-License-Identifier: Apache-2.0 */
/* tune import of recorded results: they go into the database. */
#include "tuner/cli/exchange.h"

#include "db/store.h"
#include "tuner/error/visible.h"
#include "tuner/formats/recording_file.h"
#include "tuner/formats/recording_store.h"
#include "tuner/lang/template.h"

#include <stdlib.h>
#include <string.h>

/* What a file does not say is in its name, by convention: "convolution_A100" is convolution on A100. */
static bool name_parts(const struct options *options, const struct recording *recording, char **kernel, char **device,
                       struct error *error)
{
    const char *bar = strchr(recording->name, '_');
    size_t length = bar && bar != recording->name && bar[1] ? (size_t)(bar - recording->name) : 0;
    const char *own_kernel = options->kernel_name ? options->kernel_name : recording->kernel;
    const char *own_device = options->device_name ? options->device_name : recording->device;
    *kernel = *own_kernel ? strdup(own_kernel) : length ? strndup(recording->name, length) : strdup(recording->name);
    *device = *own_device ? strdup(own_device) : strdup(length ? bar + 1 : "unknown device");
    if (!*kernel || !*device)
        return error_out_of_memory(error);
    bool told = *own_kernel && *own_device;
    if (!told && !options->quiet)
        visible_printf(
            stderr,
            "tune: %s does not name %s: taken from the file's name; --kernel-name and --device-name set them\n",
            options->subject,
            *own_kernel   ? "the device"
            : *own_device ? "the kernel"
                          : "kernel or device");
    return true;
}

static bool store_results(const struct options *options, const struct recording *recording, const char *kernel,
                          const char *device, struct error *error)
{
    struct store *store = NULL;
    char *database = store_default_path(options->database);
    if (!database)
        return error_out_of_memory(error);
    bool done = store_open(database, false, &store, error) &&
                recording_store(store, recording, options->subject, kernel, device, error);
    store_close(store);
    free(database);
    return done;
}

bool import_results(const struct options *options, const struct file_text *text, struct error *error)
{
    struct recording *recording = NULL;
    char *kernel = NULL, *device = NULL;
    bool done = recording_parse(options->subject, text->bytes, text->length, &recording, error) &&
                name_parts(options, recording, &kernel, &device, error) &&
                store_results(options, recording, kernel, device, error);
    if (done && recording->left_out > 0)
        visible_printf(
            stderr,
            "tune: %s: %zu measurement%s left out: there may be %d others than the time, with names of up to %d "
            "bytes without quotes and backslashes\n",
            options->subject, recording->left_out, recording->left_out == 1 ? " is" : "s are", METRICS_MOST,
            METRIC_NAME_LIMIT);
    if (done) {
        size_t valid = recording_valid_count(recording);
        visible_printf(stdout, "%s%s%s on %s: %zu results, %zu of them failures\n", kernel,
                       *recording->size ? " " : "", recording->size, device, recording->count,
                       recording->count - valid);
    }
    free(kernel);
    free(device);
    recording_free(recording);
    return done;
}
