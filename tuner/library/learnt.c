/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/learnt.h"

#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

bool learnt_answer(const struct tune_answer *answer, const char *configuration, struct tune_answer **result,
                   struct error *error)
{
    const struct tune_answer_info info = {
        .rule = TUNE_RULE_EXACT, .origin = "found online, by calls of this program", .validated = 1};
    return answer_create_like(answer, configuration, &info, result, error);
}

/* Those of earlier runs, as far as that is a list. NULL: out of memory. */
static json_t *tried_before(const struct learnt *learnt)
{
    json_t *tried = NULL;
    if (learnt->contenders->tried && !json_try(learnt->contenders->tried, 0, &tried, NULL))
        return NULL;
    if (json_is_array(tried))
        return tried;
    json_decref(tried);
    return json_array();
}

/* What need not be tried again, as JSON: all that was tried or in use, but for what is in use now. NULL: out of
 * memory. */
static char *tried_text(const struct learnt *learnt)
{
    const char *now = learnt->now->info.configuration;
    json_t *tried = tried_before(learnt);
    bool done = tried != NULL;
    for (size_t i = 0; i <= learnt->trials->at && done; i++) {
        const char *one = i < learnt->trials->at ? learnt->contenders->list[i].configuration
                                                 : learnt->began_with->info.configuration;
        done = strcmp(one, now) == 0 || json_array_append_new(tried, json_string(one)) == 0;
    }
    char *text = done ? json_dumps(tried, JSON_COMPACT) : NULL;
    json_decref(tried);
    return text;
}

static bool put(struct store *store, const struct learnt *learnt, const char *tried, struct error *error)
{
    const struct tune_answer *answer = learnt->began_with;
    const struct template *template = answer->topic->own->template;
    struct device_description device = answer->topic->device.description;
    const struct store_problem problem = {.template_name = template->name,
                                          .template_path = template->path,
                                          .template_hash = template->hash,
                                          .size = answer->info.size,
                                          .inputs = answer->with_inputs ? answer->topic->own->held : "",
                                          .device = &device};
    const struct store_online online = {.configuration = learnt->now->info.configuration,
                                        .began_with = answer->info.configuration,
                                        .ratio = learnt->trials->ratio,
                                        .time_ns = learnt->trials->incumbent_ns,
                                        .calls = (int64_t)learnt->trials->calls,
                                        .tries = (int64_t)learnt->trials->tries,
                                        .tried = tried};
    if (!device.compiler[0])
        strcpy(device.compiler, learnt->compiler);
    return store_online_put(store, &problem, &online, error);
}

bool learnt_store(const char *database, const struct learnt *learnt, struct error *error)
{
    struct store *store;
    char *tried = tried_text(learnt);
    if (!tried)
        return error_out_of_memory(error);
    bool done = store_open(database, false, &store, error);
    if (done) {
        done = put(store, learnt, tried, error);
        store_close(store);
    }
    free(tried);
    return done;
}
