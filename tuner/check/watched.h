/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watched.h - a module under a check and the launch of it that runs: what the watches of both kinds need to tell a
 * flaw with its variable and place.
 */
#ifndef TUNE_CHECK_WATCHED_H
#define TUNE_CHECK_WATCHED_H

#include "tuner/check/flaw.h"
#include "tuner/check/variables.h"
#include "tuner/device/cpu/watch.h"
#include "tuner/measure/instance.h"

enum { FLAWS_MOST = 100 }; /* of one run; what is told once is not told again */

struct watched {
    int file; /* flaws are appended to it */
    uintptr_t base;
    struct variables variables;
    char dynamic_name[64];
    const struct job_case *job_case;
    const struct instance *instance;

    /* Of the launch that runs; thread is NULL between launches. */
    const struct tune_context *thread;
    uintptr_t shared; /* the dynamic memory of a block */
    size_t shared_bytes, shared_room;

    struct raw_flaw told[FLAWS_MOST];
    size_t told_count;
};

/* Append a flaw to the file unless one of its kind at its places was told before. */
void watched_tell(struct watched *watched, const struct raw_flaw *flaw);

/* The number of the running thread in its block, and as text "thread (0, 0, 0) of block (0, 0, 0)". */
uint32_t watched_thread(const struct watched *watched);
void watched_thread_text(const struct watched *watched, uint32_t thread, char *text, size_t size);

/* Of an address behind an instruction of the module, as an offset; 0: elsewhere. */
uint64_t watched_code(const struct watched *watched, const void *code);

/* What both watches say of barriers and faults in the same words. */
void watched_diverged(struct watched *watched, const struct watched_place *at, int other, uint32_t ended);
void watched_fault(struct watched *watched, const struct watched_place *at, const char *text);

#endif
