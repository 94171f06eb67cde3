/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process.h - identifies the process of a run by a text, to find out later whether it is still alive.
 *
 * "pid:start:namespace:boot": process ids are reused, but not with the same start time (proc(5), stat field 22)
 * during one boot of one machine (/proc/sys/kernel/random/boot_id), within one pid namespace.
 */
#ifndef TUNE_DB_PROCESS_H
#define TUNE_DB_PROCESS_H

#include <stdbool.h>

enum { PROCESS_TEXT = 128 };

/* The calling process; "" if /proc is not available. */
void process_token(char token[PROCESS_TEXT]);

/* Is the process certainly gone: has the machine rebooted, or does no process with that start time have its id?
 * `same_host`: it ran on this machine. In doubt (another host or namespace, an empty token) it counts as alive. */
bool process_is_gone(const char *token, bool same_host);

#endif
