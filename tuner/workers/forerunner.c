/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/forerunner.h"

#include "tuner/workers/crew.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/scratch.h"

#include <stdlib.h>
#include <string.h>

struct forerunner {
    struct scratch scratch;
    struct worker *worker; /* NULL: lost or taken */
    char kind[16];
    int ordinal;
};

static bool ask(struct worker *worker, const char *kind, int ordinal, bool use_cache, struct error *error)
{
    json_t *request = measure_forerun_request(kind, ordinal, use_cache, error);
    bool done = request && worker_ask(worker, request, NULL, 0, CREW_DEADLINE, error);
    json_decref(request);
    return done;
}

bool forerunner_start(const char *kind, int ordinal, const struct confinement *confinement, bool use_cache,
                      struct forerunner **result, struct error *error)
{
    struct forerunner *forerunner = calloc(1, sizeof *forerunner);
    *result = NULL;
    if (!forerunner)
        return error_out_of_memory(error);
    snprintf(forerunner->kind, sizeof forerunner->kind, "%s", kind);
    forerunner->ordinal = ordinal;
    if (!scratch_create(&forerunner->scratch, error)) {
        free(forerunner);
        return false;
    }
    if (worker_start("measure", confinement, forerunner->scratch.path, &forerunner->worker, error) &&
        ask(forerunner->worker, kind, ordinal, use_cache, error)) {
        *result = forerunner;
        return true;
    }
    forerunner_end(forerunner);
    return false;
}

bool forerunner_is_on(const struct forerunner *forerunner, const char *kind, int ordinal)
{
    return forerunner && forerunner->worker && strcmp(forerunner->kind, kind) == 0 && forerunner->ordinal == ordinal;
}

bool forerunner_describe(struct forerunner *forerunner, struct device_description *description)
{
    struct message answer = {0};
    size_t count = 0;
    int found = 0;
    bool done = worker_await(forerunner->worker, &answer, NULL) == WORKER_ANSWER &&
                measure_describe_count(&answer, &count, NULL) &&
                measure_describe_answer(&answer, 0, &found, description, NULL);
    message_clear(&answer);
    if (!done)
        worker_end(forerunner_take(forerunner));
    return done;
}

struct worker *forerunner_take(struct forerunner *forerunner)
{
    struct worker *worker = forerunner ? forerunner->worker : NULL;
    if (forerunner)
        forerunner->worker = NULL;
    return worker;
}

void forerunner_end(struct forerunner *forerunner)
{
    if (!forerunner)
        return;
    worker_end(forerunner->worker);
    scratch_remove(&forerunner->scratch);
    free(forerunner);
}
