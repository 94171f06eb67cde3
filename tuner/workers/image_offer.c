/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/image_offer.h"

#include "tuner/json/json_text.h"
#include "tuner/measure/program.h"
#include "tuner/measure/validation_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_MOST = 8 << 20 }; /* bytes */

/* ---- messages */

static json_t *offer_to_json(const struct compile_offer *offer)
{
    const struct cache_key *key = &offer->key;
    return json_pack("[I, I, I, I]", (json_int_t)key->name[0], (json_int_t)key->name[1], (json_int_t)key->check,
                     (json_int_t)offer->stamp);
}

static bool offer_from_json(json_t *json, struct compile_offer *offer)
{
    json_int_t name[2], check, stamp;
    if (json_unpack(json, "[I, I, I, I !]", &name[0], &name[1], &check, &stamp) != 0)
        return false;
    offer->key = (struct cache_key){{(uint64_t)name[0], (uint64_t)name[1]}, (uint64_t)check};
    offer->stamp = (uint64_t)stamp;
    return true;
}

json_t *compile_result_to_json(const struct compile_result *result, const struct compile_offer *offer)
{
    return json_pack("{s:b, s:b, s:b, s:b, s:b, s:o, s:f, s:I, s:o*}", "compiled", result->compiled, "crashed",
                     result->crashed, "too_large", result->too_large, "unlinked", result->unlinked, "cached",
                     result->cached, "log", json_string_of_bytes(result->log ? result->log : ""), "seconds",
                     result->seconds, "spill_bytes", (json_int_t)result->spill_bytes, "offer",
                     offer ? offer_to_json(offer) : NULL);
}

void compile_result_clear(struct compile_result *result)
{
    free(result->image);
    free(result->log);
    *result = (struct compile_result){0};
}

/* An image exactly if it compiled, and figures that a compilation can have. */
static bool is_possible(const struct message *message, const struct compile_result *result, const char *log)
{
    return result->compiled == (message->blob_bytes > 0) && !(result->compiled && result->crashed) &&
           !(result->compiled && (result->too_large || result->unlinked)) && result->seconds >= 0 &&
           isfinite(result->seconds) && result->spill_bytes >= -1 && strlen(log) <= LOG_MOST;
}

bool compile_result_from_json(const json_t *json, struct message *message, struct compile_result *result,
                              struct compile_offer *offer, bool *offered, struct error *error)
{
    int compiled = 0, crashed = 0, too_large = 0, unlinked = 0, cached = 0;
    const char *log = NULL;
    json_int_t spill_bytes = -1;
    json_t *offer_json = NULL;
    json_error_t reason;
    *result = (struct compile_result){0};
    if (json_unpack_ex((json_t *)(uintptr_t)json, &reason, 0, "{s:b, s?b, s?b, s?b, s?b, s:s, s:F, s:I, s?o !}",
                       "compiled", &compiled, "crashed", &crashed, "too_large", &too_large, "unlinked", &unlinked,
                       "cached", &cached, "log", &log, "seconds", &result->seconds, "spill_bytes", &spill_bytes,
                       "offer", &offer_json) != 0)
        return message_malformed(error, "%s", reason.text);
    result->compiled = compiled != 0;
    result->crashed = crashed != 0;
    result->too_large = too_large != 0;
    result->unlinked = unlinked != 0;
    result->cached = cached != 0;
    result->spill_bytes = spill_bytes;
    *offered = offer_json != NULL;
    if (!is_possible(message, result, log) || (*offered && (cached || !offer_from_json(offer_json, offer))))
        return message_malformed(error, "an impossible result of a compilation");
    result->log = strdup(log);
    if (!result->log)
        return error_out_of_memory(error);
    result->image = message->blob;
    result->image_bytes = message->blob_bytes;
    message->blob = NULL;
    offer->result = result;
    return true;
}

void image_offer_send(const struct compile_offer *offer, void *channel)
{
    const struct compile_result *result = offer->result;
    json_t *json = json_pack("{s:o}", "made", compile_result_to_json(result, offer));
    /* One that cannot be sent is compiled again some day; if the parent is gone, the next answer shows it. */
    if (json)
        (void)channel_send(channel, json, result->image, result->image_bytes, NULL);
    json_decref(json);
}

bool image_offer_is(const struct message *message)
{
    return json_object_size(message->json) == 1 && json_is_object(json_object_get(message->json, "made"));
}

/* ---- in the parent */

struct compile_cache *image_offer_cache(const struct device_description *device, bool use_cache)
{
    const struct device_driver *driver = device_driver_find(device->kind);
    return driver ? compile_cache_create(use_cache ? cache_open() : NULL, driver, device) : NULL;
}

bool image_offer_keep(const struct compile_cache *images, const struct job_program *program,
                      const struct compile_offer *offer)
{
    char *text;
    size_t length;
    if (!program->path || !program_read(program->path, &text, &length, NULL))
        return false;
    const struct compile_request request = program_request(program, text, length);
    bool kept = compile_cache_accept(images, &request, offer);
    free(text);
    return kept;
}

/* Is the offer an image of the program, for either case? */
static bool is_kept(const struct compile_cache *images, const struct job_program *program,
                    const struct compile_offer *offer)
{
    for (size_t i = 0; i < JOB_CASES; i++) {
        const struct job_program now = job_program_for(program, i);
        if ((i == JOB_TUNED || program->awkward_defines) && image_offer_keep(images, &now, offer))
            return true;
    }
    return false;
}

void image_offer_take(const struct compile_cache *images, const struct job *job, struct message *message)
{
    struct compile_result result;
    struct compile_offer offer;
    bool offered;
    if (compile_result_from_json(json_object_get(message->json, "made"), message, &result, &offer, &offered, NULL) &&
        offered && !is_kept(images, &job->setup, &offer) && !is_kept(images, &job->reference, &offer))
        (void)is_kept(images, &job->verify, &offer);
    compile_result_clear(&result);
}

bool image_offer_has_validation(struct compile_cache *images)
{
    struct compile_result result = {0};
    struct compile_lookup lookup;
    const struct validation_source *source = validation_source();
    struct compile_request request = program_request(&source->program, source->text, source->length);
    bool has = compile_lookup_begin(images, &request, &lookup, &result);
    compile_lookup_end(&lookup);
    compile_result_clear(&result);
    return has;
}

void image_offer_take_validation(const struct compile_cache *images, struct message *message)
{
    struct compile_result result;
    struct compile_offer offer;
    const struct validation_source *source = validation_source();
    bool offered;
    const struct compile_request request = program_request(&source->program, source->text, source->length);
    if (compile_result_from_json(json_object_get(message->json, "made"), message, &result, &offer, &offered, NULL) &&
        offered)
        (void)compile_cache_accept(images, &request, &offer);
    compile_result_clear(&result);
}
