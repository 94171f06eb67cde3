/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process.h - which process carries out a run, as a text that tells later whether it still lives.
 *
 * "pid:start:namespace:boot": a process id is used again, but not with the same start time (proc(5), stat field 22)
 * during one boot of one machine (/proc/sys/kernel/random/boot_id); ids count in their pid namespace.
 */
#ifndef TUNE_DB_PROCESS_H
#define TUNE_DB_PROCESS_H

#include <stdbool.h>

enum { PROCESS_TEXT = 128 };

/* The calling process; "" where /proc does not tell. */
void process_token(char token[PROCESS_TEXT]);

/* Surely gone: the machine was started anew since, or nothing with that start time has its id. `same_host`: it ran on
 * this machine. In doubt (another host, another namespace, an empty token) a process is taken to live. */
bool process_is_gone(const char *token, bool same_host);

#endif
