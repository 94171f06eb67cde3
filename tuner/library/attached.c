/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/attached.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COMPILERS = 8 }; /* more than there are kinds of devices */

struct attachments {
    pthread_mutex_t lock;    /* of what follows */
    struct attached *shared; /* NULL: none yet */
    /* Asked once for each kind of device, since that starts a process or opens a library. */
    struct {
        const struct device_driver *driver; /* NULL: free */
        char name[sizeof((struct device_description *)0)->compiler];
    } compilers[COMPILERS];
};

bool attachments_create(struct attachments **result, struct error *error)
{
    struct attachments *all = calloc(1, sizeof *all);
    if (!all)
        return error_out_of_memory(error);
    pthread_mutex_init(&all->lock, NULL);
    *result = all;
    return true;
}

void attachments_free(struct attachments *all)
{
    if (!all)
        return;
    attached_release(all->shared);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

struct attached *attached_share(struct attached *attached)
{
    atomic_fetch_add(&attached->users, 1);
    return attached;
}

void attached_release(struct attached *attached)
{
    if (!attached || atomic_fetch_sub(&attached->users, 1) > 1)
        return;
    attached->driver->close(attached->device);
    free(attached);
}

static bool attach(const struct device_driver *driver, int ordinal, struct attached **result, struct error *error)
{
    struct attached *attached = calloc(1, sizeof *attached);
    if (!attached)
        return error_out_of_memory(error);
    attached->users = 1;
    attached->driver = driver;
    if (!driver->guest->attach(ordinal, &attached->device, &attached->description, error)) {
        free(attached);
        return false;
    }
    *result = attached;
    return true;
}

/* The device without contexts that all kernels use. */
static bool get_shared(struct attachments *all, const struct device_driver *driver, int ordinal,
                       struct attached **result, struct error *error)
{
    bool done = true;
    pthread_mutex_lock(&all->lock);
    if (all->shared && !driver->synchronize(all->shared->device, NULL)) {
        attached_release(all->shared);
        all->shared = NULL;
    }
    if (!all->shared)
        done = attach(driver, ordinal, &all->shared, error);
    if (done)
        *result = attached_share(all->shared);
    pthread_mutex_unlock(&all->lock);
    return done;
}

static bool find_compiler(struct attachments *all, struct attached *attached, struct error *error)
{
    size_t i = 0;
    while (all->compilers[i].driver && all->compilers[i].driver != attached->driver)
        i++;
    if (!all->compilers[i].driver) {
        if (!attached->driver->guest->compiler(all->compilers[i].name, sizeof all->compilers[i].name, error))
            return false;
        all->compilers[i].driver = attached->driver;
    }
    strcpy(attached->description.compiler, all->compilers[i].name);
    return true;
}

static bool name_compiler(struct attachments *all, struct attached *attached, struct error *error)
{
    pthread_mutex_lock(&all->lock);
    bool done = attached->description.compiler[0] || find_compiler(all, attached, error);
    pthread_mutex_unlock(&all->lock);
    return done;
}

static bool fits(const struct attached *attached, const struct device_description *wanted, struct error *error)
{
    const struct device_description *own = &attached->description;
    if (strcmp(own->architecture, wanted->architecture) == 0)
        return true;
    error_set(error, ERROR_INPUT, "the answer is for %s (%s); the device here is %s (%s)", wanted->name,
              wanted->architecture, own->name, own->architecture);
    return error_hint(error, "ask for the best on the device that it is to run on");
}

bool attachments_get(struct attachments *all, const struct device_description *wanted, int ordinal,
                     struct attached **result, struct error *error)
{
    const struct device_driver *driver = device_driver_find(wanted->kind);
    struct attached *attached = NULL;
    if (!driver)
        return error_set(error, ERROR_INPUT, "there is no device of kind '%s'", wanted->kind);
    if (!(driver->guest->enter ? attach(driver, ordinal, &attached, error)
                               : get_shared(all, driver, ordinal, &attached, error)))
        return false;
    if (fits(attached, wanted, error) && name_compiler(all, attached, error)) {
        *result = attached;
        return true;
    }
    attached_release(attached);
    return false;
}

bool attached_enter(const struct attached *attached, bool anyway, bool *entered, struct error *error)
{
    const struct device_guest *guest = attached->driver->guest;
    *entered = false;
    return !guest->enter || guest->enter(attached->device, anyway, entered, error);
}

void attached_leave(const struct attached *attached, bool entered)
{
    const struct device_guest *guest = attached->driver->guest;
    if (guest->leave)
        guest->leave(attached->device, entered);
}
