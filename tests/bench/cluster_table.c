/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_table - sweeps by 1 to 1,024 GPUs, simulated: where rank 0 becomes the limit.
 *
 *     cluster_table RECORDING [MICROSECONDS [GPUS [CORES [COMPILING]]]]
 *
 * Hands with so many GPUs and compile workers each take candidates as real ones do (tuner/workers/pacing.h), which
 * take as long as the recording says; COMPILING divides the times of compiling. Rank 0 is one server that spends so
 * many microseconds on each evaluation (cluster_cost measures them), half of them on what it sends and half on what
 * it stores. Time is simulated.
 */
#include "events.h"
#include "tuner/workers/pacing.h"

#include <math.h>
#include <stdlib.h>

enum { GPUS_MOST = 1024, EACH = 400 }; /* evaluations for each GPU */

struct hand {
    struct pacing pacing;
    struct pacing_load load;
};

struct simulation {
    const struct recording *recording;
    struct hand *hands;
    size_t hand_count, gpus, cores, left, drawn;
    struct events events;
    double faster;             /* compiling than recorded */
    double cost, free_at;      /* of rank 0: seconds for each evaluation; when it is free */
    double used, worked, last; /* seconds of GPUs and of rank 0; when the last was measured */
};

static double draw(struct simulation *simulation, enum stage stage)
{
    double seconds = recorded_seconds(simulation->recording, simulation->drawn++, stage);
    return stage == COMPILING ? seconds / simulation->faster : seconds;
}

static void begin(struct simulation *simulation, size_t which, enum stage stage, double now)
{
    double seconds = draw(simulation, stage);
    events_push(&simulation->events, (struct event){now + seconds, seconds, which, stage, 0});
}

static void staff(struct simulation *simulation, size_t which, double now)
{
    struct pacing_load *load = &simulation->hands[which].load;
    for (; load->waiting > 0 && load->compiling < simulation->cores; load->waiting--, load->compiling++)
        begin(simulation, which, COMPILING, now);
    for (; load->compiled > 0 && load->measuring < simulation->gpus; load->compiled--, load->measuring++)
        begin(simulation, which, MEASURING, now);
}

/* Rank 0 spends half of an evaluation's cost, from `now` on or when it is free; returns when it has. */
static double work(struct simulation *simulation, double now)
{
    simulation->free_at = fmax(simulation->free_at, now) + simulation->cost / 2;
    simulation->worked += simulation->cost / 2;
    return simulation->free_at;
}

/* Candidates for a hand as it has room, each of which is on its way until rank 0 has sent it. */
static void give(struct simulation *simulation, size_t which, double now)
{
    struct hand *hand = &simulation->hands[which];
    for (size_t room = pacing_room(&hand->pacing, &hand->load); room > 0 && simulation->left > 0; room--) {
        simulation->left--;
        hand->load.finished++; /* it takes room */
        events_push(&simulation->events, (struct event){work(simulation, now), 0, which, ARRIVING, 0});
    }
}

static void handle(struct simulation *simulation, const struct event *event)
{
    struct hand *hand = &simulation->hands[event->hand];
    if (event->stage == ARRIVING) {
        hand->load.finished--;
        hand->load.waiting++;
    } else if (event->stage == COMPILING) {
        pacing_learn(&hand->pacing.compile, event->seconds);
        hand->load.compiling--;
        hand->load.compiled++;
    } else {
        pacing_learn(&hand->pacing.measure, event->seconds);
        hand->load.measuring--;
        simulation->used += event->seconds;
        simulation->last = event->time;
    }
    staff(simulation, event->hand, event->time);
    double now = event->stage == MEASURING ? work(simulation, event->time) : event->time;
    if (event->stage != ARRIVING)
        give(simulation, event->hand, now);
}

/* The rate of the middle half, which the beginning and the end do not touch. */
static double run(struct simulation *simulation)
{
    size_t all = simulation->left, measured = 0;
    double first = 0, last = 0;
    for (size_t i = 0; i < simulation->hand_count; i++) {
        simulation->hands[i] =
            (struct hand){.pacing = {.compilers = simulation->cores, .measurers = simulation->gpus}};
        give(simulation, i, 0);
    }
    while (simulation->events.count > 0) {
        struct event event = events_pop(&simulation->events);
        handle(simulation, &event);
        measured += event.stage == MEASURING;
        if (event.stage == MEASURING && measured == all / 4)
            first = event.time;
        if (event.stage == MEASURING && measured == all / 4 * 3)
            last = event.time;
    }
    return 0.5 * (double)all / (last - first);
}

int main(int count, char **arguments)
{
    struct error error = {0};
    struct recordings recordings = {0};
    size_t gpus_each = (size_t)argument(count, arguments, 3, 4), cores = (size_t)argument(count, arguments, 4, 60);
    double cost = argument(count, arguments, 2, 50) / 1e6, one = 0;
    if (count < 2 || gpus_each < 1 || cores < 1) {
        fputs("usage: cluster_table RECORDING [MICROSECONDS [GPUS [CORES [COMPILING]]]]\n", stderr);
        return 2;
    }
    if (!recordings_read(arguments[1], &recordings, &error)) {
        error_print(&error, stderr);
        return EXIT_FAILURE;
    }
    printf(
        "| GPUs | evaluations a second | of N times one GPU's | GPUs busy | rank 0 busy |\n|---|---|---|---|---|\n");
    for (size_t gpus = 1; gpus <= GPUS_MOST; gpus *= 2) {
        size_t own = gpus < gpus_each ? gpus : gpus_each;
        struct simulation simulation = {.recording = recordings.items[0],
                                        .hand_count = gpus / own,
                                        .gpus = own,
                                        .cores = cores * own / gpus_each,
                                        .left = gpus * EACH,
                                        .cost = cost,
                                        .faster = argument(count, arguments, 5, 1)};
        simulation.hands = calloc(simulation.hand_count, sizeof *simulation.hands);
        if (!simulation.hands)
            return EXIT_FAILURE;
        double rate = run(&simulation);
        one = gpus == 1 ? rate : one;
        printf("| %zu | %.0f | %.0f %% | %.0f %% | %.1f %% |\n", gpus, rate, 100 * rate / one / (double)gpus,
               100 * simulation.used / simulation.last / (double)gpus, 100 * simulation.worked / simulation.last);
        free(simulation.hands);
        free(simulation.events.list);
    }
    recordings_clear(&recordings);
    return EXIT_SUCCESS;
}
