/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.h - the worker processes, and the candidates that they compile and measure.
 *
 * On an accelerator, candidates are compiled while others are being measured; only while there are any that use the
 * host's cores as well (device/host_part.h), nothing is. On a device that computes with the host's cores the two
 * phases alternate: all workers compile a batch, which is then measured with no compiler running.
 *
 * A candidate that kills its worker, exceeds its deadline or sends a malformed message is finished with that outcome,
 * and the worker is replaced. If the cause may lie elsewhere (transient.h), it is tried once more, on a fresh worker,
 * and its row says so if it fails again; after a malformed message, which another candidate's kernel may have caused,
 * the fresh worker decides. crew_step fails only when the work as a whole cannot continue: the device cannot be
 * reopened, the compiler cannot be run, the template's own reference is at fault. A device that was open before may
 * disappear for a while; when one of several is gone for good, the others take over its work.
 *
 * A measurement starts once no other process is measuring on the device (device_lock.h). Waiting for that counts
 * neither towards a deadline nor as time of the evaluation; crew_seconds_held_up says how long it took.
 *
 * While a candidate is being measured, the next one is already in its worker's socket, so that the device does not
 * have to wait for this process in between. The first cannot harm the second: if the worker is lost, another worker
 * measures the second as if nothing had happened. Nothing is sent ahead while another process is waiting for the
 * device.
 */
#ifndef TUNE_WORKERS_CREW_H
#define TUNE_WORKERS_CREW_H

#include "tuner/workers/candidate.h"

enum {
    CREW_DEADLINE = 60,           /* seconds: the default */
    CREW_STEP_MILLISECONDS = 200, /* between two looks at an interrupt flag or a budget */
};

enum { CREW_DEVICES_MOST = 32 };

struct forerunner;

struct crew_plan {
    const struct device_description *device;
    struct forerunner *forerunner; /* on the first device, for the first crew that needs it (forerunner.h); or NULL */
    const int *ordinals;   /* of identical devices, one measuring worker each; the first is the one described */
    size_t ordinal_count;  /* 0: device 0 only */
    unsigned compile_jobs; /* 0: as many as suit the machine */
    unsigned core_part, core_parts;    /* of the machine's cores, for compilers (placement_part); 0 parts: all */
    bool no_cache;                     /* compile everything again */
    bool unconfined;                   /* workers may do what this process may (confinement.h) */
    const char *const *source_folders; /* that confined workers may read */
    size_t source_folder_count;
    double compile_deadline, measure_deadline; /* seconds; 0: the default */
    double patience;         /* seconds that a device which was open before has to come back; 0: the default */
    double lock_patience;    /* seconds that one process may hold a device's lock (lock_wait.h); 0: the default */
    const char *lock_folder; /* of the device locks; NULL: the one shared by all users */
    bool compiles_only;      /* for others: there are no measuring workers, and crew_compiled has the images */
    int wake;                /* crew_step also returns when this descriptor can be read; 0: none */
    /* Called with what the user should know although the work continues; may be NULL. */
    void (*notice)(const char *text, void *context);
    void *notice_context;
};

/* The plan for `device`, with defaults filled in. */
struct crew_plan crew_plan_complete(const struct crew_plan *plan, const struct device_description *device);

struct crew;

bool crew_create(const struct crew_plan *plan, struct crew **result, struct error *error);

/* End and reap all workers, remove their folders, free the candidates inside. */
void crew_free(struct crew *crew);

/* How many more candidates the crew can take now, and how many are inside and unfinished. */
size_t crew_room(const struct crew *crew);
size_t crew_inside(const struct crew *crew);

/* What the workers are doing. */
struct crew_load {
    size_t compilers, compiling; /* workers, and those of them that are busy */
    size_t measurers, measuring;
    size_t queued; /* candidates that wait to be compiled or measured */
};
struct crew_load crew_load(const struct crew *crew);

/* Submit a candidate, which the crew owns until crew_finished; one that has an image is not compiled again. */
void crew_submit(struct crew *crew, struct candidate *candidate);

/* No more candidates will be submitted for compiling: from now on those expected to take longest go first, so that
 * all workers finish at about the same time. */
void crew_close(struct crew *crew);

/* More will be submitted after all: of another problem of the same template, by the next sweep. */
void crew_reopen(struct crew *crew);

/* Let the workers run for at most `milliseconds`; returns early when something happened or a signal arrived. */
bool crew_step(struct crew *crew, int milliseconds, struct error *error);

/* Seconds in which nothing was measured because other processes held the locks of all devices that were free. */
double crew_seconds_held_up(const struct crew *crew);

/* The next finished candidate, which is now the caller's, or NULL. */
struct candidate *crew_finished(struct crew *crew);

/* The next candidate with an image, of a crew that only compiles; it is now the caller's. NULL: none. */
struct candidate *crew_compiled(struct crew *crew);

/* Is this configuration inside, or finished and not collected? */
bool crew_has(const struct crew *crew, size_t index);

/* Drop every candidate except those that a measuring worker has: the one being measured, and the one sent ahead,
 * which cannot be recalled. */
void crew_drop_waiting(struct crew *crew);

#endif
