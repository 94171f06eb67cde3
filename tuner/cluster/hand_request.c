/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hand_request.h"

#include "tuner/cluster/hand_image.h"
#include "tuner/cluster/hand_lowering.h"
#include "tuner/job/job.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- to open a session */

static json_t *ordinals_json(const int *ordinals, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        if (json_array_append_new(list, json_integer(ordinals[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Paths that links lead to need not be UTF-8. */
static json_t *folders_json(const char *const *folders, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        if (json_array_append_new(list, json_bytes(folders[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *hand_open_request(const struct crew_plan *plan, const struct device_description *target,
                          const char *template_path, const char *template_hash)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:b, s:b, s:b, s:f, s:f, s:f, s:f, s:s, s:s}",
                     "request", "open", "device", device_description_json(plan->device), "target",
                     device_description_json(target), "ordinals", ordinals_json(plan->ordinals, plan->ordinal_count),
                     "source_folders", folders_json(plan->source_folders, plan->source_folder_count), "compile_jobs",
                     (int)plan->compile_jobs, "core_part", (int)plan->core_part, "core_parts", (int)plan->core_parts,
                     "no_cache", plan->no_cache, "unconfined", plan->unconfined, "compiles_only", plan->compiles_only,
                     "compile_deadline", plan->compile_deadline, "measure_deadline", plan->measure_deadline,
                     "patience", plan->patience, "lock_patience", plan->lock_patience, "template", template_path,
                     "hash", template_hash);
}

static bool read_ordinals(const json_t *list, struct hand_opening *opening, struct error *error)
{
    size_t count = json_array_size(list);
    if (count > CREW_DEVICES_MOST)
        return message_malformed(error, "too many devices");
    for (size_t i = 0; i < count; i++)
        opening->ordinals[i] = (int)json_integer_value(json_array_get(list, i));
    opening->plan.ordinals = opening->ordinals;
    opening->plan.ordinal_count = count;
    return true;
}

static bool read_folders(const json_t *list, struct hand_opening *opening, struct error *error)
{
    size_t count = json_array_size(list);
    opening->source_folders = calloc(count + 1, sizeof *opening->source_folders);
    if (!opening->source_folders)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (!json_bytes_read(json_array_get(list, i), &opening->source_folders[i]))
            return error_out_of_memory(error);
        if (!opening->source_folders[i])
            return message_malformed(error, "\"source_folders\"");
        opening->plan.source_folder_count++;
    }
    opening->plan.source_folders = (const char *const *)opening->source_folders;
    return true;
}

bool hand_opening_read(json_t *request, struct hand_opening *opening, struct error *error)
{
    struct crew_plan *plan = &opening->plan;
    json_t *device = NULL, *target = NULL, *ordinals = NULL, *folders = NULL;
    int jobs = 0, part = 0, parts = 0, no_cache = 0, unconfined = 0, compiles_only = 0;
    const char *name;
    json_error_t reason;
    *opening = (struct hand_opening){.request = json_incref(request), .plan.device = &opening->device};
    if (json_unpack_ex(request, &reason, 0,
                       "{s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:b, s:b, s:b, s:F, s:F, s:F, s:F, s:s, s:s !}",
                       "request", &name, "device", &device, "target", &target, "ordinals", &ordinals,
                       "source_folders", &folders, "compile_jobs", &jobs, "core_part", &part, "core_parts", &parts,
                       "no_cache", &no_cache, "unconfined", &unconfined, "compiles_only", &compiles_only,
                       "compile_deadline", &plan->compile_deadline, "measure_deadline", &plan->measure_deadline,
                       "patience", &plan->patience, "lock_patience", &plan->lock_patience, "template",
                       &opening->template_path, "hash", &opening->template_hash) != 0)
        return message_malformed(error, "open: %s", reason.text);
    plan->compile_jobs = jobs > 0 ? (unsigned)jobs : 0;
    plan->core_part = part > 0 ? (unsigned)part : 0;
    plan->core_parts = parts > 0 ? (unsigned)parts : 0;
    plan->no_cache = no_cache != 0;
    plan->unconfined = unconfined != 0;
    plan->compiles_only = compiles_only != 0;
    return device_description_from_json(device, &opening->device, error) &&
           device_description_from_json(target, &opening->target, error) && read_ordinals(ordinals, opening, error) &&
           read_folders(folders, opening, error);
}

void hand_opening_clear(struct hand_opening *opening)
{
    for (size_t i = 0; i < opening->plan.source_folder_count; i++)
        free(opening->source_folders[i]);
    free(opening->source_folders);
    json_decref(opening->request);
    *opening = (struct hand_opening){0};
}

/* ---- to evaluate */

json_t *hand_evaluate_request(const struct candidate *candidate, uint64_t token)
{
    double incumbent_ns = candidate->incumbent_ns ? *candidate->incumbent_ns : candidate->effort.incumbent_ns;
    bool lowered = candidate->job != NULL;
    return json_pack("{s:s, s:I, s:o, s:I, s:b, s:f, s:f, s:i, s:i, s:f, s:I, s:s*}", "request", "evaluate", "token",
                     (json_int_t)token, lowered ? "job" : "lower",
                     lowered ? job_to_json(candidate->job) : hand_lowering_order(candidate), "samples",
                     (json_int_t)candidate->effort.samples, "energy", candidate->effort.energy, "incumbent_ns",
                     incumbent_ns, "expected_seconds", candidate->expected_seconds, "measurer", candidate->measurer,
                     "attempts", (int)candidate->attempts, "compile_seconds", candidate->compile_seconds,
                     "spill_bytes", (json_int_t)candidate->spill_bytes, "limits",
                     limits_condition(candidate->effort.limits));
}

static bool read_candidate(const struct message *message, struct candidate *candidate, json_t **order,
                           struct error *error)
{
    double incumbent_ns = 0;
    json_int_t token = 0, samples = 0, spill_bytes = 0;
    json_t *job = NULL;
    int energy = 0, attempts = 0;
    const char *name, *limits = NULL;
    json_error_t reason;
    if (json_unpack_ex(message->json, &reason, 0,
                       "{s:s, s:I, s?o, s?o, s:I, s:b, s:F, s:F, s:i, s:i, s:F, s:I, s?s !}", "request", &name,
                       "token", &token, "job", &job, "lower", order, "samples", &samples, "energy", &energy,
                       "incumbent_ns", &incumbent_ns, "expected_seconds", &candidate->expected_seconds, "measurer",
                       &candidate->measurer, "attempts", &attempts, "compile_seconds", &candidate->compile_seconds,
                       "spill_bytes", &spill_bytes, "limits", &limits) != 0)
        return message_malformed(error, "evaluate: %s", reason.text);
    if (token < 0 || samples < 0 || !job == !*order)
        return message_malformed(error, "evaluate");
    candidate->index = (size_t)token;
    candidate->spill_bytes = spill_bytes;
    candidate->attempts = attempts > 0 ? 1 : 0;
    if (limits && !limits_parse(&limits, 1, &candidate->limits, error))
        return false;
    candidate->effort = (struct evaluation_effort){
        .samples = (size_t)samples, .energy = energy != 0, .incumbent_ns = incumbent_ns, .limits = candidate->limits};
    candidate->text = strdup("");
    candidate->awkward = strdup("");
    return candidate->text && candidate->awkward
               ? (!job || job_from_json(job, &candidate->job, error)) &&
                     hand_image_unpack(message->blob, message->blob_bytes, &candidate->image, &candidate->image_bytes,
                                       error)
               : error_out_of_memory(error);
}

bool hand_candidate_read(const struct message *message, struct candidate **result, const json_t **order,
                         struct error *error)
{
    json_t *lower = NULL;
    struct candidate *candidate = calloc(1, sizeof *candidate);
    if (!candidate)
        return error_out_of_memory(error);
    if (!read_candidate(message, candidate, &lower, error)) {
        candidate_free(candidate);
        return false;
    }
    *result = candidate;
    *order = lower;
    return true;
}
