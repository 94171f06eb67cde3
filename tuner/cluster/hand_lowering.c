/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hand_lowering.h"

#include "tuner/workers/message.h"

#include <stdlib.h>

bool hand_lowering_suits(const struct problem *problem)
{
    return inputs_count(problem_inputs(problem)) == 0;
}

static json_t *sizes_json(const struct problem *problem)
{
    const struct size_setting *sizes = problem_sizes(problem);
    json_t *list = json_array();
    for (size_t i = 0; list && i < problem_template(problem)->size_count; i++) {
        if (json_array_append_new(list, json_integer(sizes[i].value)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *hand_lowering_order(const struct candidate *candidate)
{
    return json_pack("{s:s, s:o, s:b, s:I}", "configuration", candidate->text, "sizes",
                     sizes_json(candidate->problem), "awkward", *candidate->awkward != '\0', "seed",
                     (json_int_t)candidate->seed);
}

/* Those that can be set; what is derived from them is the same. */
static bool read_sizes(const json_t *list, const struct template *template, struct problem_request *request,
                       struct size_setting *settings, struct error *error)
{
    if (json_array_size(list) != template->size_count)
        return message_malformed(error, "\"sizes\"");
    for (size_t i = 0; i < template->size_count; i++) {
        const json_t *size = json_array_get(list, i);
        if (!json_is_integer(size))
            return message_malformed(error, "\"sizes\"");
        settings[i] = (struct size_setting){template->sizes[i].name, json_integer_value(size)};
    }
    request->sizes = settings;
    request->size_count = sizes_settable(template, settings, settings);
    return true;
}

bool hand_lower(const json_t *order, const struct template *template, const struct device_description *device,
                struct job **job, struct error *error)
{
    const char *configuration;
    json_t *sizes;
    json_int_t seed;
    json_error_t reason;
    int awkward;
    struct problem *problem = NULL;
    struct problem_request request = {.template = template, .device = device};
    if (json_unpack_ex((json_t *)order, &reason, 0, "{s:s, s:o, s:b, s:I !}", "configuration", &configuration,
                       "sizes", &sizes, "awkward", &awkward, "seed", &seed) != 0)
        return message_malformed(error, "lower: %s", reason.text);
    struct size_setting *settings = calloc(template->size_count + 1, sizeof *settings);
    if (!settings)
        return error_out_of_memory(error);
    request.no_awkward = !awkward;
    bool lowered = read_sizes(sizes, template, &request, settings, error) &&
                   problem_from_configuration(&request, configuration, &problem, error) &&
                   job_lower(problem, 0, (uint64_t)seed, job, error);
    problem_free(problem);
    free(settings);
    return lowered;
}
