/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confinement.h - what a worker process may do, as far as the system's kernel can enforce it.
 *
 * A kernel template is somebody's code: on the CPU device it runs natively in the measuring worker, and its options
 * and includes steer a compiler. So workers get no_new_privs and no capabilities; Landlock (landlock.h) lets them
 * write to their scratch folder only, and read the cache of images, the template's folders, the system's, the
 * compiler's and the Toolkit's; a filter of system calls (syscall_filter.h) leaves them no network. Files, processes
 * and memory have limits, and when the machine runs out of memory they are killed first. Where the kernel allows it
 * they also have a process namespace of their own (guardian.h).
 *
 * What the kernel does not offer is left out, which is no error: confinement_offered tells. The parent describes the
 * confinement in an environment variable of the worker; the worker enforces it on itself before it serves anything.
 */
#ifndef TUNE_WORKERS_CONFINEMENT_H
#define TUNE_WORKERS_CONFINEMENT_H

#include "tuner/error/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the parent decides. NULL instead of this: unconfined. */
struct confinement {
    bool accelerator;           /* the worker uses a GPU's driver, which needs its devices and local sockets */
    const char *const *folders; /* that hold sources, and data files themselves; they may be read */
    size_t folder_count;
};

enum { CONFINED_FOLDERS = 256, CONFINED_PROCESSES = 1024 };

/* "TUNE_CONFINEMENT=...", for the environment of a worker of that role, allocated. NULL: out of memory. */
char *confinement_variable(const struct confinement *confinement, const char *role);
extern const char confinement_variable_name[];

/* What the worker finds in its environment. */
struct confined {
    bool on, accelerator, compiles, checks;
    pid_t parent; /* 0: unknown */
    const char *folders[CONFINED_FOLDERS];
    size_t folder_count;
    char *text; /* that the folders point into */
};
bool confined_read(struct confined *confined, struct error *error);
void confined_clear(struct confined *confined);

/* Confine this process, which must have a single thread. Parts that fail are left out. */
void confinement_enforce(const struct confined *confined);

/* On the CPU device, where kernels can allocate: may this confined process have so many bytes more than now, beyond a
 * constant? Does nothing in an unconfined one. See confinement_bytes. */
void confinement_bound_memory(uint64_t bytes);

/* The same where processes are watched instead (worker_bound_memory): what one may take that needs `bytes`, or what
 * the soft limit of resident memory (`ulimit -m`) of this process says, which Linux itself ignores, if that is less.
 */
uint64_t confinement_memory(uint64_t bytes);

/* The bound for a process that has `present` bytes of address space, needs `bytes` more, on a machine that has
 * `available` ones and `processors`. */
uint64_t confinement_bytes(uint64_t present, uint64_t bytes, uint64_t available, long processors);

/* Which parts the system offers, tried in a child process. */
struct confinement_offer {
    int landlock; /* its version; 0: none */
    bool filter, process_namespace;
};
struct confinement_offer confinement_offered(void);

/* A sentence for the user where `text`, which a confined process printed, tells of a refusal; NULL if it does not. */
const char *confinement_hint(const char *text);

#endif
