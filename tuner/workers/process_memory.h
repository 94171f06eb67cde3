/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_memory.h - how much memory a process and all that it has started have taken.
 *
 * Limits of address space do not go with a GPU's driver or a sanitizer, which reserve more of it than any machine has
 * memory. What counts is what has been touched: anonymous and shared memory that is resident. Pages that processes
 * share count for each of them, files that they have mapped do not.
 */
#ifndef TUNE_WORKERS_PROCESS_MEMORY_H
#define TUNE_WORKERS_PROCESS_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

/* Bytes, of `root` and its descendants. What has ended in the meantime, or cannot be read, counts as nothing. */
uint64_t process_memory(pid_t root);

#endif
