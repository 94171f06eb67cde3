/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attached.h - the device that a kernel is loaded on, in the program's process.
 *
 * A GPU is attached once for each kernel, in the context that is current then. The CPU device is one for all kernels
 * of a handle of the library, since it has threads; after a fault the next kernel gets another.
 */
#ifndef TUNE_LIBRARY_ATTACHED_H
#define TUNE_LIBRARY_ATTACHED_H

#include "tuner/device/guest.h"

#include <stdatomic.h>

struct attached {
    atomic_size_t users;
    const struct device_driver *driver;
    struct device *device;
    struct device_description description; /* what guest.h tells quickly, and the compiler */
};

struct attachments; /* of a handle of the library */

bool attachments_create(struct attachments **result, struct error *error);
void attachments_free(struct attachments *all); /* what is attached stays so for those who use it */

/* A device of the kind and architecture of `wanted`; of GPUs, unless a context is current, number `ordinal`.
 * ERROR_INPUT: it has another architecture. Several threads may at once. */
bool attachments_get(struct attachments *all, const struct device_description *wanted, int ordinal,
                     struct attached **result, struct error *error);
struct attached *attached_share(struct attached *attached);
void attached_release(struct attached *attached);

/* In the device's context; `entered` is for attached_leave. Nothing for a device without contexts. `anyway`: even if
 * the thread has another one, to free what is there. */
bool attached_enter(const struct attached *attached, bool anyway, bool *entered, struct error *error);
void attached_leave(const struct attached *attached, bool entered);

#endif
