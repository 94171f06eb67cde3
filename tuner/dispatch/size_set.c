/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/size_set.h"

#include "tuner/dispatch/capture.h"
#include "tuner/dispatch/size_line.h"
#include "tuner/error/input_file.h"

#include <stdlib.h>
#include <string.h>

/* An error of the sizes themselves gets the place of their line. */
static bool blame_line(const struct size_line_place *line, struct error *error)
{
    const char *end = line->end;
    while (end > line->start && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        end--;
    const struct place place = {line->file, line->text, (size_t)(line->start - line->text),
                                (size_t)(end - line->start)};
    return size_builder_blame(place, error);
}

static bool add_values(struct size_builder *builder, const struct size_line *line, struct size_setting *settings,
                       struct error *error)
{
    for (size_t i = 0; i < line->count; i++)
        settings[i] = (struct size_setting){line->sample.ranges[i].name, line->sample.ranges[i].low};
    return size_builder_add(builder, settings, line->count, line->sample.weight, error);
}

static bool add_line(struct size_builder *builder, const struct size_line_place *place, struct size_range *ranges,
                     struct size_setting *settings, struct error *error)
{
    struct size_line line;
    if (!size_line_read(place, builder->template, ranges, &line, error))
        return false;
    if (line.count == 0)
        return true;
    bool added = line.is_sampled ? size_sample_draw(&line.sample, builder, error)
                                 : add_values(builder, &line, settings, error);
    return added || blame_line(place, error);
}

static bool add_lines(struct size_builder *builder, const char *file, const char *text, size_t length,
                      struct error *error)
{
    struct size_range *ranges = calloc(builder->template->size_count + 1, sizeof *ranges);
    struct size_setting *settings = calloc(builder->template->size_count + 1, sizeof *settings);
    bool done = (ranges && settings) || error_out_of_memory(error);
    for (const char *at = text, *end = text + length; done && at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const struct size_line_place place = {file, text, at, stop ? stop : end};
        done = add_line(builder, &place, ranges, settings, error);
        at = place.end + 1;
    }
    free(ranges);
    free(settings);
    return done;
}

bool size_set_parse(const char *file, const char *text, size_t length, const struct template *template,
                    const struct device_description *device, struct size_set *set, struct error *error)
{
    struct size_builder builder;
    bool done = size_builder_begin(&builder, template, device, set, error) &&
                (capture_is(text, length) ? capture_read(file, text, length, &builder, &set->is_cut_short, error)
                                          : add_lines(&builder, file, text, length, error));
    size_builder_end(&builder);
    if (done && set->count == 0) {
        error_set(error, ERROR_INPUT, "%s has no sizes", file);
        return error_hint(error, "it needs a line for each, such as M=4096,N=4096,K=512");
    }
    return done;
}

bool size_set_read(const char *path, const struct template *template, const struct device_description *device,
                   struct size_set *set, struct error *error)
{
    struct input_file file;
    *set = (struct size_set){0};
    input_file_read(path, SIZE_SET_BYTES_MOST, &file);
    if (file.state != INPUT_READ)
        return input_file_error(&file, path, error);
    bool done = size_set_parse(path, file.bytes, file.length, template, device, set, error);
    free(file.bytes);
    return done;
}

void size_set_clear(struct size_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->texts[i]);
    for (size_t i = 0; i < set->data_count; i++) {
        free(set->data[i].buffer);
        free(set->data[i].file);
    }
    free(set->texts);
    free(set->weights);
    free(set->values);
    free(set->data);
    *set = (struct size_set){0};
}

static void remove_data(struct size_set *set, size_t which)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->data_count; i++) {
        struct size_data data = set->data[i];
        if (data.size == which) {
            free(data.buffer);
            free(data.file);
            continue;
        }
        data.size -= data.size > which;
        set->data[kept++] = data;
    }
    set->data_count = kept;
}

bool size_set_restate(struct size_set *set, size_t which, const struct size_setting *sizes, struct error *error)
{
    char *text = sizes_text(sizes, set->dimensions);
    if (!text)
        return error_out_of_memory(error);
    memcpy(set->values + which * set->dimensions, sizes, set->dimensions * sizeof *sizes);
    free(set->texts[which]);
    set->texts[which] = text;
    return true;
}

void size_set_remove(struct size_set *set, size_t which)
{
    remove_data(set, which);
    size_t behind = --set->count - which, dimensions = set->dimensions;
    free(set->texts[which]);
    memmove(set->texts + which, set->texts + which + 1, behind * sizeof *set->texts);
    memmove(set->weights + which, set->weights + which + 1, behind * sizeof *set->weights);
    memmove(set->values + which * dimensions, set->values + (which + 1) * dimensions,
            behind * dimensions * sizeof *set->values);
}
