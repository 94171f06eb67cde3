/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_cost - where rank 0 becomes the limit: a sweep of a large space of gemm, with everything that rank 0 does
 * (the strategy, lowering, messages, rows in a database), by hands that are simulated: one process says for all of
 * them what real ones would, after the times that a recording has for compiling and for validating and measuring.
 *
 *     cluster_cost RECORDING [HANDS [GPUS [CORES [CONFIGURATIONS [SPEED]]]]]
 *
 * Each hand has so many GPUs and compile workers. SPEED divides the recorded times; with SPEED 0 hands answer at
 * once, which shows rank 0's own cost. What a hand asks for is what a real crew would (tuner/workers/pacing.h).
 */
#include "events.h"
#include "no_device.h"
#include "tests/unit/h100.h"
#include "tuner/cluster/hand_message.h"
#include "tuner/device/monotonic.h"
#include "tuner/engine/sweep.h"
#include "tuner/workers/pacing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANDS_MOST = 1024, BUFFER = 1 << 20, QUEUE_MOST = 256 };

/* ---- the simulated hands */

struct queue {
    uint64_t tokens[QUEUE_MOST];
    size_t first, count;
};

struct simulated {
    int socket;
    char *bytes; /* received */
    size_t count;
    struct pacing pacing;
    struct queue waiting, compiled;
    size_t compiling, measuring;
    uint64_t number, received;
    size_t told;
};

struct simulation {
    struct simulated *hands;
    size_t hand_count, gpus, cores;
    double speed; /* 0: no time passes */
    const struct recording *recording;
    struct events tasks;          /* under way */
    struct evaluation evaluation; /* of all */
    double busy;                  /* seconds of GPUs */
};

static void push(struct queue *queue, uint64_t token)
{
    if (queue->count == QUEUE_MOST)
        abort();
    queue->tokens[(queue->first + queue->count++) % QUEUE_MOST] = token;
}

static uint64_t pop(struct queue *queue)
{
    uint64_t token = queue->tokens[queue->first];
    queue->first = (queue->first + 1) % QUEUE_MOST;
    queue->count--;
    return token;
}

static void send_bytes(const struct simulated *hand, const void *bytes, size_t count)
{
    for (size_t sent = 0; sent < count;) {
        ssize_t put = send(hand->socket, (const char *)bytes + sent, count - sent, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR)
            return; /* rank 0 has what it wanted */
        sent += put > 0 ? (size_t)put : 0;
    }
}

/* Takes the message over. */
static void send_message(const struct simulated *hand, struct message *message)
{
    char bytes[16384];
    char *text = json_dumps(message->json, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0;
    const struct message_header header = {MESSAGE_MAGIC, (uint32_t)length, message->blob_bytes, hand->number};
    if (sizeof header + length + message->blob_bytes > sizeof bytes)
        abort();
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, text, length);
    if (message->blob)
        memcpy(bytes + sizeof header + length, message->blob, message->blob_bytes);
    send_bytes(hand, bytes, sizeof header + length + message->blob_bytes);
    free(text);
    message_clear(message);
}

static size_t room_of(const struct simulated *hand)
{
    const struct pacing_load load = {.waiting = hand->waiting.count,
                                     .compiling = hand->compiling,
                                     .compiled = hand->compiled.count,
                                     .measuring = hand->measuring};
    return pacing_room(&hand->pacing, &load);
}

static struct hand_load load_of(struct simulated *hand)
{
    size_t room = room_of(hand);
    hand->told = room + hand->received;
    return (struct hand_load){.room = room,
                              .received = hand->received,
                              .crew = {.compilers = hand->pacing.compilers,
                                       .compiling = hand->compiling,
                                       .measurers = hand->pacing.measurers,
                                       .measuring = hand->measuring}};
}

static void tell_load(struct simulated *hand)
{
    if (room_of(hand) + hand->received == hand->told)
        return;
    const struct hand_load load = load_of(hand);
    send_message(hand, &(struct message){.json = hand_load_message(&load)});
}

static void finish(const struct simulation *simulation, struct simulated *hand, uint64_t token)
{
    const struct candidate done = {.index = token,
                                   .evaluation = simulation->evaluation,
                                   .image = &token, /* each has another */
                                   .image_bytes = sizeof token};
    const struct hand_load load = load_of(hand);
    struct message message;
    if (!hand_finished(&done, &load, false, &message, NULL))
        abort();
    send_message(hand, &message);
}

static void begin(struct simulation *simulation, size_t which, enum stage stage, uint64_t token, double now)
{
    double recorded = recorded_seconds(simulation->recording, token, stage);
    double seconds = simulation->speed > 0 ? recorded / simulation->speed : 0;
    struct simulated *hand = &simulation->hands[which];
    hand->compiling += stage == COMPILING;
    hand->measuring += stage == MEASURING;
    events_push(&simulation->tasks, (struct event){now + seconds, seconds, which, stage, token});
}

static void staff(struct simulation *simulation, size_t which, double now)
{
    struct simulated *hand = &simulation->hands[which];
    while (hand->waiting.count > 0 && hand->compiling < simulation->cores)
        begin(simulation, which, COMPILING, pop(&hand->waiting), now);
    while (hand->compiled.count > 0 && hand->measuring < simulation->gpus)
        begin(simulation, which, MEASURING, pop(&hand->compiled), now);
}

static void end_task(struct simulation *simulation, const struct event *task)
{
    struct simulated *hand = &simulation->hands[task->hand];
    if (task->stage == COMPILING) {
        hand->compiling--;
        pacing_learn(&hand->pacing.compile, task->seconds);
        push(&hand->compiled, task->token);
    } else {
        hand->measuring--;
        pacing_learn(&hand->pacing.measure, task->seconds);
        simulation->busy += task->seconds;
        finish(simulation, hand, task->token);
    }
    staff(simulation, task->hand, task->time);
}

/* Only what a candidate is called matters, so its job is not read. */
static void obey(struct simulation *simulation, size_t which, const char *text, size_t length)
{
    struct simulated *hand = &simulation->hands[which];
    const char *token = memmem(text, length, "\"token\":", 8);
    if (memmem(text, length < 64 ? length : 64, "\"evaluate\"", 10) && token) {
        hand->received++;
        push(&hand->waiting, strtoull(token + 8, NULL, 10));
        staff(simulation, which, monotonic_seconds());
    } else if (memmem(text, length < 64 ? length : 64, "\"open\"", 6)) {
        hand->received = 0;
        hand->told = SIZE_MAX;
        tell_load(hand);
    } else if (memmem(text, length, "\"hello\"", 7)) {
        send_message(hand, &(struct message){.json = hand_hello("simulated", "simulated", "1-0")});
    }
}

/* False: rank 0 has closed the connection. */
static bool receive(struct simulation *simulation, size_t which)
{
    struct simulated *hand = &simulation->hands[which];
    ssize_t got = recv(hand->socket, hand->bytes + hand->count, BUFFER - hand->count, MSG_DONTWAIT);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    hand->count += (size_t)got;
    size_t at = 0;
    for (struct message_header header; hand->count - at >= sizeof header;) {
        memcpy(&header, hand->bytes + at, sizeof header);
        size_t whole = sizeof header + header.json_bytes + (size_t)header.blob_bytes;
        if (hand->count - at < whole)
            break;
        hand->number = header.number;
        obey(simulation, which, hand->bytes + at + sizeof header, header.json_bytes);
        at += whole;
    }
    memmove(hand->bytes, hand->bytes + at, hand->count - at);
    hand->count -= at;
    return true;
}

static int milliseconds_to_next(const struct simulation *simulation)
{
    if (simulation->tasks.count == 0)
        return 1000;
    double left = (simulation->tasks.list[0].time - monotonic_seconds()) * 1e3;
    return left <= 0 ? 0 : (int)ceil(left);
}

static int simulate(struct simulation *simulation, const int *sockets, double began)
{
    struct epoll_event events[HANDS_MOST];
    int wake = epoll_create1(0);
    double samples[NO_DEVICE_SAMPLES];
    simulation->evaluation = no_device_evaluation(samples);
    simulation->hands = calloc(simulation->hand_count, sizeof *simulation->hands);
    for (size_t i = 0; i < simulation->hand_count; i++) {
        simulation->hands[i] =
            (struct simulated){.socket = sockets[i],
                               .bytes = malloc(BUFFER),
                               .pacing = {.compilers = simulation->cores, .measurers = simulation->gpus}};
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
        epoll_ctl(wake, EPOLL_CTL_ADD, sockets[i], &event);
    }
    for (bool open = true; open;) {
        int count = epoll_wait(wake, events, HANDS_MOST, milliseconds_to_next(simulation));
        for (int i = 0; i < count; i++)
            open = receive(simulation, (size_t)events[i].data.u64) && open;
        for (double now = monotonic_seconds();
             simulation->tasks.count > 0 && simulation->tasks.list[0].time <= now;) {
            struct event task = events_pop(&simulation->tasks);
            end_task(simulation, &task);
        }
        for (size_t i = 0; i < simulation->hand_count; i++)
            tell_load(&simulation->hands[i]);
    }
    double all = (monotonic_seconds() - began) * (double)(simulation->hand_count * simulation->gpus);
    printf("%.0f %% of the GPUs' time used\n", 100 * simulation->busy / all);
    return EXIT_SUCCESS;
}

/* ---- rank 0 */

static double computed(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime) : 0;
}

static bool sweep(const struct problem *problem, const struct fleet_away *away, const char *database, uint64_t budget,
                  struct error *error)
{
    struct store *store = NULL;
    struct sweep_summary summary = {0};
    const struct sweep_options options = {.strategy = strategy_find("random"),
                                          .strategy_text = "random",
                                          .seed = 1,
                                          .budget_evaluations = budget,
                                          .away = away};
    if (!store_open(database, false, &store, error))
        return false;
    double start = monotonic_seconds(), before = computed();
    bool done = sweep_run(problem, store, &options, NULL, NULL, &summary, error);
    double seconds = monotonic_seconds() - start;
    if (done)
        printf("%zu evaluations in %.2f s: %.0f a second; rank 0 computed %.1f us for each; ", summary.progress.done,
               seconds, (double)summary.progress.done / seconds,
               (computed() - before) * 1e6 / (double)summary.progress.done);
    fflush(stdout);
    store_close(store);
    return done;
}

/* Spaces that are shipped are too small for a thousand GPUs. */
static bool write_space(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("space large of gemm\nset VARIANT = \"joint\"\nparam TILE_T = [64, 128, 256, 512]\n"
          "param TILE_U = [16, 32, 64]\nparam TILE_S = [4, 8, 16]\nparam COLUMNS = [1, 2, 4]\n"
          "param UNROLL = range(1, 65)\nparam PREFETCH = [0, 1]\nset PAD = 0\nparam MIN_BLOCKS = range(1, 33)\n"
          "where 64 <= TILE_T // COLUMNS <= 512\n",
          file);
    return fclose(file) == 0;
}

static bool run(const int *sockets, size_t hand_count, size_t gpus, uint64_t budget, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct problem *problem = NULL;
    struct fleet_away away = {.share_count = hand_count, .no_crew = true};
    struct device_description description = h100;
    char folder[] = "/tmp/cluster-cost-XXXXXX", database[64], path[64], command[80];
    struct hand_share *shares = calloc(hand_count, sizeof *shares);
    if (!shares || !mkdtemp(folder))
        return error_out_of_memory(error);
    for (size_t i = 0; i < hand_count; i++)
        shares[i] = (struct hand_share){.hand = i, .device = description, .ordinal_count = gpus};
    away.shares = shares;
    snprintf(database, sizeof database, "%s/tune.db", folder);
    snprintf(path, sizeof path, "%s/large.space", folder);
    bool done = write_space(path) && hands_create(sockets, hand_count, NULL, &away.hands, error) &&
                template_read(TUNE_SOURCE_FOLDER "/templates/gemm", &template, error) &&
                space_read(path, template, &space, error) &&
                problem_create(template, space, &description, NULL, 0, &problem, error) &&
                sweep(problem, &away, database, budget, error);
    problem_free(problem);
    space_free(space);
    template_free(template);
    hands_free(away.hands);
    free(shares);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && done;
}

int main(int count, char **arguments)
{
    struct error error = {0};
    struct recordings recordings = {0};
    int ours[HANDS_MOST], theirs[HANDS_MOST];
    size_t hand_count = (size_t)argument(count, arguments, 2, 1);
    if (count < 2 || hand_count < 1 || hand_count > HANDS_MOST) {
        fputs("usage: cluster_cost RECORDING [HANDS [GPUS [CORES [CONFIGURATIONS [SPEED]]]]]\n", stderr);
        return 2;
    }
    if (!recordings_read(arguments[1], &recordings, &error)) {
        error_print(&error, stderr);
        return EXIT_FAILURE;
    }
    struct rlimit files = {.rlim_cur = 2 * HANDS_MOST + 100, .rlim_max = 2 * HANDS_MOST + 100};
    (void)setrlimit(RLIMIT_NOFILE, &files);
    for (size_t i = 0; i < hand_count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
            return EXIT_FAILURE;
        ours[i] = pair[0];
        theirs[i] = pair[1];
    }
    double began = monotonic_seconds();
    pid_t child = fork();
    struct simulation simulation = {.hand_count = hand_count,
                                    .gpus = (size_t)argument(count, arguments, 3, 1),
                                    .cores = (size_t)argument(count, arguments, 4, 15),
                                    .speed = argument(count, arguments, 6, 1),
                                    .recording = recordings.items[0]};
    for (size_t i = 0; i < hand_count; i++)
        close(child == 0 ? ours[i] : theirs[i]);
    if (child == 0)
        return simulate(&simulation, theirs, began);
    bool done = run(ours, hand_count, simulation.gpus, (uint64_t)argument(count, arguments, 5, 2000), &error);
    if (!done)
        error_print(&error, stderr);
    waitpid(child, NULL, 0);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
