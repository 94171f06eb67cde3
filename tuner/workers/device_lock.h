/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_lock.h - one process times on a device at a time.
 *
 * A timing is worth nothing while another process works the same device, so whoever measures holds the device's lock
 * during that evaluation. The lock is a pair of files named by the device's UUID, in a folder that all users share,
 * under flock(2): the kernel frees them when their holder dies, however it dies.
 *
 * The pair is a turnstile. Who wants the device first takes the gate and keeps it until the device is his; who has
 * just let the device go finds the gate taken by the one who waits. So two processes take turns, where with a single
 * lock the one who lets go would mostly be the first to take it again.
 *
 * Nothing here blocks. Without contention an attempt and its release take a few microseconds.
 */
#ifndef TUNE_WORKERS_DEVICE_LOCK_H
#define TUNE_WORKERS_DEVICE_LOCK_H

#include "tuner/error/error.h"

struct device_lock;

extern const char device_lock_folder[]; /* the one that all users share */

/* Open the lock of a device, and make its files and `folder` unless they are there. */
bool device_lock_create(const char *folder, const char *uuid, struct device_lock **result, struct error *error);
void device_lock_free(struct device_lock *lock); /* lets go first; NULL is allowed */

/* Try to take it; true once it is held. After a failure try again soon, or release: the gate may be held. */
bool device_lock_attempt(struct device_lock *lock);

/* Of a lock that is held: is it due to be released before more is begun? Another process waits for the device, or the
 * files were removed and others may hold new ones. False for NULL. */
bool device_lock_contended(struct device_lock *lock);

/* Let go of what is held. NULL and a lock that is not held are allowed. */
void device_lock_release(struct device_lock *lock);

#endif
