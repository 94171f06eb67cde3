/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watched.h - a module under a check and its running launch: what both watches need to report a diagnostic.
 */
#ifndef TUNE_CHECK_WATCHED_H
#define TUNE_CHECK_WATCHED_H

#include "tuner/check/diagnostic.h"
#include "tuner/check/variables.h"
#include "tuner/device/cpu/watch.h"
#include "tuner/measure/instance.h"

enum { DIAGNOSTICS_MOST = 100 }; /* of one run */

struct watched {
    int file;       /* receives the diagnostics */
    uintptr_t base; /* where the module is loaded */
    struct variables variables;
    char dynamic_name[64];
    const struct job_case *job_case;
    const struct instance *instance;

    /* Of the running launch; thread is NULL between launches. */
    const struct tune_context *thread;
    uintptr_t shared; /* dynamic shared memory */
    size_t shared_bytes, shared_room;
    const struct watched_block *team; /* the blocks that live together; NULL: one block lives */

    struct raw_diagnostic reported[DIAGNOSTICS_MOST];
    size_t reported_count;
};

/* Append a diagnostic to the file unless one of the same kind and location was reported before. */
void watched_report(struct watched *watched, const struct raw_diagnostic *diagnostic);

/* A team begins; its member `i` goes on; the launch has ended. */
void watched_team(struct watched *watched, const struct watched_block *blocks);
void watched_turn(struct watched *watched, size_t i);
void watched_launched(struct watched *watched);

/* The running thread's number in its block; and any thread of the block as text, "thread (3, 0, 0)". */
uint32_t watched_thread(const struct watched *watched);
void watched_thread_text(const struct watched *watched, uint32_t thread, char *text, size_t size);

/* A return address as an offset into the module; 0: not in the module. */
uint64_t watched_code(const struct watched *watched, const void *code);

/* Report a divergent barrier or a fault. */
void watched_diverged(struct watched *watched, const struct watched_place *at, int other, uint32_t ended);
void watched_fault(struct watched *watched, const struct watched_place *at, const char *text);

#endif
