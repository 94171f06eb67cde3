/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_spawn.h - start the process of a worker: this same program, run again as `--worker ROLE SOCKET`, in a
 * process group of its own, with nothing open but a socket and a pipe.
 */
#ifndef TUNE_WORKERS_WORKER_SPAWN_H
#define TUNE_WORKERS_WORKER_SPAWN_H

#include "tuner/workers/confinement.h"

#include <sys/types.h>

struct worker_spawned {
    pid_t pid;
    int socket; /* the parent's end */
    int output; /* where what it prints can be read, without blocking */
};

/* `folder` is its TMPDIR; confined unless `confinement` is NULL. The caller reaps it and closes both descriptors. */
bool worker_spawn(const char *role, const struct confinement *confinement, const char *folder,
                  struct worker_spawned *spawned, struct error *error);

#endif
