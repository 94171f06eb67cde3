/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/handle.h"

#include "tuner/library/attached.h"
#include "tuner/library/failure.h"
#include "tuner/library/home.h"
#include "tuner/library/sources.h"
#include "tuner/library/structure.h"

#include <stdlib.h>
#include <string.h>

void handle_note(struct tune *tune, enum tune_code code, const struct error *trouble)
{
    if (tune->trouble.code == TUNE_OK)
        failure_as(code, trouble, &tune->trouble);
}

void handle_forget(struct tune *tune)
{
    while (tune->topics) {
        struct topic *topic = tune->topics;
        tune->topics = topic->next;
        topic_free(topic);
    }
    for (size_t i = 0; i < tune->template_count; i++)
        own_template_free(tune->templates[i]);
    free(tune->templates);
    tune->templates = NULL;
    tune->template_count = 0;
}

/* ---- opening */

/* A variable of the environment; NULL: it has no value. */
static const char *chosen(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* NULL stays NULL. False: out of memory. */
static bool copy(const char *text, char **result)
{
    *result = text ? strdup(text) : NULL;
    return !text || *result;
}

/* Part of what it says is better than nothing, as it is with all that is known. */
static bool open_known(struct tune *tune, const char *path, struct error *error)
{
    struct error trouble = {0};
    if (!store_open_private(path, &tune->known, error))
        return false;
    if (!path_is_file(path)) {
        error_set(error, ERROR_INPUT, "there is no file %s of known results", path);
        return error_hint(error, "'tune export --known NAME -o FILE' writes such files");
    }
    if (store_known_load(tune->known, path, &trouble))
        return true;
    if (trouble.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    handle_note(tune, TUNE_ERROR_INPUT, &trouble);
    return true;
}

static bool fill(struct tune *tune, const struct tune_options *options, struct error *error)
{
    tune->home = home_find(options->home, error);
    if (!tune->home)
        return false;
    if (!copy(options->cache ? options->cache : chosen("TUNE_CACHE"), &tune->cache) ||
        !copy(chosen("TUNE_CAPTURE"), &tune->calls.file) || !copy(chosen("TUNE_CAPTURE_DATA"), &tune->calls.folder))
        return error_out_of_memory(error);
    tune->answers = answer_table_create();
    if (!tune->answers)
        return error_out_of_memory(error);
    if (!attachments_create(&tune->attachments, error))
        return false;
    if (options->known)
        return open_known(tune, options->known, error);
    tune->database = store_default_path(options->database);
    return (tune->database && copy(getenv("TUNE_SITE"), &tune->site)) || error_out_of_memory(error);
}

enum tune_code tune_open(const struct tune_options *options, struct tune **result, struct tune_error *error)
{
    struct tune_options own = {.bytes = sizeof own};
    struct error why = {0};
    if (!result)
        return failure_argument(error, "tune_open: there is nowhere to put the handle");
    *result = NULL;
    if (options && !structure_read(options, &own, sizeof own, sizeof own))
        return failure_argument(error, "tune_open: options.bytes is not the size of struct tune_options");
    struct tune *tune = calloc(1, sizeof *tune);
    if (!tune)
        return failure_out_of_memory(error);
    if (pthread_mutex_init(&tune->lock, NULL) != 0) {
        free(tune);
        return failure_out_of_memory(error);
    }
    if (!fill(tune, &own, &why)) {
        tune_close(tune);
        return failure_of(&why, error);
    }
    *result = tune;
    return TUNE_OK;
}

void tune_close(struct tune *tune)
{
    if (!tune)
        return;
    answer_table_free(tune->answers);
    attachments_free(tune->attachments);
    handle_forget(tune);
    store_close(tune->known);
    if (tune->cuda.handle)
        cuda_library_close(&tune->cuda);
    pthread_mutex_destroy(&tune->lock);
    free(tune->home);
    free(tune->cache);
    free(tune->calls.file);
    free(tune->calls.folder);
    free(tune->database);
    free(tune->site);
    free(tune);
}

/* ---- what can be read */

static bool pass_by(struct store *store, bool of_site, void *context, struct error *error)
{
    (void)store, (void)of_site, (void)context, (void)error;
    return true;
}

enum tune_code tune_trouble(struct tune *tune, struct tune_error *error)
{
    struct error own = {0};
    if (!tune)
        return failure_argument(error, "tune_trouble: there is no handle");
    pthread_mutex_lock(&tune->lock);
    bool done = tune->looked || sources_visit(tune, pass_by, NULL, &own);
    struct tune_error trouble = tune->trouble;
    pthread_mutex_unlock(&tune->lock);
    if (!done)
        return failure_of(&own, error);
    if (trouble.code != TUNE_OK && error)
        *error = trouble;
    return trouble.code;
}

void tune_refresh(struct tune *tune)
{
    if (!tune)
        return;
    pthread_mutex_lock(&tune->lock);
    handle_forget(tune);
    if (!tune->known) { /* whose trouble stays */
        tune->trouble = (struct tune_error){.code = TUNE_OK};
        tune->looked = false;
    }
    answer_table_clear(tune->answers);
    pthread_mutex_unlock(&tune->lock);
}
