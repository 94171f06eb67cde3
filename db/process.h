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

/* What can be said of a process from here: it is unknown on another host, in another namespace, or without a token.
 */
enum process_life { PROCESS_ALIVE, PROCESS_GONE, PROCESS_UNKNOWN };

/* Gone: the machine has rebooted, or no process with that start time has its id, or only a dead one. `same_host`: it
 * ran on this machine.
 */
enum process_life process_life(const char *token, bool same_host);

#endif
