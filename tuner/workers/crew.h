/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.h - the workers and the candidates that pass through their hands: compile, measure, finished.
 *
 * On a device of its own (a GPU) candidates are compiled ahead while others are measured. On a device that computes
 * with the host's cores the two take turns: a batch is compiled by all workers, then measured with no compiler
 * running.
 *
 * A candidate that kills its worker, or lets its deadline pass, is finished with that outcome and the worker is
 * replaced. crew_step fails only when the work as a whole cannot go on: the device cannot be opened again, the
 * compiler cannot be run, the template's own reference is at fault. A device that was open before may be gone for a
 * while; one of several that is gone for good leaves its work to the others.
 *
 * A measurement begins when no other process measures on its device (device_lock.h); waiting for that counts
 * neither for a deadline nor as time of the evaluation.
 *
 * While a candidate is measured the next one is already in its worker's socket, so that the device does not wait for
 * this process in between. What becomes of the first does no harm to the second: if the worker is lost over the
 * first, the second is measured by another as if nothing had been. Nothing is sent ahead while another process waits
 * for the device.
 */
#ifndef TUNE_WORKERS_CREW_H
#define TUNE_WORKERS_CREW_H

#include "tuner/workers/candidate.h"

enum {
    CREW_DEADLINE = 60,           /* seconds: the default */
    CREW_STEP_MILLISECONDS = 200, /* between two looks at an interrupt flag or a budget */
};

enum { CREW_DEVICES_MOST = 32 };

struct crew_plan {
    const struct device_description *device;
    const int *ordinals;   /* of identical devices, a measuring worker each; the first is the one described */
    size_t ordinal_count;  /* 0: device 0 alone */
    unsigned compile_jobs; /* 0: as many as suit the machine */
    bool no_cache;         /* compile all anew */
    double compile_deadline, measure_deadline; /* seconds; 0: the default */
    double patience;         /* seconds for a device that was open before to come back; 0: the default */
    const char *lock_folder; /* of the devices' locks; NULL: the one that all users share */
    /* What the user should know although the work goes on; may be NULL. */
    void (*notice)(const char *text, void *context);
    void *notice_context;
};

/* The plan for `device`, with the defaults where it has none. */
struct crew_plan crew_plan_complete(const struct crew_plan *plan, const struct device_description *device);

struct crew;

bool crew_create(const struct crew_plan *plan, struct crew **result, struct error *error);

/* Ends and reaps all workers, removes their folders, frees the candidates inside. */
void crew_free(struct crew *crew);

/* How many more candidates are welcome now, and how many are inside and not finished yet. */
size_t crew_room(const struct crew *crew);
size_t crew_inside(const struct crew *crew);

/* Hand a candidate in; with an image it need not be compiled. The crew owns it until crew_finished. */
void crew_submit(struct crew *crew, struct candidate *candidate);

/* No more candidates will be handed in to be compiled: those that are expected to take longest go first from now on,
 * so that all workers end at about the same time. */
void crew_close(struct crew *crew);

/* Let the workers go on for at most `milliseconds`; returns early when something happened or a signal arrived. */
bool crew_step(struct crew *crew, double incumbent_ns, int milliseconds, struct error *error);

/* The next finished candidate, now the caller's, or NULL. */
struct candidate *crew_finished(struct crew *crew);

/* Drop every candidate but those in a measuring worker's hands: the one that is being measured and the one that was
 * sent to be measured behind it, which cannot be called back. */
void crew_drop_waiting(struct crew *crew);

#endif
