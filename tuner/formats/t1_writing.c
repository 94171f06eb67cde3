/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_writing.h"

#include "tuner/error/text_stream.h"
#include "tuner/space/value_json.h"

#include <stdlib.h>

bool t1_set(struct t1_writing *w, json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0 || error_out_of_memory(w->error);
}

bool t1_append(struct t1_writing *w, json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0 || error_out_of_memory(w->error);
}

char *t1_python(struct t1_writing *w, const struct expr *expr, struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return NULL;
    if (python_write(stream.out, expr, &w->scope, error))
        return text_stream_close(&stream, error);
    text_stream_discard(&stream);
    return NULL;
}

json_t *t1_launch_text(struct t1_writing *w, const struct expr *expr)
{
    struct error error;
    if (!expr)
        return json_string("1");
    char *text = t1_python(w, expr, &error);
    struct place place = expr_place(expr);
    if (!text && error.code == ERROR_OUT_OF_MEMORY)
        return NULL;
    if (!text)
        fprintf(w->notes, "%.*s is exported as written: %s\n", (int)place.length, place.text + place.offset,
                error.text);
    json_t *json = text ? json_string(text) : json_stringn(place.text + place.offset, place.length);
    free(text);
    return json;
}

json_t *t1_extent(struct t1_writing *w, const struct expr *extent)
{
    struct value value;
    return python_constant(extent, &w->scope, &value) ? value_json(value) : t1_launch_text(w, extent);
}
