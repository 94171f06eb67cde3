/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/topic.h"

#include "tuner/library/home.h"
#include "tuner/library/named.h"
#include "tuner/select/recall.h"

#include <stdlib.h>
#include <string.h>

/* ---- templates */

/* The caller's data is what counts, so that files which cannot be read are no error. */
static bool open_inputs(struct own_template *own, struct error *error)
{
    struct error trouble = {0};
    const char *names;
    own->held = "";
    if (inputs_open(own->template, NULL, 0, &own->inputs, &trouble) &&
        inputs_identify(own->inputs, &own->held, &names, &trouble))
        return true;
    inputs_free(own->inputs);
    own->inputs = NULL;
    own->held = "";
    return trouble.code != ERROR_OUT_OF_MEMORY || error_out_of_memory(error);
}

bool own_template_read(const char *name, const char *home, struct own_template **result, struct error *error)
{
    struct own_template *own = calloc(1, sizeof *own);
    *result = NULL;
    if (!own || pthread_mutex_init(&own->look, NULL) != 0) {
        free(own);
        return error_out_of_memory(error);
    }
    atomic_init(&own->references, 1);
    own->name = strdup(name);
    if (!own->name)
        error_out_of_memory(error);
    if (!own->name || !template_named(name, home, &own->template, error) ||
        !spaces_read(own->template, &own->spaces, error) || !open_inputs(own, error)) {
        own_template_free(own);
        return false;
    }
    *result = own;
    return true;
}

struct own_template *own_template_keep(struct own_template *own)
{
    atomic_fetch_add_explicit(&own->references, 1, memory_order_relaxed);
    return own;
}

void own_template_free(struct own_template *own)
{
    if (!own || atomic_fetch_sub_explicit(&own->references, 1, memory_order_acq_rel) > 1)
        return;
    inputs_free(own->inputs);
    spaces_clear(&own->spaces);
    template_free(own->template);
    pthread_mutex_destroy(&own->look);
    free(own->name);
    free(own);
}

bool own_template_is_current(struct own_template *own, bool *touched, struct error *error)
{
    pthread_mutex_lock(&own->look);
    bool current = template_is_current(own->template, touched, error);
    pthread_mutex_unlock(&own->look);
    if (!current && error && error->code == ERROR_WORK) {
        error->code = ERROR_INPUT;
        error_hint(error, "what was known is of another kernel: call tune_refresh, and ask again");
    }
    return current;
}

/* ---- devices */

bool own_device_find(const char *name, struct own_device *device, struct error *error)
{
    static const char suffix[] = ".json";
    size_t length = strlen(name), suffix_length = sizeof suffix - 1;
    const struct device_driver *driver;
    struct device *opened;
    *device = (struct own_device){0};
    if (length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0)
        return device_description_read(name, &device->description, error);
    if (!device_name_parse(name, &driver, &device->ordinal)) {
        error_set(error, ERROR_INPUT, "unknown device '%s'", name);
        return error_hint(error, "use cuda, cuda:N, cpu or the path of a recorded description");
    }
    if (driver->look)
        return driver->look(device->ordinal, &device->description, error);
    if (!driver->guest->attach(device->ordinal, &opened, &device->description, error))
        return false;
    driver->close(opened);
    return true;
}

/* ---- topics */

bool topic_create(struct own_template *own, const char *name, const struct own_device *found, const char *objective,
                  struct topic **result, struct error *error)
{
    struct topic *topic = calloc(1, sizeof *topic);
    *result = NULL;
    if (!topic || pthread_mutex_init(&topic->lock, NULL) != 0) {
        free(topic);
        return error_out_of_memory(error);
    }
    atomic_init(&topic->references, 1);
    topic->own = own_template_keep(own);
    topic->asked_device = strdup(name);
    topic->asked_objective = strdup(objective);
    bool done = (topic->asked_device && topic->asked_objective) || error_out_of_memory(error);
    if (found)
        topic->device = *found;
    done = done && (found || own_device_find(name, &topic->device, error)) &&
           objective_choose(own->template, *objective ? objective : NULL, &topic->objective, error);
    if (done) {
        const struct selection_request request = topic_request(topic);
        done = recall_create(&request, &topic->recall, error);
    }
    if (!done) {
        topic_free(topic);
        return false;
    }
    *result = topic;
    return true;
}

struct selection_request topic_request(const struct topic *topic)
{
    return (struct selection_request){
        .template_name = topic->own->template->name,
        .template_hash = topic->own->template->hash,
        .device = &topic->device.description,
        .inputs = topic->own->held,
        .objective = topic->objective.name,
    };
}

struct topic *topic_keep(struct topic *topic)
{
    atomic_fetch_add_explicit(&topic->references, 1, memory_order_relaxed);
    return topic;
}

void topic_free(struct topic *topic)
{
    if (!topic || atomic_fetch_sub_explicit(&topic->references, 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; i < topic->judged_count; i++)
        free(topic->judged[i].configuration);
    free(topic->judged);
    recall_free(topic->recall);
    own_template_free(topic->own);
    pthread_mutex_destroy(&topic->lock);
    free(topic->asked_device);
    free(topic->asked_objective);
    free(topic);
}

/* ---- what was learnt of single configurations */

bool topic_is_judged(struct topic *topic, const char *configuration, bool *valid)
{
    bool found = false;
    pthread_mutex_lock(&topic->lock);
    for (size_t i = 0; i < topic->judged_count && !found; i++) {
        found = strcmp(topic->judged[i].configuration, configuration) == 0;
        *valid = topic->judged[i].valid;
    }
    pthread_mutex_unlock(&topic->lock);
    return found;
}

/* What memory is missing for is asked again. */
void topic_judge(struct topic *topic, const char *configuration, bool valid)
{
    char *text = strdup(configuration);
    pthread_mutex_lock(&topic->lock);
    struct judged *longer = text ? realloc(topic->judged, (topic->judged_count + 1) * sizeof *longer) : NULL;
    if (longer) {
        topic->judged = longer;
        longer[topic->judged_count++] = (struct judged){text, valid};
        text = NULL;
    }
    pthread_mutex_unlock(&topic->lock);
    free(text);
}
