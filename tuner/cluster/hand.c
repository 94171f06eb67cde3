/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hand.h"

#include "tuner/cluster/hand_message.h"
#include "tuner/device/monotonic.h"
#include "tuner/job/job.h"
#include "tuner/json/json_text.h"
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
    struct crew *crew; /* NULL: no session */
    struct crew_plan plan;
    struct device_description device;
    int ordinals[CREW_DEVICES_MOST];
    const char **source_folders;
    json_t *opened;            /* the request to open, which the plan refers to */
    struct template *template; /* of the session */
    json_t *tokens;            /* of candidates inside: an object with a member for each */
    double incumbent_ns;
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
    free(hand->source_folders);
    hand->source_folders = NULL;
    template_free(hand->template);
    hand->template = NULL;
    json_decref(hand->opened);
    json_decref(hand->tokens);
    hand->opened = hand->tokens = NULL;
}

static bool fail_session(struct hand *hand, const struct error *failure, struct error *error)
{
    end_session(hand);
    return say(hand, hand_failed(failure), error);
}

static bool read_lists(struct hand *hand, const json_t *ordinals, const json_t *folders, struct error *error)
{
    struct crew_plan *plan = &hand->plan;
    plan->ordinals = hand->ordinals;
    plan->ordinal_count = json_array_size(ordinals);
    plan->source_folder_count = json_array_size(folders);
    if (plan->ordinal_count > CREW_DEVICES_MOST)
        return message_malformed(error, "too many devices");
    for (size_t i = 0; i < plan->ordinal_count; i++)
        hand->ordinals[i] = (int)json_integer_value(json_array_get(ordinals, i));
    hand->source_folders = calloc(plan->source_folder_count + 1, sizeof *hand->source_folders);
    if (!hand->source_folders)
        return error_out_of_memory(error);
    for (size_t i = 0; i < plan->source_folder_count; i++) {
        hand->source_folders[i] = json_string_value(json_array_get(folders, i));
        if (!hand->source_folders[i])
            return message_malformed(error, "\"source_folders\"");
    }
    plan->source_folders = hand->source_folders;
    return true;
}

static bool read_plan(struct hand *hand, const char **path, const char **hash, struct error *error)
{
    struct crew_plan *plan = &hand->plan;
    json_t *device = NULL, *ordinals = NULL, *folders = NULL;
    int jobs = 0, no_cache = 0, unconfined = 0, compiles_only = 0;
    json_error_t reason;
    *plan = (struct crew_plan){
        .device = &hand->device, .wake = channel_socket(hand->channel), .notice = notice, .notice_context = hand};
    if (json_unpack_ex(
            hand->opened, &reason, 0, "{s:s, s:o, s:o, s:o, s:i, s:b, s:b, s:b, s:F, s:F, s:F, s:F, s:s, s:s !}",
            "request", path, "device", &device, "ordinals", &ordinals, "source_folders", &folders, "compile_jobs",
            &jobs, "no_cache", &no_cache, "unconfined", &unconfined, "compiles_only", &compiles_only,
            "compile_deadline", &plan->compile_deadline, "measure_deadline", &plan->measure_deadline, "patience",
            &plan->patience, "lock_patience", &plan->lock_patience, "template", path, "hash", hash) != 0)
        return message_malformed(error, "open: %s", reason.text);
    plan->compile_jobs = jobs > 0 ? (unsigned)jobs : 0;
    plan->no_cache = no_cache != 0;
    plan->unconfined = unconfined != 0;
    plan->compiles_only = compiles_only != 0;
    return device_description_from_json(device, &hand->device, error) && read_lists(hand, ordinals, folders, error);
}

/* Rows are stored under the hash of what rank 0 has read: what is compiled here must be the same. */
static bool check_template(struct hand *hand, const char *path, const char *hash, struct error *error)
{
    char node[256];
    hand_node(node, sizeof node);
    if (!template_read(path, &hand->template, error))
        return error_hint(error, "%.100s does not have the template where rank 0 has it: is the folder shared?",
                          node);
    if (strcmp(hand->template->hash, hash) == 0)
        return true;
    error_set(error, ERROR_INPUT, "%s is not the same on %.100s as on rank 0", path, node);
    return error_hint(error, "all nodes must see the same files: use a shared folder");
}

static bool open_session(struct hand *hand, struct message *message, struct error *error)
{
    struct error reason = {0};
    const char *path = NULL, *hash = NULL;
    end_session(hand);
    channel_number(hand->channel, message->number);
    hand->opened = json_incref(message->json);
    hand->tokens = json_object();
    hand->incumbent_ns = 0;
    hand->received = 0;
    if (!hand->tokens)
        return error_out_of_memory(error);
    if (!read_plan(hand, &path, &hash, &reason) || !check_template(hand, path, hash, &reason) ||
        !crew_create(&hand->plan, &hand->crew, &reason))
        return fail_session(hand, &reason, error);
    return say(hand, hand_load_message(telling(hand)), error);
}

/* ---- candidates */

static void token_text(char text[24], size_t token)
{
    snprintf(text, 24, "%zu", token);
}

static bool read_candidate(struct message *message, struct candidate *candidate, double *incumbent_ns,
                           struct error *error)
{
    json_int_t token = 0, samples = 0;
    json_t *job = NULL;
    int energy = 0, attempts = 0;
    const char *name;
    json_error_t reason;
    if (json_unpack_ex(message->json, &reason, 0, "{s:s, s:I, s:o, s:I, s:b, s:F, s:F, s:i, s:i !}", "request", &name,
                       "token", &token, "job", &job, "samples", &samples, "energy", &energy, "incumbent_ns",
                       incumbent_ns, "expected_seconds", &candidate->expected_seconds, "measurer",
                       &candidate->measurer, "attempts", &attempts) != 0)
        return message_malformed(error, "evaluate: %s", reason.text);
    candidate->index = (size_t)token;
    candidate->spill_bytes = -1;
    candidate->attempts = attempts > 0 ? 1 : 0;
    candidate->effort = (struct evaluation_effort){.samples = (size_t)samples, .energy = energy != 0};
    if (token < 0 || samples < 0)
        return message_malformed(error, "evaluate");
    candidate->text = strdup("");
    candidate->awkward = strdup("");
    return candidate->text && candidate->awkward
               ? job_from_json(job, &candidate->job, error) &&
                     hand_image(message, &candidate->image, &candidate->image_bytes, error)
               : error_out_of_memory(error);
}

static bool evaluate(struct hand *hand, struct message *message, struct error *error)
{
    char text[24];
    struct candidate *candidate = calloc(1, sizeof *candidate);
    if (!candidate)
        return error_out_of_memory(error);
    if (!read_candidate(message, candidate, &hand->incumbent_ns, error)) {
        candidate_free(candidate);
        return false;
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

static bool devices(struct hand *hand, struct message *message, struct error *error)
{
    struct error failure = {0};
    struct found_device *found = NULL;
    size_t count = 0;
    const char *text = json_string_value(json_object_get(message->json, "device"));
    bool done = hand->host->devices(text, &found, &count, &failure) ? say(hand, hand_devices(found, count), error)
                                                                    : say(hand, hand_devices_failed(&failure), error);
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
    bool wants_image = !is_finished || candidate->effort.samples > 0; /* of a finalist, for its next round */
    token_text(text, candidate->index);
    (void)json_object_del(hand->tokens, text);
    json_t *json = is_finished ? hand_finished(candidate, telling(hand)) : hand_compiled(candidate, telling(hand));
    bool passed =
        json ? hand_queue(hand->channel, json, wants_image ? candidate->image : NULL, candidate->image_bytes, error)
             : error_out_of_memory(error);
    json_decref(json);
    candidate_free(candidate);
    return passed;
}

/* Work for a moment, and pass on what is done. */
static bool work(struct hand *hand, struct error *error)
{
    struct error reason = {0};
    int milliseconds = channel_has_queued(hand->channel) ? 1 : CREW_STEP_MILLISECONDS;
    if (!crew_step(hand->crew, hand->incumbent_ns, milliseconds, &reason))
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
