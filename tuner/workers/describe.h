/* SPDX-License-Identifier: Apache-2.0 */
/*
 * describe.h - ask what devices this machine has, without opening one here.
 *
 * A device is opened in a child process that ends once it has answered: a driver that crashes or hangs costs an
 * error, and the parent's memory stays free of CUDA.
 */
#ifndef TUNE_WORKERS_DESCRIBE_H
#define TUNE_WORKERS_DESCRIBE_H

#include "tuner/description/description.h"

bool describe_device(const char *kind, int ordinal, struct device_description *description, struct error *error);

struct found_device {
    int ordinal;
    bool works; /* else `why` says why it cannot be described */
    struct device_description description;
    struct error why;
};
/* All devices of a kind, in one child process; allocated. Having none is not a failure. */
bool describe_devices(const char *kind, struct found_device **devices, size_t *count, struct error *error);

/* The compiler for devices of a kind, as a description has it, whether there are any or not; "": there is none. */
bool describe_compiler(const char *kind, char *name, size_t bytes, struct error *error);

/* How many devices of a kind there are; `why` (may be NULL) tells why there are none. */
bool count_devices(const char *kind, int *count, struct error *why);

#endif
