/* SPDX-License-Identifier: Apache-2.0 */
/*
 * online.h - online tuning: calls of a program that try other configurations than the one that it has loaded.
 *
 * Who does what. A call of the program launches what trials.h wants of it, in the program's stream and between marks
 * (laps.h); it waits for nothing, reads the marks of an earlier call if they were reached, and leaves all else to the
 * kernel's thread, which compiles candidates, compares what rehearsals left (rehearsal.h), frees what has lost, and
 * stores at the end what was learnt. At any moment at most one call is being tried, whatever the number of threads:
 * a thread that finds the lock taken launches the incumbent.
 *
 * What is safe. A fault of a kernel ends the program's context, and nothing here can prevent that. So nothing is
 * tried but configurations that a sweep found valid, in a process of its own, for this very version of the kernel on
 * this model of device, be it at another size: what tune_best would launch on such evidence as well. Beyond that a
 * candidate has the program's buffers only after its results were right on copies of them, twice. Calls into a stream
 * that is captured try nothing, nor do those whose buffers overlap. A template whose results cannot be compared, or
 * that keeps values from call to call, is refused (rehearsal_obstacle).
 */
#ifndef TUNE_LIBRARY_ONLINE_H
#define TUNE_LIBRARY_ONLINE_H

#include "tuner/library/answer.h"
#include "tuner/library/kernel.h"
#include "tuner/select/contenders.h"

struct online;

struct online_request {
    double share;                 /* of the time of calls that trying may take */
    struct contenders contenders; /* which online_create takes */
    const char *database;         /* where what is learnt is stored; NULL: nowhere */
    const char *cache;            /* the folder of images; NULL: the user's */
    struct attached *attached;
    const struct tune_answer *answer; /* that contends with them */
};

/* For a kernel; takes the contenders, also if it fails. NULL and an error if memory runs out. */
struct online *online_create(struct tune_kernel *kernel, struct online_request *request, struct error *error);
void online_free(struct online *online); /* its thread must have ended */

/* Once the kernel has the answer's version: false if nothing can be tried, which online_describe explains. */
bool online_begin(struct online *online);

/* That version cannot be had. */
void online_refuse(struct online *online, const char *why);

/* Is anything still to be tried? */
bool online_is_on(const struct online *online);

/* As variant_run with the present version, perhaps with a try. */
enum tune_code online_launch(struct online *online, void *stream, const struct tune_buffer *buffers,
                             struct tune_error *error);

/* The thread's work, until all is tried or online_end is called, by which time no call must come. */
void online_work(struct online *online);
void online_end(struct online *online);
/* One piece of it: for tests, which then need no thread. False: there is nothing to do now. */
bool online_step(struct online *online);
/* For tests: a clock of theirs, in nanoseconds. */
void online_set_clock(struct online *online, double (*clock)(void *context), void *context);

/* `present` is the version that is launched now. */
void online_describe(struct online *online, const struct version *present, struct tune_online_info *info);

#endif
