/* SPDX-License-Identifier: Apache-2.0 */
/* The values that options take, as far as they can be told. */
#include "tuner/cli/complete.h"

#include "tuner/cli/subject.h"
#include "tuner/device/device.h"
#include "tuner/evaluation/objective.h"
#include "tuner/library/home.h"
#include "tuner/library/named.h"
#include "tuner/search/strategy.h"
#include "tuner/workers/describe.h"

#include <stdlib.h>
#include <string.h>

/* False: out of memory. */
typedef bool value_completer(struct completion *completion);

/* What is completed begins behind the last of these characters. */
static void keep_through(struct completion *completion, const char *characters)
{
    for (const char *at = completion->word + completion->kept; *at; at++) {
        if (strchr(characters, *at))
            completion->kept = (size_t)(at - completion->word) + 1;
    }
}

/* ---- templates ---- */

bool completion_templates(const struct completion *completion)
{
    struct error error = {0};
    struct names names = {0};
    char *home = home_find(NULL, &error);
    char *folder = home ? path_join(home, "templates") : NULL;
    if (folder)
        names_list(folder, NULL, &names, &error);
    for (size_t i = 0; i < names.count; i++)
        completion_offer(completion, names.list[i], "", NULL);
    names_free(&names);
    free(folder);
    free(home);
    return error.code != ERROR_OUT_OF_MEMORY;
}

typedef void template_completer(const struct completion *completion, const struct template *template,
                                struct error *error);

/* Of the template that the words name, if it can be read. */
static bool of_template(const struct completion *completion, template_completer *offer)
{
    struct error error = {0};
    struct subject subject = {0};
    if (completion->subject && subject_template(&subject, completion->subject, &error))
        offer(completion, subject.template, &error);
    subject_clear(&subject);
    return error.code != ERROR_OUT_OF_MEMORY;
}

static void offer_sizes(const struct completion *completion, const struct template *template, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < template->size_count; i++) {
        if (!template->sizes[i].derived)
            completion_offer(completion, template->sizes[i].name, "=", NULL);
    }
}

static void offer_parameters(const struct completion *completion, const struct template *template,
                             struct error *error)
{
    (void)error;
    for (size_t i = 0; i < template->parameter_count; i++)
        completion_offer(completion, template->parameters[i].name, "=", template->parameters[i].meaning);
}

static void offer_rungs(const struct completion *completion, const struct template *template, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < template->parameter_count; i++)
        completion_offer(completion, template->parameters[i].name, "", template->parameters[i].meaning);
}

static void offer_inputs(const struct completion *completion, const struct template *template, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < template->matrix_count; i++)
        completion_offer(completion, template->matrices[i].name, "=", "sparse matrix");
    for (size_t i = 0; i < template->buffer_count; i++) {
        if (role_is_initialised(template->buffers[i].role))
            completion_offer(completion, template->buffers[i].name, "=", NULL);
    }
}

static void offer_spaces(const struct completion *completion, const struct template *template, struct error *error)
{
    struct names names = {0};
    char *folder = template_space_folder(template, error);
    if (folder)
        names_list(folder, ".space", &names, error);
    for (size_t i = 0; i < names.count; i++)
        completion_offer(completion, names.list[i], "", NULL);
    names_free(&names);
    free(folder);
}

static void offer_metrics(const struct completion *completion, const struct template *template, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < template->metric_count; i++) {
        if (template->metrics[i].sense != METRIC_SHOWN)
            completion_offer(completion, template->metrics[i].name, "", NULL);
    }
}

/* ---- options ---- */

static bool complete_file(struct completion *completion)
{
    completion_files(completion);
    return true;
}

static bool complete_space(struct completion *completion)
{
    completion_paths(completion);
    return of_template(completion, offer_spaces);
}

static bool complete_sizes(struct completion *completion)
{
    keep_through(completion, ",");
    return of_template(completion, offer_sizes);
}

static bool complete_configuration(struct completion *completion)
{
    keep_through(completion, ",");
    return of_template(completion, offer_parameters);
}

static bool complete_ladder(struct completion *completion)
{
    keep_through(completion, ",");
    return of_template(completion, offer_rungs);
}

static bool complete_input(struct completion *completion)
{
    const char *name = completion->word + completion->kept, *equals = strchr(name, '=');
    if (!equals)
        return of_template(completion, offer_inputs);
    completion->kept += (size_t)(equals - name) + 1;
    return complete_file(completion);
}

static bool complete_device(struct completion *completion)
{
    if (completion->command->id == COMMAND_TUNE) {
        completion_offer(completion, "all", "", "all GPUs");
        keep_through(completion, ",");
    }
    for (size_t i = 0; i < device_driver_count; i++) {
        const struct device_driver *driver = device_drivers[i];
        int devices = 0;
        if (!count_devices(driver->kind, &devices, NULL))
            devices = 0;
        for (int ordinal = 0; ordinal < devices; ordinal++) {
            char name[32];
            snprintf(name, sizeof name, "%s:%d", driver->kind, ordinal);
            completion_offer(completion, name, "", driver->title);
        }
    }
    completion_paths(completion);
    return true;
}

/* A name, or behind "NAME:" the strategy's parameters. */
static bool complete_strategy(struct completion *completion)
{
    const char *named = completion->word + completion->kept;
    size_t length = strcspn(named, ":");
    for (size_t i = 0; !named[length] && i < strategy_driver_count; i++)
        completion_offer(completion, strategy_drivers[i]->name, "", strategy_drivers[i]->meaning);
    if (!named[length])
        return true;
    keep_through(completion, ":,");
    for (size_t i = 0; i < strategy_driver_count; i++) {
        const struct strategy_driver *driver = strategy_drivers[i];
        bool meant = strlen(driver->name) == length && strncmp(driver->name, named, length) == 0;
        for (size_t k = 0; meant && k < driver->parameter_count; k++)
            completion_offer(completion, driver->parameters[k].name, "=", driver->parameters[k].meaning);
    }
    return true;
}

static bool complete_objective(struct completion *completion)
{
    keep_through(completion, ",");
    for (size_t i = 0; i < objective_count; i++)
        completion_offer(completion, objectives[i].name, "", objectives[i].meaning);
    return of_template(completion, offer_metrics);
}

static bool complete_sample(struct completion *completion)
{
    completion_offer(completion, "all", "", NULL);
    return true;
}

static const struct {
    const char *option;
    value_completer *complete;
} completers[] = {
    {"space", complete_space},   {"size", complete_sizes},          {"sizes", complete_file},
    {"input", complete_input},   {"device", complete_device},       {"db", complete_file},
    {"recorded", complete_file}, {"strategy", complete_strategy},   {"traces", complete_file},
    {"sample", complete_sample}, {"objective", complete_objective}, {"configuration", complete_configuration},
    {"c", complete_file},        {"ladder", complete_ladder},       {"output", complete_file},
    {"known", complete_file},
};
enum { COMPLETER_COUNT = sizeof completers / sizeof *completers };

static value_completer *completer_of(const char *option)
{
    for (size_t i = 0; i < COMPLETER_COUNT; i++) {
        if (strcmp(completers[i].option, option) == 0)
            return completers[i].complete;
    }
    return NULL;
}

bool completion_knows(const char *option)
{
    return completer_of(option) != NULL;
}

bool completion_values(struct completion *completion, const char *option)
{
    value_completer *complete = completer_of(option);
    return !complete || complete(completion);
}
