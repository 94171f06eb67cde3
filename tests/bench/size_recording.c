/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/size_recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void size_recording_clear(struct size_recording *recording)
{
    for (size_t i = 0; i < recording->count; i++)
        free(recording->sizes[i]);
    free(recording->sizes);
    free(recording->slowest);
    cost_table_clear(&recording->times);
    *recording = (struct size_recording){0};
}

static bool read_sizes(char *line, struct size_recording *recording, struct error *error)
{
    size_t most = 1;
    for (const char *c = line; *c; c++)
        most += *c == '\t';
    recording->sizes = calloc(most, sizeof *recording->sizes);
    recording->slowest = calloc(most, sizeof *recording->slowest);
    bool done = recording->sizes && recording->slowest;
    for (char *rest = line, *size; done && (size = strsep(&rest, "\t"));) {
        recording->sizes[recording->count] = strdup(size);
        done = recording->sizes[recording->count] != NULL;
        recording->count += done;
    }
    if (!done)
        return error_out_of_memory(error);
    return cost_table_create(&recording->times, (const char *const *)recording->sizes, recording->count, error);
}

static bool read_time(const char *text, double *time)
{
    char *end;
    *time = strcmp(text, "-") == 0 ? 0 : strtod(text, &end);
    return strcmp(text, "-") == 0 || (end != text && *end == '\0' && *time > 0 && isfinite(*time));
}

static bool read_times(char *line, struct size_recording *recording, size_t number, struct error *error)
{
    char *rest = line;
    const char *configuration = strsep(&rest, "\t"), *text;
    struct cost_table *times = &recording->times;
    size_t size = 0;
    double time;
    if (times->count > 0 && strcmp(times->configurations[times->count - 1], configuration) >= 0)
        return error_set(error, ERROR_INPUT, "line %zu of the recording is not in order", number);
    for (; size < recording->count && (text = strsep(&rest, "\t")) && read_time(text, &time); size++) {
        recording->slowest[size] = fmax(recording->slowest[size], time);
        if (time > 0 && !cost_table_put(times, configuration, size, time, error))
            return false;
    }
    if (size < recording->count || rest)
        return error_set(error, ERROR_INPUT, "line %zu of the recording has no time of each of the %zu sizes", number,
                         recording->count);
    return true;
}

bool size_recording_read(const char *path, struct size_recording *recording, struct error *error)
{
    *recording = (struct size_recording){0};
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(error, ERROR_INPUT, "%s cannot be read", path);
    char *line = NULL;
    size_t room = 0, number = 0;
    bool done = true;
    while (done && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        done = number++ == 0 ? read_sizes(line, recording, error) : read_times(line, recording, number, error);
    }
    free(line);
    fclose(file);
    return done;
}

static int by_text(const void *text, const void *configuration)
{
    return strcmp(text, *(char *const *)configuration);
}

double size_recording_time(const struct size_recording *recording, const char *size, const char *configuration)
{
    const struct cost_table *times = &recording->times;
    size_t s = 0;
    while (s < recording->count && strcmp(recording->sizes[s], size) != 0)
        s++;
    if (s == recording->count || recording->slowest[s] == 0)
        return INFINITY;
    char **place = bsearch(configuration, times->configurations, times->count, sizeof *place, by_text);
    double time = place ? times->costs[(size_t)(place - times->configurations) * recording->count + s] : 0;
    return time > 0 ? time : recording->slowest[s];
}
