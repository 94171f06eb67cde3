/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stopped.h - was a child process, or a member of its group, stopped (SIGSTOP, a debugger)? Its deadline then passed
 * without it.
 */
#ifndef TUNE_WORKERS_STOPPED_H
#define TUNE_WORKERS_STOPPED_H

#include <stdbool.h>
#include <sys/types.h>

/* `leader`: a child that leads its process group. True if it is stopped, or was and continued, or another member of
 * the group is stopped now. */
bool group_was_stopped(pid_t leader);

#endif
