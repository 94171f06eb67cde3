/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies the text up to one of `ends` to `word` and skips it; false if it is empty or does not fit. */
static bool take_word(const char **text, const char *ends, char *word, size_t size)
{
    size_t length = strcspn(*text, ends);
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    return true;
}

static bool unknown_strategy(const char *name, struct error *error)
{
    const char **names = calloc(strategy_driver_count, sizeof *names);
    error_set(error, ERROR_INPUT, "--strategy: there is no strategy '%s'", name);
    for (size_t i = 0; names && i < strategy_driver_count; i++)
        names[i] = strategy_drivers[i]->name;
    const char *nearest = names ? error_nearest(name, names, strategy_driver_count) : NULL;
    free(names);
    return nearest ? error_hint(error, "did you mean %s?", nearest)
                   : error_hint(error, "'tune list strategies' shows all of them");
}

static bool unknown_parameter(const struct strategy_driver *driver, const char *name, struct error *error)
{
    char known[200] = "";
    error_set(error, ERROR_INPUT, "--strategy: %s has no parameter '%s'", driver->name, name);
    for (size_t i = 0; i < driver->parameter_count; i++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", driver->parameters[i].name);
    }
    return driver->parameter_count ? error_hint(error, "it has %s", known) : error_hint(error, "it has none");
}

/* One "name=value". */
static bool take_setting(const char **text, const struct strategy_driver *driver, double *parameters,
                         struct error *error)
{
    char name[64], number[64], *end;
    const char *start = *text;
    if (!take_word(text, "=,", name, sizeof name) || **text != '=' ||
        (++*text, !take_word(text, ",", number, sizeof number))) {
        error_set(error, ERROR_INPUT, "--strategy: expected name=value, not '%s'", start);
        return error_hint(error, "write it as %s:name=value,name=value", driver->name);
    }
    size_t i = 0;
    while (i < driver->parameter_count && strcmp(driver->parameters[i].name, name) != 0)
        i++;
    if (i == driver->parameter_count)
        return unknown_parameter(driver, name, error);
    const struct strategy_parameter *parameter = &driver->parameters[i];
    double value = strtod(number, &end);
    if (*end || !(value >= parameter->low && value <= parameter->high))
        return error_set(error, ERROR_INPUT, "--strategy: %s of %s must be a number from %g to %g, not '%s'", name,
                         driver->name, parameter->low, parameter->high, number);
    parameters[i] = value;
    return true;
}

const char *strategy_program(const char *text)
{
    static const char name[] = "exec";
    const char *rest = text + strlen(name);
    if (strncmp(text, name, strlen(name)) != 0 || (*rest && *rest != ':'))
        return NULL;
    return *rest ? rest + 1 : rest;
}

static bool choose_program(const char *program, const struct strategy_driver **driver, double **parameters,
                           struct error *error)
{
    if (program[strspn(program, " ")] == '\0') {
        error_set(error, ERROR_INPUT, "--strategy: exec needs a program");
        return error_hint(error, "for example exec:./mine.py");
    }
    *driver = &strategy_exec;
    *parameters = calloc(1, sizeof **parameters);
    return *parameters || error_out_of_memory(error);
}

bool strategy_choose(const char *text, const struct strategy_driver **driver, double **parameters,
                     struct error *error)
{
    char name[64] = "";
    const char *rest = text, *program = strategy_program(text);
    if (program)
        return choose_program(program, driver, parameters, error);
    if (!take_word(&rest, ":", name, sizeof name) || !(*driver = strategy_find(name)))
        return unknown_strategy(name[0] ? name : text, error);
    double *values = calloc((*driver)->parameter_count + 1, sizeof *values);
    if (!values)
        return error_out_of_memory(error);
    for (size_t i = 0; i < (*driver)->parameter_count; i++)
        values[i] = (*driver)->parameters[i].preset;
    while (*rest) {
        rest++;
        if (!take_setting(&rest, *driver, values, error)) {
            free(values);
            return false;
        }
    }
    *parameters = values;
    return true;
}
