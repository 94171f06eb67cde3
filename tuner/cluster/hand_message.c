/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hand_message.h"

#include "tuner/cluster/hand_image.h"
#include "tuner/evaluation/packing.h"
#include "tuner/json/json_text.h"
#include "tuner/workers/remote_error.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    HAND_DEVICES_MOST = 1024,
    COUNT_MOST = 1 << 20, /* of candidates and workers */
};

bool hand_queue(struct channel *channel, const json_t *json, const void *image, size_t image_bytes,
                struct error *error)
{
    void *packed = NULL;
    size_t bytes = 0;
    bool queued = hand_image_append(image, image_bytes, &packed, &bytes, error) &&
                  channel_queue(channel, json, packed, bytes, error);
    free(packed);
    return queued;
}

/* ---- what hands send */

json_t *hand_hello(const char *host, const char *node, const char *cores)
{
    return json_pack("{s:s, s:i, s:s, s:o, s:o, s:s}", "hand", "hello", "protocol", HAND_PROTOCOL, "version",
                     TUNE_VERSION, "host", json_string_of_bytes(host), "node", json_string_of_bytes(node), "cores",
                     cores);
}

json_t *hand_devices(const struct found_device *devices, size_t count, json_t *compilers)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        json_t *entry = json_pack("{s:i, s:o}", "ordinal", devices[i].ordinal, "device",
                                  device_description_json(&devices[i].description));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            json_decref(compilers);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o, s:o}", "hand", "devices", "devices", list, "compilers", compilers);
}

json_t *hand_devices_failed(const struct error *failure, json_t *compilers)
{
    return json_pack("{s:s, s:o, s:o}", "hand", "devices", "error", error_to_json(failure), "compilers", compilers);
}

static json_t *load_to_json(const struct hand_load *load)
{
    const struct crew_load *crew = &load->crew;
    return json_pack("[I, I, I, I, I, I, I, f]", (json_int_t)load->room, (json_int_t)load->received,
                     (json_int_t)crew->compilers, (json_int_t)crew->compiling, (json_int_t)crew->measurers,
                     (json_int_t)crew->measuring, (json_int_t)crew->queued, load->held_up);
}

json_t *hand_load_message(const struct hand_load *load)
{
    return json_pack("{s:s, s:o}", "hand", "load", "load", load_to_json(load));
}

static json_int_t image_hash(const struct candidate *candidate)
{
    return candidate->image ? (json_int_t)XXH3_64bits(candidate->image, candidate->image_bytes) : 0;
}

/* Complete a message with the candidate's image (NULL: none), or clear it. */
static bool complete(struct message *message, const struct candidate *candidate, struct error *error)
{
    if (!message->json)
        error_out_of_memory(error);
    else if (!candidate ||
             hand_image_append(candidate->image, candidate->image_bytes, &message->blob, &message->blob_bytes, error))
        return true;
    message_clear(message);
    return false;
}

bool hand_finished(const struct candidate *candidate, const struct hand_load *load, bool with_image,
                   struct message *message, struct error *error)
{
    *message = (struct message){0};
    if (!evaluation_pack(&candidate->evaluation, &message->blob, &message->blob_bytes, error))
        return false;
    message->json =
        json_pack("{s:s, s:I, s:I, s:b, s:I, s:o}", "hand", "finished", "token", (json_int_t)candidate->index,
                  "evaluation", (json_int_t)message->blob_bytes, "from_cache", candidate->from_cache, "image_hash",
                  image_hash(candidate), "load", load_to_json(load));
    return complete(message, with_image ? candidate : NULL, error);
}

bool hand_compiled(const struct candidate *candidate, const struct hand_load *load, struct message *message,
                   struct error *error)
{
    *message = (struct message){.json = json_pack("{s:s, s:I, s:b, s:f, s:I, s:o}", "hand", "compiled", "token",
                                                  (json_int_t)candidate->index, "from_cache", candidate->from_cache,
                                                  "compile_seconds", candidate->compile_seconds, "spill_bytes",
                                                  (json_int_t)candidate->spill_bytes, "load", load_to_json(load))};
    return complete(message, candidate, error);
}

json_t *hand_refused(uint64_t token, const struct hand_load *load)
{
    return json_pack("{s:s, s:I, s:o}", "hand", "refused", "token", (json_int_t)token, "load", load_to_json(load));
}

json_t *hand_returned(json_t *tokens, const struct hand_load *load)
{
    return json_pack("{s:s, s:o, s:o}", "hand", "returned", "tokens", tokens, "load", load_to_json(load));
}

json_t *hand_notice(const char *text)
{
    return json_pack("{s:s, s:o}", "hand", "notice", "text", json_string_of_bytes(text));
}

json_t *hand_failed(const struct error *failure)
{
    return json_pack("{s:s, s:o}", "hand", "failed", "error", error_to_json(failure));
}

/* ---- what rank 0 reads */

static bool is_count(json_int_t number)
{
    return number >= 0 && number <= COUNT_MOST;
}

static bool read_load(const json_t *json, struct hand_load *load, struct error *error)
{
    json_int_t n[7];
    json_error_t reason;
    if (json_unpack_ex((json_t *)(uintptr_t)json, &reason, 0, "[I, I, I, I, I, I, I, F !]", &n[0], &n[1], &n[2],
                       &n[3], &n[4], &n[5], &n[6], &load->held_up) != 0)
        return message_malformed(error, "\"load\": %s", reason.text);
    bool possible = n[1] >= 0 && load->held_up >= 0 && isfinite(load->held_up);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        possible = possible && (i == 1 || is_count(n[i]));
    load->room = (size_t)n[0];
    load->received = (uint64_t)n[1];
    load->crew = (struct crew_load){(size_t)n[2], (size_t)n[3], (size_t)n[4], (size_t)n[5], (size_t)n[6]};
    return possible || message_malformed(error, "an impossible load");
}

static bool read_hello(const struct message *message, struct hand_report *report, struct error *error)
{
    int protocol = 0;
    const char *version = "";
    json_error_t reason;
    if (json_unpack_ex(message->json, &reason, 0, "{s:s, s:i, s:s, s:s, s:s, s:s}", "hand", &report->text, "protocol",
                       &protocol, "version", &version, "host", &report->host, "node", &report->node, "cores",
                       &report->cores) != 0)
        return message_malformed(error, "hello: %s", reason.text);
    if (protocol == HAND_PROTOCOL && strcmp(version, TUNE_VERSION) == 0)
        return true;
    error_set(error, ERROR_INPUT, "%.64s runs tune %.32s, and this is tune " TUNE_VERSION, report->host, version);
    return error_hint(error, "all ranks must run the same program");
}

/* {"hand": NAME, "error": {...}}, or with as many members more as are expected. */
static bool read_error(const struct message *message, size_t members, struct hand_report *report, struct error *error)
{
    struct error reason = {0};
    if (json_object_size(message->json) != members)
        return message_malformed(error, "an error with something else");
    (void)error_from_json(json_object_get(message->json, "error"), &reason);
    if (reason.code == ERROR_MESSAGE)
        return message_malformed(error, "not an error");
    report->failure = reason;
    return true;
}

static bool read_failed(const struct message *message, struct hand_report *report, struct error *error)
{
    return read_error(message, 2, report, error);
}

static bool read_compilers(const struct message *message, struct hand_report *report, struct error *error)
{
    const char *kind;
    json_t *name;
    report->compilers = json_object_get(message->json, "compilers");
    bool possible = json_is_object(report->compilers);
    json_object_foreach(report->compilers, kind, name) possible = possible && json_is_string(name);
    return possible || message_malformed(error, "\"compilers\"");
}

static bool read_device(const json_t *entry, struct found_device *device, struct error *error)
{
    const json_t *number = json_object_get(entry, "ordinal");
    struct error reason = {0};
    if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) > INT_MAX ||
        json_object_size(entry) != 2)
        return message_malformed(error, "\"ordinal\"");
    device->ordinal = (int)json_integer_value(number);
    device->works = device_description_from_json(json_object_get(entry, "device"), &device->description, &reason);
    if (device->works)
        return true;
    return reason.code == ERROR_OUT_OF_MEMORY ? error_out_of_memory(error)
                                              : message_malformed(error, "%s", reason.text);
}

static bool read_devices(const struct message *message, struct hand_report *report, struct error *error)
{
    const json_t *list = json_object_get(message->json, "devices");
    if (!read_compilers(message, report, error))
        return false;
    if (!list)
        return read_error(message, 3, report, error);
    if (!json_is_array(list) || json_array_size(list) > HAND_DEVICES_MOST)
        return message_malformed(error, "\"devices\"");
    report->device_count = json_array_size(list);
    report->devices = calloc(report->device_count + 1, sizeof *report->devices);
    if (!report->devices)
        return error_out_of_memory(error);
    for (size_t i = 0; i < report->device_count; i++) {
        if (!read_device(json_array_get(list, i), &report->devices[i], error))
            return false;
    }
    return true;
}

static bool read_load_message(const struct message *message, struct hand_report *report, struct error *error)
{
    return read_load(json_object_get(message->json, "load"), &report->load, error);
}

static bool read_token(json_int_t token, struct hand_report *report, struct error *error)
{
    report->token = (uint64_t)token;
    return token >= 0 || message_malformed(error, "\"token\"");
}

static bool read_evaluation(const void *bytes, size_t count, struct evaluation *evaluation, struct error *error)
{
    struct error reason = {0};
    if (!evaluation_unpack(bytes, count, evaluation, &reason))
        return reason.code == ERROR_OUT_OF_MEMORY ? error_out_of_memory(error)
                                                  : message_malformed(error, "%s", reason.text);
    return evaluation_check(evaluation, &reason) || message_malformed(error, "%s", reason.text);
}

static bool read_finished(const struct message *message, struct hand_report *report, struct error *error)
{
    json_int_t token = -1, packed = -1, hash = 0;
    json_t *load = NULL;
    int from_cache = 0;
    json_error_t reason;
    if (json_unpack_ex(message->json, &reason, 0, "{s:s, s:I, s:I, s:b, s:I, s:o !}", "hand", &report->text, "token",
                       &token, "evaluation", &packed, "from_cache", &from_cache, "image_hash", &hash, "load",
                       &load) != 0)
        return message_malformed(error, "finished: %s", reason.text);
    report->from_cache = from_cache != 0;
    report->image_hash = (uint64_t)hash;
    if (packed < 0 || (size_t)packed > message->blob_bytes)
        return message_malformed(error, "an evaluation that is not all there");
    size_t bytes = (size_t)packed;
    return read_token(token, report, error) && read_load(load, &report->load, error) &&
           read_evaluation(message->blob, bytes, &report->evaluation, error) &&
           hand_image_unpack((const char *)message->blob + bytes, message->blob_bytes - bytes, &report->image,
                             &report->image_bytes, error);
}

static bool read_compiled(const struct message *message, struct hand_report *report, struct error *error)
{
    json_int_t token = -1, spill_bytes = -1;
    json_t *load = NULL;
    int from_cache = 0;
    json_error_t reason;
    if (json_unpack_ex(message->json, &reason, 0, "{s:s, s:I, s:b, s:F, s:I, s:o !}", "hand", &report->text, "token",
                       &token, "from_cache", &from_cache, "compile_seconds", &report->compile_seconds, "spill_bytes",
                       &spill_bytes, "load", &load) != 0)
        return message_malformed(error, "compiled: %s", reason.text);
    report->from_cache = from_cache != 0;
    report->spill_bytes = spill_bytes;
    if (spill_bytes < -1 || !(report->compile_seconds >= 0 && isfinite(report->compile_seconds)) || !message->blob)
        return message_malformed(error, "an impossible image");
    return read_token(token, report, error) && read_load(load, &report->load, error) &&
           hand_image_unpack(message->blob, message->blob_bytes, &report->image, &report->image_bytes, error);
}

static bool read_refused(const struct message *message, struct hand_report *report, struct error *error)
{
    const json_t *token = json_object_get(message->json, "token");
    if (!json_is_integer(token))
        return message_malformed(error, "refused");
    return read_token(json_integer_value(token), report, error) && read_load_message(message, report, error);
}

static bool read_returned(const struct message *message, struct hand_report *report, struct error *error)
{
    report->list = json_object_get(message->json, "tokens");
    bool possible = json_is_array(report->list) && json_array_size(report->list) <= COUNT_MOST;
    for (size_t i = 0; possible && i < json_array_size(report->list); i++) {
        const json_t *token = json_array_get(report->list, i);
        possible = json_is_integer(token) && json_integer_value(token) >= 0;
    }
    if (!possible)
        return message_malformed(error, "\"tokens\"");
    return read_load_message(message, report, error);
}

static bool read_notice(const struct message *message, struct hand_report *report, struct error *error)
{
    report->text = json_string_value(json_object_get(message->json, "text"));
    return report->text || message_malformed(error, "\"text\"");
}

static const struct {
    const char *name;
    bool (*read)(const struct message *message, struct hand_report *report, struct error *error);
} readers[] = {
    [HAND_HELLO] = {"hello", read_hello},          [HAND_DEVICES] = {"devices", read_devices},
    [HAND_LOAD] = {"load", read_load_message},     [HAND_FINISHED] = {"finished", read_finished},
    [HAND_COMPILED] = {"compiled", read_compiled}, [HAND_REFUSED] = {"refused", read_refused},
    [HAND_RETURNED] = {"returned", read_returned}, [HAND_NOTICE] = {"notice", read_notice},
    [HAND_FAILED] = {"failed", read_failed},
};

bool hand_report_read(const struct message *message, struct hand_report *report, struct error *error)
{
    const char *name = json_string_value(json_object_get(message->json, "hand"));
    *report = (struct hand_report){0};
    for (size_t i = 0; name && i < sizeof readers / sizeof *readers; i++) {
        if (strcmp(name, readers[i].name) != 0)
            continue;
        report->event = (enum hand_event)i;
        bool read = readers[i].read(message, report, error);
        if (!read)
            hand_report_clear(report);
        return read;
    }
    return message_malformed(error, "an unknown message of a hand");
}

void hand_report_clear(struct hand_report *report)
{
    evaluation_clear(&report->evaluation);
    free(report->image);
    free(report->devices);
    report->image = NULL;
    report->devices = NULL;
}
