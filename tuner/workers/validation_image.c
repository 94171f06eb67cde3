/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/validation_image.h"

#include "tuner/device/device.h"
#include "tuner/workers/crew.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/worker_process.h"

/* Wait until the worker has opened its device, and keep what it offers before. */
static void keep_what_it_makes(struct worker *worker, const struct compile_cache *images)
{
    struct message message = {0};
    while (worker_await(worker, &message, NULL) == WORKER_MADE) {
        image_offer_take_validation(images, &message);
        message_clear(&message);
    }
    message_clear(&message);
}

void validation_image_prepare(const struct device_description *device, bool unconfined, const char *scratch_folder)
{
    const struct device_driver *driver = device_driver_find(device->kind);
    struct compile_cache *images = image_offer_cache(device, true);
    struct worker *worker = NULL;
    if (images && driver && !image_offer_has_validation(images)) {
        const struct confinement confinement = {.accelerator = !driver->shares_cores};
        json_t *request = measure_open_request(device, 0, true, NULL, NULL);
        if (request && worker_start("measure", unconfined ? NULL : &confinement, scratch_folder, &worker, NULL) &&
            worker_ask(worker, request, NULL, 0, CREW_DEADLINE, NULL))
            keep_what_it_makes(worker, images);
        json_decref(request);
        worker_end(worker);
    }
    compile_cache_free(images);
}
