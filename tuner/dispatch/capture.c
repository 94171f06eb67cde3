/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/capture.h"

#include "tuner/json/json_find.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

static const json_int_t count_most = 1000000000000000;

struct capture {
    const char *file, *text;
    const char *start, *end; /* of the line at hand */
    struct size_builder *builder;
    struct size_setting *settings; /* scratch */
    size_t calls;                  /* lines of the template */
    char other[64];                /* a template that other lines are of; "": none */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool capture_is(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && is_blank(text[at]))
        at++;
    return at < length && text[at] == '{';
}

/* An error at what the steps lead to in the line. */
static bool refuse(const struct capture *capture, const struct json_step *steps, size_t count, struct error *error,
                   const char *what)
{
    size_t offset = 0, span = (size_t)(capture->end - capture->start);
    json_find(capture->start, span, steps, count, &offset, &span);
    const struct place place = {capture->file, capture->text, (size_t)(capture->start - capture->text) + offset,
                                span ? span : 1};
    error_at(error, ERROR_INPUT, place, "%s", what);
    return error_hint(error, "a captured call is {\"tune_capture\":1,\"template\":\"gemm\",\"size\":{\"M\":4096},"
                             "\"count\":17}");
}

static bool refuse_member(const struct capture *capture, const char *name, struct error *error, const char *what)
{
    const struct json_step step = {.name = name};
    return refuse(capture, &step, 1, error, what);
}

/* ---- a line */

static bool take_size(const struct capture *capture, const char *name, const json_t *value,
                      struct size_setting *setting, struct error *error)
{
    const struct template *template = capture->builder->template;
    const struct json_step steps[] = {{.name = "size"}, {.name = name}};
    *setting = (struct size_setting){.value = json_integer_value(value)};
    for (size_t i = 0; i < template->size_count; i++) {
        if (strcmp(template->sizes[i].name, name) == 0)
            setting->name = template->sizes[i].name;
    }
    if (!setting->name)
        return refuse(capture, steps, 2, error, "the template has no such size");
    return json_is_integer(value) || refuse(capture, steps, 2, error, "the size is not a whole number");
}

static struct place line_place(const struct capture *capture)
{
    return (struct place){capture->file, capture->text, (size_t)(capture->start - capture->text),
                          (size_t)(capture->end - capture->start)};
}

/* What the template says of the sizes gets the place of the line. */
static bool blame(const struct capture *capture, struct error *error)
{
    return size_builder_blame(line_place(capture), error);
}

static bool has_data(const struct size_builder *builder)
{
    for (size_t i = 0; i < builder->set->data_count; i++) {
        if (builder->set->data[i].size == builder->last)
            return true;
    }
    return false;
}

static bool add_inputs(struct capture *capture, json_t *inputs, struct error *error)
{
    const struct json_step step = {.name = "inputs"};
    const char *name;
    json_t *path;
    if (inputs && !json_is_object(inputs))
        return refuse_member(capture, "inputs", error, "what inputs held is an object of paths by their names");
    if (has_data(capture->builder))
        return true;
    json_object_foreach(inputs, name, path)
    {
        const struct json_step steps[] = {step, {.name = name}};
        if (!json_is_string(path))
            return refuse(capture, steps, 2, error, "this is no path");
        if (!size_builder_add_data(capture->builder, name, json_string_value(path)))
            return error_out_of_memory(error);
    }
    return true;
}

static bool add_call(struct capture *capture, json_t *call, struct error *error)
{
    json_t *size = json_object_get(call, "size"), *count = json_object_get(call, "count"), *value;
    const char *name;
    size_t dimensions = 0;
    if (!json_is_object(size))
        return refuse_member(capture, "size", error, "a captured call needs a size, an object");
    if (json_object_size(size) > capture->builder->template->size_count)
        return refuse_member(capture, "size", error, "there are more sizes than the template has");
    json_object_foreach(size, name, value)
    {
        if (!take_size(capture, name, value, &capture->settings[dimensions++], error))
            return false;
    }
    json_int_t times = count ? json_integer_value(count) : 1;
    if (times < 1 || times > count_most)
        return refuse_member(capture, "count", error, "the count is not a whole number from 1 to 1e15");
    capture->calls++;
    if (!size_builder_add(capture->builder, capture->settings, dimensions, (double)times, error))
        return blame(capture, error);
    return add_inputs(capture, json_object_get(call, "inputs"), error);
}

static bool take_call(struct capture *capture, json_t *call, struct error *error)
{
    const json_t *version = json_object_get(call, "tune_capture"), *name = json_object_get(call, "template");
    if (!json_is_object(call) || !version)
        return refuse(capture, NULL, 0, error, "this is no captured call");
    if (!json_is_integer(version) || json_integer_value(version) != CAPTURE_VERSION)
        return refuse_member(capture, "tune_capture", error, "the call is of another version than 1");
    if (!json_is_string(name))
        return refuse_member(capture, "template", error, "a captured call needs the name of a template");
    if (strcmp(json_string_value(name), capture->builder->template->name) == 0)
        return add_call(capture, call, error);
    if (!capture->other[0])
        snprintf(capture->other, sizeof capture->other, "%.60s", json_string_value(name));
    return true;
}

/* The line is no JSON, as `what` says. */
static bool refuse_json(const struct capture *capture, const char *what, struct error *error)
{
    error_at(error, ERROR_INPUT, line_place(capture), "the line is damaged: %s", what);
    return error_hint(error, "each line of a capture is a JSON object; remove this one");
}

/* `*cut_short`: it is no JSON, and nothing ends it. */
static bool read_line(struct capture *capture, bool is_last, bool *cut_short, struct error *error)
{
    json_t *call = NULL;
    struct error own = {0};
    if (!json_parse(capture->start, (size_t)(capture->end - capture->start), JSON_REJECT_DUPLICATES, NULL, "line",
                    &call, &own)) {
        if (own.code != ERROR_INPUT) {
            *error = own;
            return false;
        }
        *cut_short = is_last;
        return is_last || refuse_json(capture, own.text, error);
    }
    bool taken = take_call(capture, call, error);
    json_decref(call);
    return taken;
}

static bool is_empty(const struct capture *capture)
{
    const char *at = capture->start;
    while (at < capture->end && is_blank(*at))
        at++;
    return at == capture->end;
}

static bool read_all(struct capture *capture, size_t length, bool *cut_short, struct error *error)
{
    const char *end = capture->text + length;
    for (const char *at = capture->text; at < end; at = capture->end + 1) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        capture->start = at;
        capture->end = stop ? stop : end;
        if (!is_empty(capture) && !read_line(capture, !stop, cut_short, error))
            return false;
    }
    return true;
}

bool capture_read(const char *file, const char *text, size_t length, struct size_builder *builder, bool *cut_short,
                  struct error *error)
{
    struct capture capture = {.file = file, .text = text, .builder = builder};
    capture.settings = calloc(builder->template->size_count + 1, sizeof *capture.settings);
    *cut_short = false;
    bool done = (capture.settings || error_out_of_memory(error)) && read_all(&capture, length, cut_short, error);
    free(capture.settings);
    if (!done || capture.calls > 0)
        return done;
    error_set(error, ERROR_INPUT, "%s has no call of template %s", file, builder->template->name);
    return capture.other[0] ? error_hint(error, "it has calls of %s", capture.other) : false;
}
