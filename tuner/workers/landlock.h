/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landlock.h - rules for what a process may do with files, enforced by the kernel (landlock(7)).
 *
 * The system calls are made directly, and rights that the kernel does not know yet are left out: the first version
 * (Linux 5.13) knows files, later ones renames, truncation, TCP, devices, signals and abstract sockets.
 *
 *     int rules = landlock_begin(LANDLOCK_ALL);
 *     landlock_allow(rules, "/usr", LANDLOCK_READ);
 *     landlock_allow(rules, scratch, LANDLOCK_WRITE);
 *     bool in_force = landlock_enforce(rules);
 */
#ifndef TUNE_WORKERS_LANDLOCK_H
#define TUNE_WORKERS_LANDLOCK_H

#include <stdbool.h>

/* What a path and everything below it may be used for. */
enum landlock_right {
    LANDLOCK_LIST,   /* list folders */
    LANDLOCK_READ,   /* also read and execute files */
    LANDLOCK_DEVICE, /* also write them, and control devices (ioctl) */
    LANDLOCK_WRITE,  /* also make, rename and remove files and folders */
};

/* What is forbidden beside files: TCP, signals to processes outside, and abstract sockets of processes outside. */
enum landlock_scope {
    LANDLOCK_ALL,
    LANDLOCK_ALL_BUT_SOCKETS,
};

/* The version that the kernel offers; 0: none. */
int landlock_version(void);

/* A new set of rules; -1: the kernel has no Landlock. landlock_enforce closes it. */
int landlock_begin(enum landlock_scope scope);

/* Allow something; a path that does not exist is skipped. */
void landlock_allow(int rules, const char *path, enum landlock_right right);

/* From now on this thread, and those and the processes that it starts, obey the rules. Needs no_new_privs. */
bool landlock_enforce(int rules);

#endif
