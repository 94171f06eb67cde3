/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/worker_process.h"

#include "tuner/device/monotonic.h"
#include "tuner/evaluation/transient.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/process_memory.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/stopped.h"
#include "tuner/workers/worker_output.h"
#include "tuner/workers/worker_spawn.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ANSWER_JSON_MOST = 32 << 20,
    ANSWER_BLOB_MOST = 512 << 20, /* an image */
    NOTES_MOST = 10000,           /* about one request */
};

static const double farewell_seconds = 1.0;  /* for an idle worker to exit by itself */
static const double overslept_seconds = 1.0; /* a wait that took so much too long: this process did not run */
static const double look_seconds = 0.1;      /* between two looks at a worker's memory */
static const double reap_seconds = 10.0;     /* for a killed one; a GPU driver may delay its end */

struct worker {
    pid_t pid;
    bool reaped;
    int status; /* from waitpid */
    struct channel *channel;
    bool ended;         /* its end of the socket is closed */
    bool broken;        /* cannot be used any more: it sent a malformed message, or memory ran out here */
    bool memory_failed; /* memory ran out here while receiving */
    bool stopped;       /* while its deadline passed */
    char malformed[256];
    uint64_t memory_most, memory_taken; /* bytes; 0: any number, not too many */
    double next_look;
    uint64_t number; /* of the current request; the next one's is one more */
    unsigned notes;  /* about the current request */
    bool busy;
    bool has_ahead; /* a request after the current one */
    char note[64];
    bool dismissed;
    bool distrusted;
    double deadline;      /* of the current request, if busy */
    double ahead_seconds; /* for the next one */
    struct worker_output output;
    size_t printed_before; /* what had arrived while the current request was still unanswered */
    size_t shown_from;     /* earlier output says nothing about the current request */
    char folder[600];
    bool confined;
    char obituary[WORKER_OUTPUT_KEPT + 512];
};

/* Not to be guessed by a kernel that writes to its worker's socket. */
static uint64_t first_number(void)
{
    uint32_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
        number = (uint32_t)getpid();
    return (uint64_t)number << 24;
}

bool worker_start(const char *role, const struct confinement *confinement, const char *scratch_folder,
                  struct worker **result, struct error *error)
{
    struct worker_spawned spawned;
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return error_out_of_memory(error);
    worker_output_begin(&worker->output, -1);
    worker->confined = confinement != NULL;
    worker->number = first_number();
    int length = snprintf(worker->folder, sizeof worker->folder, "%s/worker-XXXXXX", scratch_folder);
    if (length < 0 || (size_t)length >= sizeof worker->folder || !mkdtemp(worker->folder)) {
        worker->folder[0] = '\0';
        error_set(error, ERROR_SYSTEM, "cannot make a folder in %s: %s", scratch_folder, strerror(errno));
        goto failed;
    }
    if (!worker_spawn(role, confinement, worker->folder, &spawned, error))
        goto failed;
    worker->pid = spawned.pid;
    worker_output_begin(&worker->output, spawned.output);
    if (!channel_create(spawned.socket, &worker->channel, error)) {
        close(spawned.socket);
        goto failed;
    }
    channel_bound(worker->channel, ANSWER_JSON_MOST, ANSWER_BLOB_MOST);
    *result = worker;
    return true;
failed:
    worker_end(worker);
    return false;
}

void worker_bound_memory(struct worker *worker, uint64_t bytes)
{
    worker->memory_most = bytes;
}

/* Give up on it: what it sends is malformed, or cannot be received for lack of memory. */
static void break_off(struct worker *worker, const struct error *error)
{
    if (!worker->broken)
        snprintf(worker->malformed, sizeof worker->malformed, "%.250s", error->text);
    worker->broken = true;
    worker->memory_failed = worker->memory_failed || error->code != ERROR_MESSAGE;
}

static void receive(struct worker *worker)
{
    bool ended = false;
    struct error error = {0};
    if (!channel_fill(worker->channel, &ended, &error))
        break_off(worker, &error);
    worker->ended = worker->ended || ended;
}

/* A worker that accepts no more input is ending, but may have answered before; worker_next finds out. */
static void flush(struct worker *worker)
{
    if (channel_flush(worker->channel, NULL))
        return;
    receive(worker);
    worker->ended = true;
}

static void begin(struct worker *worker, double seconds)
{
    worker->busy = true;
    worker->number++;
    worker->notes = 0;
    worker->note[0] = '\0';
    worker->deadline = monotonic_seconds() + seconds;
}

bool worker_ask(struct worker *worker, const json_t *request, const void *blob, size_t blob_bytes, double seconds,
                struct error *error)
{
    assert(!worker->busy);
    channel_number(worker->channel, worker->number + 1);
    if (!channel_queue(worker->channel, request, blob, blob_bytes, error))
        return false;
    worker_output_keep(&worker->output);
    worker->shown_from = worker->printed_before = worker->output.printed;
    begin(worker, seconds);
    flush(worker);
    return true;
}

bool worker_ask_ahead(struct worker *worker, const json_t *request, const void *blob, size_t blob_bytes,
                      double seconds, struct error *error)
{
    assert(worker->busy && !worker->has_ahead);
    channel_number(worker->channel, worker->number + 1);
    if (!channel_queue(worker->channel, request, blob, blob_bytes, error))
        return false;
    worker->has_ahead = true;
    worker->ahead_seconds = seconds;
    flush(worker);
    return true;
}

/* The current request is answered: continue with the next one, if there is one. */
static void go_on(struct worker *worker)
{
    worker->busy = false;
    if (!worker->has_ahead)
        return;
    worker->has_ahead = false;
    worker->shown_from = worker->printed_before;
    begin(worker, worker->ahead_seconds);
}

static bool is_watched(const struct worker *worker)
{
    return worker && worker->busy && worker->memory_most > 0 && !worker->ended && !worker->broken;
}

static int milliseconds_left(struct worker *const *workers, size_t count, int milliseconds)
{
    double now = monotonic_seconds(), left = milliseconds / 1e3;
    for (size_t i = 0; i < count; i++) {
        if (workers[i] && workers[i]->busy && workers[i]->deadline - now < left)
            left = workers[i]->deadline - now;
        if (is_watched(workers[i]) && workers[i]->next_look - now < left)
            left = workers[i]->next_look - now;
    }
    return left <= 0 ? 0 : (int)(left * 1e3) + 1;
}

static void move_bytes(struct worker *worker, short socket_events, short output_events)
{
    if (output_events) /* first: see printed_before */
        worker_output_keep(&worker->output);
    if (socket_events & POLLOUT)
        flush(worker);
    if (socket_events & (POLLIN | POLLHUP | POLLERR))
        receive(worker);
}

/* This process was stopped, or frozen with everything else: so may the workers have been. */
static void allow_for_sleep(struct worker *const *workers, size_t count, double overslept)
{
    for (size_t i = 0; overslept > overslept_seconds && i < count; i++) {
        if (workers[i] && workers[i]->busy)
            workers[i]->deadline += overslept;
    }
}

/* The guardian ends everything below it and knows how the worker ended. Should it be stopped, it goes on for that. */
static void demand_end(const struct worker *worker)
{
    kill(worker->pid, SIGTERM);
    kill(worker->pid, SIGCONT);
}

static void look_at_memory(struct worker *worker)
{
    double now = monotonic_seconds();
    if (!is_watched(worker) || now < worker->next_look)
        return;
    uint64_t bytes = process_memory(worker->pid);
    worker->next_look = now + look_seconds;
    if (bytes <= worker->memory_most)
        return;
    worker->memory_taken = bytes;
    worker->ended = true;
    demand_end(worker);
}

bool worker_wait(struct worker *const *workers, size_t count, int milliseconds, struct error *error)
{
    return worker_wait_or(workers, count, -1, milliseconds, error);
}

bool worker_wait_or(struct worker *const *workers, size_t count, int wake, int milliseconds, struct error *error)
{
    assert(count <= WORKERS_MOST);
    struct pollfd entries[2 * WORKERS_MOST + 1];
    entries[2 * count] = (struct pollfd){.fd = wake, .events = POLLIN};
    for (size_t i = 0; i < count; i++) {
        struct worker *worker = workers[i];
        bool open = worker && !worker->ended && !worker->broken;
        entries[2 * i] = (struct pollfd){.fd = open ? channel_socket(worker->channel) : -1, .events = POLLIN};
        if (open && channel_has_queued(worker->channel))
            entries[2 * i].events |= POLLOUT;
        entries[2 * i + 1] = (struct pollfd){.fd = worker ? worker->output.descriptor : -1, .events = POLLIN};
        if (worker && !open)
            milliseconds = 0;
    }
    int most = milliseconds_left(workers, count, milliseconds);
    double start = monotonic_seconds();
    int ready = poll(entries, 2 * count + 1, most);
    if (ready < 0 && errno != EINTR)
        return error_set(error, ERROR_SYSTEM, "cannot wait for the worker processes: %s", strerror(errno));
    allow_for_sleep(workers, count, monotonic_seconds() - start - most / 1e3);
    for (size_t i = 0; ready > 0 && i < count; i++) {
        if (workers[i])
            move_bytes(workers[i], entries[2 * i].revents, entries[2 * i + 1].revents);
    }
    for (size_t i = 0; i < count; i++)
        look_at_memory(workers[i]);
    return true;
}

static void kill_group(const struct worker *worker)
{
    kill(-worker->pid, SIGKILL);
}

/* Kill the rest of its group before reaping the worker: afterwards its process id may be reused. */
static bool reap_within(struct worker *worker, double seconds)
{
    double limit = monotonic_seconds() + seconds;
    const struct timespec pause = {.tv_nsec = 500000};
    while (!worker->reaped) {
        siginfo_t info = {0};
        int failed = waitid(P_PID, (id_t)worker->pid, &info, WEXITED | WNOHANG | WNOWAIT);
        if (failed && errno != EINTR) {
            worker->reaped = true; /* the program ignores SIGCHLD: there is no status */
        } else if (!failed && info.si_pid == worker->pid) {
            kill_group(worker);
            worker->reaped = waitpid(worker->pid, &worker->status, 0) == worker->pid;
        } else if (monotonic_seconds() > limit) {
            return false;
        } else {
            nanosleep(&pause, NULL);
        }
    }
    return true;
}

static void end_now(struct worker *worker)
{
    demand_end(worker);
    if (!reap_within(worker, reap_seconds)) {
        kill_group(worker);
        reap_within(worker, reap_seconds);
    }
}

/* Keep the note if the message is one. */
static bool keep_note(struct worker *worker, const struct message *message)
{
    const char *note = json_string_value(json_object_get(message->json, "note"));
    if (!note || json_object_size(message->json) != 1 || message->blob)
        return false;
    snprintf(worker->note, sizeof worker->note, "%s", note);
    worker->notes++;
    return true;
}

/* Everything must be about the current request. */
static bool check_number(const struct worker *worker, const struct message *message, struct error *error)
{
    if (!worker->busy)
        return message_malformed(error, "nothing was asked");
    if (message->number != worker->number)
        return message_malformed(error, "it answers another request");
    return worker->notes < NOTES_MOST || message_malformed(error, "too many notes");
}

/* The next message that is not a note. */
static bool take_answer(struct worker *worker, struct message *answer)
{
    bool taken = false;
    while (!worker->broken) {
        struct error error = {0};
        if (!channel_take(worker->channel, answer, &taken, &error)) {
            break_off(worker, &error);
            return false;
        }
        if (!taken)
            return false;
        if (!check_number(worker, answer, &error))
            break_off(worker, &error);
        else if (!keep_note(worker, answer))
            return true;
        message_clear(answer);
    }
    return false;
}

static bool is_late(const struct worker *worker)
{
    return worker->busy && !worker->ended && !worker->broken && monotonic_seconds() >= worker->deadline;
}

enum worker_event worker_next(struct worker *worker, struct message *answer)
{
    bool taken = take_answer(worker, answer);
    if (!taken && is_late(worker)) {
        /* The parent itself may have been delayed: what has arrived by now is in time. */
        move_bytes(worker, POLLIN, 0);
        taken = take_answer(worker, answer);
    }
    if (taken && image_offer_is(answer)) {
        worker->notes++;
        return WORKER_MADE;
    }
    if (taken) {
        go_on(worker);
        return WORKER_ANSWER;
    }
    if (worker->ended || worker->broken) {
        end_now(worker); /* the exit status is fixed before the socket closes: this cannot change it */
        return WORKER_DIED;
    }
    if (is_late(worker)) {
        worker->stopped = group_was_stopped(worker->pid);
        demand_end(worker);
        return WORKER_LATE;
    }
    worker->printed_before = worker->output.printed;
    return WORKER_NOTHING;
}

enum worker_event worker_await(struct worker *worker, struct message *answer, struct error *error)
{
    enum { MILLISECONDS = 1000 };
    enum worker_event event;
    do
        event = worker_next(worker, answer);
    while (event == WORKER_NOTHING && worker_wait(&worker, 1, MILLISECONDS, error));
    return event;
}

bool worker_lacked_memory(const struct worker *worker)
{
    return worker->memory_failed || (worker->reaped && !worker->broken && WIFEXITED(worker->status) &&
                                     WEXITSTATUS(worker->status) == WORKER_OUT_OF_MEMORY);
}

bool worker_took_too_much(const struct worker *worker)
{
    return worker->memory_taken > 0;
}

bool worker_is_blameless(const struct worker *worker)
{
    if (worker_took_too_much(worker))
        return false;
    bool failed = worker->reaped && !worker->broken && WIFEXITED(worker->status) &&
                  WEXITSTATUS(worker->status) == WORKER_OF_MACHINE;
    return worker->stopped || failed || worker_lacked_memory(worker) || transient_signal(worker_signal(worker));
}

bool worker_sent_nonsense(const struct worker *worker)
{
    return worker->broken && !worker->memory_failed;
}

int worker_signal(const struct worker *worker)
{
    return worker->reaped && !worker->broken && WIFSIGNALED(worker->status) ? WTERMSIG(worker->status) : 0;
}

const char *worker_obituary(struct worker *worker)
{
    char output[WORKER_OUTPUT_KEPT + 1];
    char *text = worker->obituary;
    size_t size = sizeof worker->obituary;
    worker_output_keep(&worker->output);
    if (worker_took_too_much(worker))
        snprintf(text, size,
                 "it was ended when it had taken %" PRIu64
                 " MiB of memory, with what it had started; it may take %" PRIu64 " MiB (--unconfined lifts that)",
                 worker->memory_taken >> 20, worker->memory_most >> 20);
    else if (worker->broken)
        snprintf(text, size, "%s", worker->malformed);
    else if (worker_lacked_memory(worker))
        snprintf(text, size, "out of memory");
    else if (!worker->reaped)
        snprintf(text, size, "it hangs in the operating system and cannot be killed");
    else if (WIFSIGNALED(worker->status))
        snprintf(text, size, "%s", strsignal(WTERMSIG(worker->status)));
    else
        snprintf(text, size, "it exited with status %d", WEXITSTATUS(worker->status));
    if (worker_output_text(&worker->output, worker->shown_from, output, sizeof output) > 0) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "; it printed last:\n%s", output);
    }
    const char *hint = worker->confined ? confinement_hint(text) : NULL;
    size_t used = strlen(text);
    if (hint)
        snprintf(text + used, size - used, "\n%s", hint);
    return text;
}

const char *worker_note(const struct worker *worker)
{
    return worker->note;
}

pid_t worker_pid(const struct worker *worker)
{
    return worker->pid;
}

void worker_dismiss(struct worker *worker)
{
    if (!worker || worker->busy || worker->dismissed || worker->reaped || !worker->channel)
        return;
    worker->dismissed = true;
    shutdown(channel_socket(worker->channel), SHUT_WR);
}

void worker_distrust(struct worker *worker)
{
    worker->distrusted = true;
}

void worker_end(struct worker *worker)
{
    if (!worker)
        return;
    if (worker->pid > 0 && !worker->reaped) {
        if (!worker->distrusted)
            worker_dismiss(worker);
        if (!worker->dismissed || !reap_within(worker, farewell_seconds))
            end_now(worker);
    }
    channel_free(worker->channel);
    worker_output_end(&worker->output);
    if (worker->folder[0])
        folder_remove(worker->folder);
    free(worker);
}
