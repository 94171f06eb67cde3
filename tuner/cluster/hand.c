/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hand.h"

#include "tuner/cluster/hand_lowering.h"
#include "tuner/cluster/hand_message.h"
#include "tuner/cluster/hand_request.h"
#include "tuner/device/device.h"
#include "tuner/device/monotonic.h"
#include "tuner/lang/template.h"
#include "tuner/workers/placement.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double sign_seconds = 5.0; /* between two signs of life */

struct hand {
    struct channel *channel;
    const struct hand_host *host;
    struct crew *crew;           /* NULL: no session */
    struct hand_opening opening; /* of the session, as is the template */
    struct template *template;
    json_t *tokens; /* of candidates inside: an object with a member for each */
    uint64_t received;
    struct hand_load told;
    double told_at;
};

void hand_node(char *name, size_t size)
{
    const char *given = getenv("TUNE_NODE");
    if (given && *given)
        snprintf(name, size, "%s", given);
    else if (gethostname(name, size) != 0)
        snprintf(name, size, "unknown");
    name[size - 1] = '\0';
}

void hand_cores(char text[24])
{
    const cpu_set_t cores = placement_cores();
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof cores; i++)
        hash = hash * 31 + ((const unsigned char *)&cores)[i];
    snprintf(text, 24, "%d-%08x", CPU_COUNT(&cores), (unsigned)hash);
}

/* ---- to rank 0 */

static bool say(struct hand *hand, json_t *json, struct error *error)
{
    bool said = json ? hand_queue(hand->channel, json, NULL, 0, error) : error_out_of_memory(error);
    json_decref(json);
    return said && channel_flush(hand->channel, error);
}

static struct hand_load load_of(const struct hand *hand)
{
    return (struct hand_load){.room = crew_room(hand->crew),
                              .received = hand->received,
                              .crew = crew_load(hand->crew),
                              .held_up = crew_seconds_held_up(hand->crew)};
}

/* What a message said of the load need not be said again. */
static const struct hand_load *telling(struct hand *hand)
{
    hand->told = load_of(hand);
    hand->told_at = monotonic_seconds();
    return &hand->told;
}

/* What rank 0 has sent and is still under way takes room that it knows of: only the sum is news. */
static bool tell_load(struct hand *hand, struct error *error)
{
    struct hand_load load = load_of(hand);
    if (load.room + load.received == hand->told.room + hand->told.received &&
        monotonic_seconds() - hand->told_at < sign_seconds)
        return true;
    return say(hand, hand_load_message(telling(hand)), error);
}

static void notice(const char *text, void *context)
{
    (void)say(context, hand_notice(text), NULL); /* if rank 0 is gone, that will show */
}

/* ---- sessions */

static void end_session(struct hand *hand)
{
    crew_free(hand->crew);
    hand->crew = NULL;
    hand_opening_clear(&hand->opening);
    template_free(hand->template);
    hand->template = NULL;
    json_decref(hand->tokens);
    hand->tokens = NULL;
}

static bool fail_session(struct hand *hand, const struct error *failure, struct error *error)
{
    end_session(hand);
    return say(hand, hand_failed(failure), error);
}

/* Rows are stored under the hash of what rank 0 has read: what is compiled here must be the same. */
static bool check_template(struct hand *hand, struct error *error)
{
    const char *path = hand->opening.template_path;
    char node[256];
    hand_node(node, sizeof node);
    if (!template_read(path, &hand->template, error))
        return error_hint(error, "%.100s does not have the template where rank 0 has it: is the folder shared?",
                          node);
    if (strcmp(hand->template->hash, hand->opening.template_hash) == 0)
        return true;
    error_set(error, ERROR_INPUT, "%s is not the same on %.100s as on rank 0", path, node);
    return error_hint(error, "all nodes must see the same files: use a shared folder");
}

static bool begin_session(struct hand *hand, json_t *request, struct error *error)
{
    struct crew_plan *plan = &hand->opening.plan;
    if (!hand_opening_read(request, &hand->opening, error) || !check_template(hand, error))
        return false;
    plan->wake = channel_socket(hand->channel);
    plan->notice = notice;
    plan->notice_context = hand;
    return crew_create(plan, &hand->crew, error);
}

static bool open_session(struct hand *hand, struct message *message, struct error *error)
{
    struct error reason = {0};
    end_session(hand);
    channel_number(hand->channel, message->number);
    hand->tokens = json_object();
    hand->received = 0;
    if (!hand->tokens)
        return error_out_of_memory(error);
    if (!begin_session(hand, message->json, &reason))
        return fail_session(hand, &reason, error);
    return say(hand, hand_load_message(telling(hand)), error);
}

/* ---- candidates */

static void token_text(char text[24], size_t token)
{
    snprintf(text, 24, "%zu", token);
}

/* What cannot be lowered here, rank 0 lowers; if it cannot either, that is the row. */
static bool refuse(struct hand *hand, struct candidate *candidate, struct error *error)
{
    uint64_t token = candidate->index;
    candidate_free(candidate);
    return say(hand, hand_refused(token, telling(hand)), error);
}

static bool evaluate(struct hand *hand, struct message *message, struct error *error)
{
    char text[24];
    struct candidate *candidate;
    const json_t *order;
    if (!hand_candidate_read(message, &candidate, &order, error))
        return false;
    if (order && !hand_lower(order, hand->template, &hand->opening.target, &candidate->job, NULL)) {
        hand->received++;
        return refuse(hand, candidate, error);
    }
    token_text(text, candidate->index);
    if (json_object_set_new(hand->tokens, text, json_integer((json_int_t)candidate->index)) != 0) {
        candidate_free(candidate);
        return error_out_of_memory(error);
    }
    hand->received++;
    crew_submit(hand->crew, candidate);
    return true;
}

/* Give back all that no worker is measuring. */
static bool drop(struct hand *hand, struct message *message, struct error *error)
{
    (void)message;
    json_t *dropped = json_array(), *token;
    const char *text;
    void *next;
    if (!dropped)
        return error_out_of_memory(error);
    crew_drop_waiting(hand->crew);
    json_object_foreach_safe(hand->tokens, next, text, token)
    {
        if (crew_has(hand->crew, (size_t)json_integer_value(token)))
            continue;
        if (json_array_append(dropped, token) != 0) {
            json_decref(dropped);
            return error_out_of_memory(error);
        }
        (void)json_object_del(hand->tokens, text);
    }
    return say(hand, hand_returned(dropped, telling(hand)), error);
}

static bool closing(struct hand *hand, struct message *message, struct error *error)
{
    (void)error;
    if (json_is_true(json_object_get(message->json, "closing")))
        crew_close(hand->crew);
    else
        crew_reopen(hand->crew);
    return true;
}

static bool close_session(struct hand *hand, struct message *message, struct error *error)
{
    (void)message, (void)error;
    end_session(hand);
    return true;
}

/* ---- outside of sessions */

static bool hello(struct hand *hand, struct message *message, struct error *error)
{
    (void)message;
    char host[256] = "", node[256], cores[24];
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    hand_node(node, sizeof node);
    hand_cores(cores);
    return say(hand, hand_hello(host, node, cores), error);
}

static bool has_kind(const struct found_device *devices, size_t count, const char *kind)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(devices[i].description.kind, kind) == 0)
            return true;
    }
    return false;
}

/* For devices that others may have and this node has not, or not for this job. New reference; NULL: out of memory. */
static json_t *other_compilers(const struct found_device *devices, size_t count)
{
    json_t *compilers = json_object();
    for (size_t i = 0; compilers && i < device_driver_count; i++) {
        struct device_description other = {0};
        const struct device_driver *driver = device_drivers[i];
        if (driver->shares_cores || has_kind(devices, count, driver->kind) ||
            !describe_compiler(driver->kind, other.compiler, sizeof other.compiler, NULL) || !other.compiler[0])
            continue;
        if (json_object_set_new(compilers, driver->kind, json_string(other.compiler)) != 0) {
            json_decref(compilers);
            return NULL;
        }
    }
    return compilers;
}

static bool devices(struct hand *hand, struct message *message, struct error *error)
{
    struct error failure = {0};
    struct found_device *found = NULL;
    size_t count = 0;
    const char *text = json_string_value(json_object_get(message->json, "device"));
    bool has = hand->host->devices(text, &found, &count, &failure);
    json_t *compilers = other_compilers(found, count);
    bool done =
        say(hand, has ? hand_devices(found, count, compilers) : hand_devices_failed(&failure, compilers), error);
    free(found);
    return done;
}

static bool say_text(struct hand *hand, struct message *message, struct error *error)
{
    const char *text = json_string_value(json_object_get(message->json, "text"));
    if (!text)
        return message_malformed(error, "say");
    hand->host->say(text);
    return true;
}

static const struct {
    const char *name;
    bool (*obey)(struct hand *hand, struct message *message, struct error *error);
    bool in_session; /* elsewhere it comes too late, and is ignored */
} requests[] = {
    {"hello", hello, false},        {"devices", devices, false}, {"open", open_session, false},
    {"evaluate", evaluate, true},   {"drop", drop, true},        {"closing", closing, true},
    {"close", close_session, true}, {"say", say_text, false},
};

static bool obey(struct hand *hand, struct message *message, struct error *error)
{
    const char *name = json_string_value(json_object_get(message->json, "request"));
    for (size_t i = 0; name && i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(name, requests[i].name) == 0)
            return (requests[i].in_session && !hand->crew) || requests[i].obey(hand, message, error);
    }
    return message_malformed(error, "a request that hands do not know");
}

/* ---- the loop */

static bool pass_on(struct hand *hand, struct candidate *candidate, bool is_finished, struct error *error)
{
    char text[24];
    struct message message = {0};
    const struct hand_load *load = telling(hand);
    bool is_finalist = candidate->effort.samples > 0; /* whose image the next round wants */
    token_text(text, candidate->index);
    (void)json_object_del(hand->tokens, text);
    bool passed = (is_finished ? hand_finished(candidate, load, is_finalist, &message, error)
                               : hand_compiled(candidate, load, &message, error)) &&
                  channel_queue(hand->channel, message.json, message.blob, message.blob_bytes, error);
    message_clear(&message);
    candidate_free(candidate);
    return passed;
}

/* Work for a moment, and pass on what is done. */
static bool work(struct hand *hand, struct error *error)
{
    struct error reason = {0};
    int milliseconds = channel_has_queued(hand->channel) ? 1 : CREW_STEP_MILLISECONDS;
    if (!crew_step(hand->crew, milliseconds, &reason))
        return fail_session(hand, &reason, error);
    for (struct candidate *candidate; (candidate = crew_finished(hand->crew));) {
        if (!pass_on(hand, candidate, true, error))
            return false;
    }
    for (struct candidate *candidate; (candidate = crew_compiled(hand->crew));) {
        if (!pass_on(hand, candidate, false, error))
            return false;
    }
    return tell_load(hand, error);
}

static bool wait_idle(const struct hand *hand, struct error *error)
{
    short events = (short)(POLLIN | (channel_has_queued(hand->channel) ? POLLOUT : 0));
    struct pollfd entry = {.fd = channel_socket(hand->channel), .events = events};
    return poll(&entry, 1, (int)(sign_seconds * 1e3)) >= 0 || errno == EINTR ||
           error_set(error, ERROR_SYSTEM, "cannot wait for rank 0: %s", strerror(errno));
}

static bool obey_all(struct hand *hand, struct error *error)
{
    for (;;) {
        struct message message;
        bool taken = false;
        if (!channel_take(hand->channel, &message, &taken, error))
            return false;
        if (!taken)
            return true;
        bool obeyed = obey(hand, &message, error);
        message_clear(&message);
        if (!obeyed)
            return false;
    }
}

static bool live(struct hand *hand, struct error *error)
{
    for (bool ended = false; !ended;) {
        bool busy = hand->crew && crew_inside(hand->crew) > 0;
        if (!(busy ? work(hand, error) : wait_idle(hand, error)) || !channel_flush(hand->channel, error) ||
            !channel_fill(hand->channel, &ended, error) || !obey_all(hand, error))
            return false;
    }
    return true;
}

bool hand_serve(int socket, const struct hand_host *host, struct error *error)
{
    struct hand hand = {.host = host};
    if (!channel_create(socket, &hand.channel, error)) {
        close(socket);
        return false;
    }
    bool served = live(&hand, error);
    end_session(&hand);
    channel_free(hand.channel);
    return served;
}
