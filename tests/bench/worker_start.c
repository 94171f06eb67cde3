/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it costs to start and end a measuring worker: unconfined, confined as on the CPU device (with a process
 * namespace), and confined as on a GPU (without one). Each answers one question that needs no device.
 *
 *     worker_start [COUNT]
 */
#include "tuner/device/monotonic.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/worker_main.h"
#include "tuner/workers/worker_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool start_and_end(const struct confinement *confinement, const char *folder, struct error *error)
{
    struct worker *worker = NULL;
    struct message answer = {0};
    enum worker_event event = WORKER_NOTHING;
    json_t *request = measure_count_request("cpu", error);
    bool done = request && worker_start("measure", confinement, folder, &worker, error) &&
                worker_ask(worker, request, NULL, 0, 10, error);
    if (done)
        event = worker_await(worker, &answer, error);
    done = done && event != WORKER_NOTHING;
    if (done && event != WORKER_ANSWER)
        done = error_set(error, ERROR_WORK, "no answer: %s", worker_obituary(worker));
    message_clear(&answer);
    worker_end(worker);
    json_decref(request);
    return done;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker_main(arguments[2], atoi(arguments[3]));
    const struct confinement host = {0}, accelerator = {.accelerator = true};
    const struct {
        const char *name;
        const struct confinement *confinement;
    } cases[] = {{"unconfined", NULL}, {"confined, CPU device", &host}, {"confined, GPU", &accelerator}};
    struct scratch scratch;
    struct error error = {0};
    int rounds = count > 1 ? atoi(arguments[1]) : 200;
    bool done = scratch_create(&scratch, &error);
    for (size_t i = 0; done && i < sizeof cases / sizeof *cases; i++) {
        double fastest = INFINITY, start = monotonic_seconds();
        for (int round = 0; done && round < rounds; round++) {
            double begun = monotonic_seconds();
            done = start_and_end(cases[i].confinement, scratch.path, &error);
            fastest = fmin(fastest, monotonic_seconds() - begun);
        }
        printf("%-22s mean %6.2f ms, fastest %6.2f ms\n", cases[i].name, 1e3 * (monotonic_seconds() - start) / rounds,
               1e3 * fastest);
    }
    scratch_remove(&scratch);
    if (!done)
        error_print(&error, stderr);
    return done ? 0 : 1;
}
