/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.h - a handle of tune_load, and the calls that launch it.
 *
 * It launches a version of the kernel: a variant (variant.h) and the answer that it comes from. A thread may make
 * another one meanwhile, which takes the first one's place at a call: at the next launch or, if anything is prepared,
 * when that is done again; so does what online tuning finds better (online.h). Versions stay until the handle is
 * freed, since what they have launched may still run.
 */
#ifndef TUNE_LIBRARY_KERNEL_H
#define TUNE_LIBRARY_KERNEL_H

#include "tuner/library/trials.h"
#include "tuner/library/variant.h"

struct version {
    struct tune_answer *answer; /* held */
    struct variant *variant;
};

/* One that stands in, the one that is wanted, and those that are tried while the program runs. */
enum { KERNEL_CANDIDATES = 2, KERNEL_VERSIONS = KERNEL_CANDIDATES + TRIALS_MOST };

struct making; /* of the version that is wanted, and of those that are tried (load.c) */
struct online;
struct calls;

struct tune_kernel {       /* what launches read comes first, in few lines of the cache, which is cold then */
    atomic_size_t current; /* the version that is launched */
    atomic_size_t newest;  /* the one that is to be, which is complete */
    struct online *online; /* NULL: nothing else is tried */
    struct calls *calls;   /* NULL: nobody is told of launches */
    struct version versions[KERNEL_VERSIONS];
    struct making *making; /* NULL: no thread is at work */
};

/* The version that is launched now. */
const struct version *kernel_version(const struct tune_kernel *kernel);

#endif
