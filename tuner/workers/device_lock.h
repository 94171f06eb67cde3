/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_lock.h - only one process at a time measures on a device.
 *
 * A timing is worthless while another process uses the same device, so a measuring worker's parent holds the device's
 * lock during each evaluation. The lock is a pair of files named after the device's UUID, in a folder shared by all
 * users, locked with flock(2): the kernel releases them when their holder dies, however it dies.
 *
 * The pair forms a turnstile: a process first takes the gate and keeps it until it has the device. A process that has
 * just released the device finds the gate taken by whoever is waiting, so two processes take turns. With a single
 * lock, the process that released it would usually be the first to take it again.
 *
 * The folder is shared, so its files may be anything: links are not followed, what is not a plain file is refused,
 * and files are only ever opened for reading.
 *
 * Nothing here blocks. An uncontended attempt and its release take a few microseconds.
 */
#ifndef TUNE_WORKERS_DEVICE_LOCK_H
#define TUNE_WORKERS_DEVICE_LOCK_H

#include "tuner/error/error.h"

#include <sys/types.h>

struct device_lock;

extern const char device_lock_folder[]; /* shared by all users */

/* Open the lock of a device, creating `folder` and the lock files if they do not exist. */
bool device_lock_create(const char *folder, const char *uuid, struct device_lock **result, struct error *error);
void device_lock_free(struct device_lock *lock); /* releases it first; NULL is allowed */

struct lock_holder {
    pid_t pid; /* 0: unknown, as in another process namespace */
    char user[64], command[64];
};

/* Who has what this process waits for, as /proc/locks tells it: with "" and 0 for what cannot be told. */
struct lock_holder device_lock_holder(const struct device_lock *lock);

/* Try to take it; true once it is held. After a failure try again soon, or release: the gate may be held by now. */
bool device_lock_attempt(struct device_lock *lock);

/* Should a held lock be released before starting more work? True if another process is waiting for the device, or if
 * the files were removed and others may hold new ones. False for NULL. */
bool device_lock_contended(struct device_lock *lock);

/* Release whatever is held. NULL and a lock that is not held are allowed. */
void device_lock_release(struct device_lock *lock);

#endif
