/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.h - runs a program of the host's tool chain to its end, without a shell.
 */
#ifndef TUNE_DEVICE_CPU_CHILD_H
#define TUNE_DEVICE_CPU_CHILD_H

#include "tuner/error/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The path of the first executable of that name on $PATH. */
bool child_find(const char *name, char *path, size_t bytes);

/*
 * Run `arguments` (a path first, NULL last) without input, its output going to the file descriptor `output`, its
 * temporary files to `tmpdir`, with messages in English. `*status` is waitpid's. ERROR_WORK: it cannot be started;
 * ERROR_SYSTEM: not now. In a program that has its children's ends taken from it, `*status` is 0: the output must
 * tell.
 */
bool child_run(const char *const *arguments, const char *tmpdir, int output, int *status, struct error *error);

/* Did it exit with status 0? */
bool child_succeeded(int status);

#endif
