/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/describe.h"

#include "tuner/workers/crew.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/worker_process.h"

#include <stdlib.h>

static const double deadline = CREW_DEADLINE; /* a driver may take its time on a machine with many GPUs */

static bool wait_for(struct worker *worker, struct message *answer, bool *again, struct error *error)
{
    for (;;) {
        switch (worker_await(worker, answer, error)) {
        case WORKER_ANSWER:
            return true;
        case WORKER_DIED:
            *again = worker_is_blameless(worker) || worker_sent_nonsense(worker);
            return error_set(error, ERROR_WORK, "the process that opens the device died: %s",
                             worker_obituary(worker));
        case WORKER_LATE:
            *again = worker_is_blameless(worker);
            return error_set(error, ERROR_WORK, "the device did not answer within %g s", deadline);
        case WORKER_MADE: /* it was not asked to */
            message_clear(answer);
            break;
        case WORKER_NOTHING:
            return false;
        }
    }
}

/* The worker runs no kernel of others, so it is not confined. `*again`: it failed for a reason that may not recur. */
static bool ask_once(const json_t *request, struct message *answer, bool *again, struct error *error)
{
    struct scratch scratch = {0};
    struct worker *worker = NULL;
    *again = false;
    bool done = scratch_create(&scratch, error) && worker_start("measure", NULL, scratch.path, &worker, error) &&
                worker_ask(worker, request, NULL, 0, deadline, error) && wait_for(worker, answer, again, error);
    worker_end(worker);
    scratch_remove(&scratch);
    return done;
}

/* Ask a measuring worker one question and end it. Consumes `request`. */
static bool ask(json_t *request, struct message *answer, struct error *error)
{
    enum { ATTEMPTS_MOST = 3 };
    bool done = false, again = request != NULL;
    for (int i = 0; again && i < ATTEMPTS_MOST; i++)
        done = ask_once(request, answer, &again, error);
    json_decref(request);
    return done;
}

bool describe_device(const char *kind, int ordinal, struct device_description *description, struct error *error)
{
    struct message answer = {0};
    size_t count = 0;
    int found = 0;
    bool done = ask(measure_describe_request(kind, ordinal, error), &answer, error) &&
                measure_describe_count(&answer, &count, error) &&
                measure_describe_answer(&answer, 0, &found, description, error);
    message_clear(&answer);
    return done;
}

bool describe_devices(const char *kind, struct found_device **devices, size_t *count, struct error *error)
{
    struct message answer = {0};
    size_t found = 0;
    bool done = false;
    *devices = NULL;
    *count = 0;
    if (!ask(measure_describe_request(kind, -1, error), &answer, error) ||
        !measure_describe_count(&answer, &found, error))
        goto out;
    *devices = calloc(found + 1, sizeof **devices);
    if (!*devices) {
        error_out_of_memory(error);
        goto out;
    }
    for (size_t i = 0; i < found; i++) {
        struct found_device *device = &(*devices)[i];
        device->works = measure_describe_answer(&answer, i, &device->ordinal, &device->description, &device->why);
    }
    *count = found;
    done = true;
out:
    message_clear(&answer);
    return done;
}

bool describe_compiler(const char *kind, char *name, size_t bytes, struct error *error)
{
    struct message answer = {0};
    bool done = ask(measure_compiler_request(kind, error), &answer, error) &&
                measure_compiler_answer(&answer, name, bytes, error);
    message_clear(&answer);
    return done;
}

bool count_devices(const char *kind, int *count, struct error *why)
{
    struct message answer = {0};
    *count = 0;
    bool done = ask(measure_count_request(kind, why), &answer, why) && measure_count_answer(&answer, count, why);
    message_clear(&answer);
    return done;
}
