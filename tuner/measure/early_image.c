/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/early_image.h"

#include "tuner/measure/program.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 16 << 20 }; /* compilers recur deeply */

struct early_image {
    const struct device_driver *driver;
    struct device_description device; /* expected or guessed */
    bool known;                       /* its architecture */
    struct compile_images images;
    const struct job_program *program;
    const char *text;
    size_t length;
    pthread_t thread;

    /* What the thread leaves: */
    struct compile_cache *cache; /* for the device */
    struct compile_request request;
    struct compile_lookup lookup; /* begun, if there is a cache */
    struct compile_result result; /* without an image: there is none */
    bool compiled;                /* not found in the cache */
};

static void *compile(void *context)
{
    struct early_image *early = context;
    if (!early->known)
        early->known = early->driver->guess && early->driver->guess(&early->device);
    if (!early->known)
        return NULL;
    struct compile_images unoffered = early->images; /* the channel is another thread's */
    unoffered.offer = NULL;
    early->cache = compile_cache_for(&unoffered, early->driver, &early->device);
    if (!early->cache)
        return NULL;
    early->request = program_request(early->program, early->text, early->length);
    early->request.awaited = true;
    if (!compile_lookup_begin(early->cache, &early->request, &early->lookup, &early->result))
        early->compiled =
            program_compile_request(early->driver, &early->device, &early->request, &early->result, NULL);
    return NULL;
}

static bool start(struct early_image *early)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&early->thread, &attributes, compile, early) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

struct early_image *early_image_begin(const struct device_driver *driver, const struct device_description *expected,
                                      const struct compile_images *images, const struct job_program *program,
                                      const char *text, size_t length)
{
    struct early_image *early = calloc(1, sizeof *early);
    if (early) {
        early->driver = driver;
        early->images = *images;
        early->program = program;
        early->text = text;
        early->length = length;
        early->known = expected != NULL;
        if (expected)
            early->device = *expected;
        if (start(early))
            return early;
    }
    free(early);
    return NULL;
}

static bool is_for(const struct early_image *early, const struct device_description *device)
{
    return strcmp(early->device.architecture, device->architecture) == 0 &&
           strcmp(early->device.compiler, device->compiler) == 0;
}

/* Once the thread has ended. */
static void dispose(struct early_image *early)
{
    if (early->cache)
        compile_lookup_end(&early->lookup);
    compile_cache_free(early->cache);
    free(early->result.image);
    free(early->result.log);
    free(early);
}

bool early_image_end(struct early_image *early, const struct device_description *device,
                     struct compile_cache **images, struct compile_result *result)
{
    struct compile_cache *cache = NULL;
    pthread_join(early->thread, NULL);
    *result = (struct compile_result){0};
    if (early->cache && is_for(early, device)) {
        cache = early->cache;
        compile_cache_offer_to(cache, early->images.offer, early->images.context);
        if (early->compiled)
            compile_lookup_keep(&early->lookup, &early->request, &early->result);
        compile_lookup_end(&early->lookup);
        early->cache = NULL;
        if (early->result.compiled) {
            *result = early->result;
            early->result = (struct compile_result){0};
        }
    } else if (images) {
        cache = compile_cache_for(&early->images, early->driver, device);
    }
    if (images)
        *images = cache;
    else
        compile_cache_free(cache);
    dispose(early);
    return result->image != NULL;
}

void early_image_drop(struct early_image *early)
{
    if (!early)
        return;
    pthread_join(early->thread, NULL);
    dispose(early);
}
