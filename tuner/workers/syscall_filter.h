/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscall_filter.h - system calls that a confined process does not need, refused by the kernel (seccomp(2)).
 *
 * They are refused with EPERM, or ENOSYS where programs then do without: sockets other than local ones, new
 * namespaces and mounts, other processes' memory, kernel modules, keys, BPF, io_uring (which would open sockets past
 * this filter). Calls of another architecture's numbering are refused as a whole.
 */
#ifndef TUNE_WORKERS_SYSCALL_FILTER_H
#define TUNE_WORKERS_SYSCALL_FILTER_H

#include <stdbool.h>

/* `local_sockets`: sockets between processes of this machine (unix, netlink), which a GPU's driver uses, and System V
 * shared memory stay allowed. Applies to this thread and what it starts. Needs no_new_privs. */
bool syscall_filter_enforce(bool local_sockets);

/* Can the kernel filter system calls, and does this architecture have a filter? */
bool syscall_filter_possible(void);

#endif
