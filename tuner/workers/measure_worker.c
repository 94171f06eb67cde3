/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/measure_worker.h"

#include "tuner/device/guest.h"
#include "tuner/json/json_text.h"
#include "tuner/measure/instance.h"
#include "tuner/workers/confinement.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/remote_error.h"

#include <limits.h>
#include <string.h>

enum { DEVICES_MOST = 1024 };

/* ---- the parent's side */

static json_t *checked(json_t *request, struct error *error)
{
    if (!request)
        error_set(error, ERROR_OUT_OF_MEMORY,
                  "cannot write a request as JSON: out of memory, or a path that is not UTF-8");
    return request;
}

json_t *measure_count_request(const char *kind, struct error *error)
{
    return checked(json_pack("{s:s, s:s}", "request", "count", "kind", kind), error);
}

json_t *measure_describe_request(const char *kind, int ordinal, struct error *error)
{
    return checked(json_pack("{s:s, s:s, s:i}", "request", "describe", "kind", kind, "ordinal", ordinal), error);
}

json_t *measure_forerun_request(const char *kind, int ordinal, bool use_cache, struct error *error)
{
    return checked(json_pack("{s:s, s:s, s:i, s:b, s:b}", "request", "describe", "kind", kind, "ordinal", ordinal,
                             "opens", true, "use_cache", use_cache),
                   error);
}

json_t *measure_compiler_request(const char *kind, struct error *error)
{
    return checked(json_pack("{s:s, s:s}", "request", "compiler", "kind", kind), error);
}

json_t *measure_open_request(const struct device_description *device, int ordinal, bool use_cache,
                             const struct job *first, struct error *error)
{
    return checked(json_pack("{s:s, s:s, s:i, s:b, s:o, s:o*}", "request", "open", "kind", device->kind, "ordinal",
                             ordinal, "use_cache", use_cache, "device", device_description_json(device), "job",
                             first ? job_to_json(first) : NULL),
                   error);
}

json_t *measure_evaluate_request(const struct job *job, const struct evaluation_effort *effort, struct error *error)
{
    return checked(json_pack("{s:s, s:o, s:f, s:I, s:b, s:s?, s:I}", "request", "evaluate", "job", job_to_json(job),
                             "incumbent_ns", effort->incumbent_ns, "samples", (json_int_t)effort->samples, "energy",
                             effort->energy, "limits", limits_condition(effort->limits), "spill_bytes",
                             (json_int_t)effort->spill_bytes),
                   error);
}

/* An object of exactly these members, the last of which may be NULL, and no blob. */
static bool has_members(const struct message *answer, const char *first, const char *second)
{
    size_t count = second ? 2 : 1;
    return !answer->blob && json_object_size(answer->json) == count && json_object_get(answer->json, first) &&
           (!second || json_object_get(answer->json, second));
}

/* What a description lacks is the sender's fault, not the user's. */
static bool read_description(const json_t *json, struct device_description *description, struct error *error)
{
    struct error reason = {0};
    return device_description_from_json(json, description, &reason) ||
           (reason.code == ERROR_OUT_OF_MEMORY ? error_out_of_memory(error)
                                               : message_malformed(error, "%s", reason.text));
}

bool measure_count_answer(const struct message *answer, int *count, struct error *why)
{
    json_t *json = json_object_get(answer->json, "count"), *failure = json_object_get(answer->json, "error");
    *count = 0;
    if (!json)
        return error_from_json(failure, why);
    json_int_t found = json_is_integer(json) ? json_integer_value(json) : -1;
    if (found < 0 || found > DEVICES_MOST || !has_members(answer, "count", found == 0 ? "error" : NULL))
        return message_malformed(why, "\"count\"");
    *count = (int)found;
    if (found == 0)
        error_from_json(failure, why);
    return true;
}

bool measure_describe_count(const struct message *answer, size_t *count, struct error *error)
{
    json_t *devices = json_object_get(answer->json, "devices");
    if (!devices)
        return error_from_json(json_object_get(answer->json, "error"), error);
    *count = json_array_size(devices);
    return (json_is_array(devices) && has_members(answer, "devices", NULL) && *count <= DEVICES_MOST) ||
           message_malformed(error, "\"devices\"");
}

bool measure_describe_answer(const struct message *answer, size_t index, int *ordinal,
                             struct device_description *description, struct error *error)
{
    json_t *entry = json_array_get(json_object_get(answer->json, "devices"), index);
    json_t *device = json_object_get(entry, "device"), *number = json_object_get(entry, "ordinal");
    *ordinal = 0;
    if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) > INT_MAX ||
        json_object_size(entry) != 2)
        return message_malformed(error, "\"ordinal\"");
    *ordinal = (int)json_integer_value(number);
    return device ? read_description(device, description, error)
                  : error_from_json(json_object_get(entry, "error"), error);
}

bool measure_compiler_answer(const struct message *answer, char *name, size_t bytes, struct error *error)
{
    json_t *json = json_object_get(answer->json, "compiler");
    if (!json)
        return error_from_json(json_object_get(answer->json, "error"), error);
    if (!json_is_string(json) || json_string_length(json) >= bytes || !has_members(answer, "compiler", NULL))
        return message_malformed(error, "\"compiler\"");
    strcpy(name, json_string_value(json));
    return true;
}

bool measure_open_answer(const struct message *answer, struct device_description *description, struct error *error)
{
    json_t *device = json_object_get(answer->json, "device");
    if (!device)
        return error_from_json(json_object_get(answer->json, "error"), error);
    if (!has_members(answer, "device", NULL))
        return message_malformed(error, "\"device\" with something else");
    return read_description(device, description, error);
}

/* Those that a measuring worker finds itself; the others are told from how it ends. */
static bool is_measured(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_OK:
    case OUTCOME_HOST_ERROR: /* that counts lead to */
    case OUTCOME_RESOURCES:
    case OUTCOME_MEMORY:
    case OUTCOME_LAUNCH_ERROR:
    case OUTCOME_FAULT:
    case OUTCOME_WRONG_RESULT:
    case OUTCOME_NOT_FINITE:
    case OUTCOME_OUT_OF_BOUNDS:
    case OUTCOME_LIMIT:
        return true;
    default:
        return false;
    }
}

bool measure_evaluate_answer(const struct message *answer, struct evaluation *evaluation, bool *last,
                             struct error *error)
{
    json_t *json = json_object_get(answer->json, "evaluation");
    const char *name = json ? "evaluation" : "error";
    struct error reason = {0};
    *last = json_is_true(json_object_get(answer->json, "last"));
    if (!has_members(answer, name, "last") || !json_is_boolean(json_object_get(answer->json, "last")))
        return message_malformed(error, "not an evaluation");
    if (!json)
        return error_from_json(json_object_get(answer->json, "error"), error);
    if (!evaluation_from_json(json, evaluation, &reason))
        return reason.code == ERROR_OUT_OF_MEMORY ? error_out_of_memory(error)
                                                  : message_malformed(error, "%s", reason.text);
    if (!is_measured(evaluation->outcome))
        error_set(&reason, ERROR_MESSAGE, "\"outcome\" is not one that is measured");
    else if (evaluation_check(evaluation, &reason))
        return true;
    evaluation_clear(evaluation);
    return message_malformed(error, "%s", reason.text);
}

/* ---- the worker's side */

struct measurer {
    struct evaluator *evaluator; /* NULL: no device is open */
    bool loaded;                 /* the evaluator works */
    struct early_image *early;   /* of the validation kernels, for the next device to be opened; NULL: none */
};

static json_t *failure_answer(const struct error *failure, bool last)
{
    return json_pack("{s:o, s:b}", "error", error_to_json(failure), "last", last);
}

static const struct device_driver *requested_driver(const json_t *request, struct error *error)
{
    const char *kind = json_string_value(json_object_get(request, "kind"));
    const struct device_driver *driver = kind ? device_driver_find(kind) : NULL;
    if (!driver)
        error_set(error, ERROR_INPUT, "there is no device of kind '%s'", kind ? kind : "");
    return driver;
}

static json_t *answer_count(const json_t *request)
{
    struct error why = {0};
    int count = 0;
    const struct device_driver *driver = requested_driver(request, &why);
    if (!driver || !driver->count(&count, &why))
        return failure_answer(&why, false);
    if (count > 0)
        return json_pack("{s:i}", "count", count);
    if (!why.text[0])
        error_set(&why, ERROR_WORK, "there is no device of kind '%s'", driver->kind);
    return json_pack("{s:i, s:o}", "count", 0, "error", error_to_json(&why));
}

static json_t *describe_one(const struct device_driver *driver, int ordinal)
{
    struct error why = {0};
    struct device *device = NULL;
    struct device_description description = {0};
    bool described = driver->look
                         ? driver->look(ordinal, &description, &why)
                         : driver->open(ordinal, &device, &why) && driver->describe(device, &description, &why);
    if (device)
        driver->close(device);
    if (described)
        return json_pack("{s:i, s:o}", "ordinal", ordinal, "device", device_description_json(&description));
    return json_pack("{s:i, s:o}", "ordinal", ordinal, "error", error_to_json(&why));
}

static struct compile_images images_for(const json_t *request, struct channel *channel)
{
    bool use_cache = json_is_true(json_object_get(request, "use_cache"));
    return (struct compile_images){
        .open = use_cache ? cache_open_to_read : NULL, .offer = image_offer_send, .context = channel};
}

/* Will it be asked to open the one device that it describes? */
static bool is_forerunner(const json_t *request)
{
    return json_is_true(json_object_get(request, "opens"));
}

static json_t *answer_describe(const json_t *request, struct channel *channel, struct measurer *measurer)
{
    struct error why = {0};
    int count = 0, ordinal = (int)json_integer_value(json_object_get(request, "ordinal"));
    const struct device_driver *driver = requested_driver(request, &why);
    if (!driver || (ordinal < 0 && !driver->count(&count, &why)))
        return failure_answer(&why, false);
    if (is_forerunner(request) && driver->guess && !measurer->early) {
        const struct compile_images images = images_for(request, channel);
        measurer->early = validation_kernels_begin(driver, NULL, &images);
    }
    json_t *devices = json_array();
    for (int i = ordinal < 0 ? 0 : ordinal; devices && i < (ordinal < 0 ? count : ordinal + 1); i++) {
        if (json_array_append_new(devices, describe_one(driver, i)) != 0) {
            json_decref(devices);
            return NULL;
        }
    }
    return json_pack("{s:o}", "devices", devices);
}

static json_t *answer_compiler(const json_t *request)
{
    struct error why = {0};
    struct device_description description = {0};
    const struct device_driver *driver = requested_driver(request, &why);
    if (!driver || !driver->guest->compiler(description.compiler, sizeof description.compiler, &why))
        return failure_answer(&why, false);
    return json_pack("{s:o}", "compiler", json_string_of_bytes(description.compiler));
}

/* Once the forerunner's answer is sent. If it does not open now, the request to open it will say why. */
static void open_ahead(const json_t *request, struct measurer *measurer)
{
    const struct device_driver *driver = requested_driver(request, NULL);
    if (driver && !measurer->evaluator)
        (void)evaluator_open(driver, (int)json_integer_value(json_object_get(request, "ordinal")),
                             &measurer->evaluator, NULL);
}

/* Who asks has had the device described. */
static void recall(const json_t *request, const struct device_driver *driver)
{
    struct device_description described;
    if (driver->recall && device_description_from_json(json_object_get(request, "device"), &described, NULL))
        driver->recall(&described);
}

/* Where a device takes long to open, what it needs first is compiled in threads: the validation kernels, if that was
 * not begun when it was described, and the programs of the first job beside its own. */
static void begin_validation(const json_t *request, const struct device_driver *driver,
                             const struct compile_images *images, struct measurer *measurer)
{
    struct device_description expected;
    if (driver->look && !measurer->early &&
        device_description_from_json(json_object_get(request, "device"), &expected, NULL))
        measurer->early = validation_kernels_begin(driver, &expected, images);
}

/* The job itself may have to wait until another process leaves the device: until then its images are not offered. */
static void begin_job(const json_t *request, const struct device_driver *driver, const struct compile_images *images,
                      struct evaluator *evaluator)
{
    struct job *job = NULL;
    struct compile_images unclaimed = *images;
    unclaimed.unclaimed = true;
    if (driver->look && json_object_get(request, "job") && job_from_json(json_object_get(request, "job"), &job, NULL))
        evaluator_expect(evaluator, &unclaimed, job);
}

static bool open_device(const json_t *request, struct channel *channel, struct measurer *measurer,
                        struct error *error)
{
    const struct device_driver *driver = requested_driver(request, error);
    if (!driver || measurer->loaded)
        return false;
    const struct compile_images images = images_for(request, channel);
    int ordinal = (int)json_integer_value(json_object_get(request, "ordinal"));
    recall(request, driver);
    begin_validation(request, driver, &images, measurer);
    if (!measurer->evaluator && !evaluator_open(driver, ordinal, &measurer->evaluator, error))
        return false;
    begin_job(request, driver, &images, measurer->evaluator);
    measurer->loaded = evaluator_load(measurer->evaluator, &images, measurer->early, error);
    measurer->early = NULL;
    return measurer->loaded;
}

static json_t *answer_open(const json_t *request, struct channel *channel, struct measurer *measurer, bool *last)
{
    struct error failure = {0};
    struct device_description description = {0};
    if (open_device(request, channel, measurer, &failure) &&
        evaluator_describe(measurer->evaluator, &description, &failure))
        return json_pack("{s:o}", "device", device_description_json(&description));
    *last = true;
    return failure_answer(&failure, true);
}

static json_t *evaluation_answer(const struct evaluation *evaluation, bool last)
{
    return json_pack("{s:o, s:b}", "evaluation", evaluation_to_json(evaluation), "last", last);
}

static json_t *answer_evaluate(const struct message *request, const struct measurer *measurer, bool *last)
{
    struct evaluator *evaluator = measurer->evaluator;
    struct error failure = {0};
    struct evaluation evaluation = {0};
    struct job *job = NULL;
    struct limits *limits = NULL;
    json_t *json;
    const char *condition = json_string_value(json_object_get(request->json, "limits"));
    if (!measurer->loaded || !job_from_json(json_object_get(request->json, "job"), &job, &failure) ||
        (condition && !limits_parse(&condition, 1, &limits, &failure))) {
        job_free(job);
        *last = true;
        return failure_answer(&failure, true);
    }
    const struct evaluation_effort effort = {
        .incumbent_ns = json_number_value(json_object_get(request->json, "incumbent_ns")),
        .samples = (size_t)json_integer_value(json_object_get(request->json, "samples")),
        .energy = json_is_true(json_object_get(request->json, "energy")),
        .limits = limits,
        .spill_bytes = json_integer_value(json_object_get(request->json, "spill_bytes")),
    };
    confinement_bound_memory(instance_job_bytes(job));
    *last = !evaluator_run(evaluator, job, request->blob, request->blob_bytes, &effort, &evaluation, &failure);
    if (*last && failure.code != ERROR_FAULT)
        json = failure_answer(&failure, true);
    else
        json = evaluation_answer(&evaluation, *last);
    evaluation_clear(&evaluation);
    job_free(job);
    limits_free(limits);
    return json;
}

/* If a note cannot be sent, neither can the answer: that will be noticed then. */
static void send_note(const char *sequence, void *context)
{
    json_t *json = json_pack("{s:s}", "note", sequence ? sequence : "");
    if (json)
        (void)channel_send(context, json, NULL, 0, NULL);
    json_decref(json);
}

static bool serve(struct channel *channel, const struct message *request, struct measurer *measurer, bool *last,
                  struct error *error)
{
    const char *name = json_string_value(json_object_get(request->json, "request"));
    json_t *json = NULL;
    if (name && strcmp(name, "count") == 0)
        json = answer_count(request->json);
    else if (name && strcmp(name, "describe") == 0)
        json = answer_describe(request->json, channel, measurer);
    else if (name && strcmp(name, "compiler") == 0)
        json = answer_compiler(request->json);
    else if (name && strcmp(name, "open") == 0)
        json = answer_open(request->json, channel, measurer, last);
    else if (name && strcmp(name, "evaluate") == 0)
        json = answer_evaluate(request, measurer, last);
    else
        return error_set(error, ERROR_SYSTEM, "the measuring worker does not know the request '%s'",
                         name ? name : "");
    if (measurer->evaluator)
        evaluator_watch(measurer->evaluator, send_note, channel);
    bool sent = json ? channel_send(channel, json, NULL, 0, error) : error_out_of_memory(error);
    json_decref(json);
    if (is_forerunner(request->json))
        open_ahead(request->json, measurer);
    return sent;
}

bool measure_worker(struct channel *channel, struct error *error)
{
    struct measurer measurer = {0};
    bool served = true, last = false;
    while (served && !last) {
        struct message request;
        bool ended = false;
        served = channel_receive(channel, &request, &ended, error);
        if (!served || ended)
            break;
        served = serve(channel, &request, &measurer, &last, error);
        message_clear(&request);
    }
    evaluator_free(measurer.evaluator);
    early_image_drop(measurer.early);
    return served;
}
