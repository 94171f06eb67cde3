/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/argument_json.h"

#include "tuner/job/value_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const pointer_names[] = {
    [ARGUMENT_BUFFER] = "buffer",   [ARGUMENT_REFERENCE] = "reference", [ARGUMENT_MAGNITUDE] = "magnitude",
    [ARGUMENT_TEXTURE] = "texture", [ARGUMENT_SURFACE] = "surface",
};

enum { POINTER_COUNT = sizeof pointer_names / sizeof *pointer_names };

/* ---- writing ---- */

static json_t *write_argument(const struct job_argument *argument);

/* ["compound", name, name in kernels, value, [[place, pointer], ...]] */
static json_t *write_compound(const struct job_compound *compound)
{
    json_t *array = json_array(), *pointers = json_array();
    char *text = malloc(2 * compound->bytes + 1);
    bool complete = array && pointers && text;
    for (size_t i = 0; i < compound->bytes && complete; i++)
        snprintf(text + 2 * i, 3, "%02x", compound->value[i]);
    for (size_t i = 0; i < compound->pointer_count && complete; i++)
        complete = write_add(pointers, write_whole(compound->pointers[i].at)) &&
                   write_add(pointers, write_argument(&compound->pointers[i]));
    complete = complete && write_add(array, json_string("compound")) &&
               write_add(array, json_string(compound->name)) && write_add(array, json_string(compound->c_name)) &&
               write_add(array, json_string(text));
    free(text);
    return write_finish(array, write_add(array, write_finish(pointers, complete)) && complete);
}

static json_t *write_argument(const struct job_argument *argument)
{
    if (argument->kind == ARGUMENT_COMPOUND)
        return write_compound(argument->compound);
    json_t *array = json_array();
    if (argument->kind == ARGUMENT_SCALAR)
        return write_finish(array, write_add(array, json_string(element_types[argument->element].name)) &&
                                       write_add(array, write_bytes(argument->bytes)));
    const struct texture_shape *shape = &argument->texture;
    bool texture = argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE;
    return write_finish(
        array,
        write_add(array, json_string(pointer_names[argument->kind])) &&
            write_add(array, write_whole(argument->buffer)) && write_add(array, write_whole(argument->offset)) &&
            (!texture ||
             (write_add(array, write_whole(shape->dimensions)) && write_add(array, write_dimensions(shape->extent)) &&
              write_add(array, json_boolean(shape->linear)) && write_add(array, json_boolean(shape->normalized)) &&
              write_add(array, write_whole((uint64_t)shape->address)))));
}

json_t *arguments_to_json(const struct job_step *step)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < step->argument_count && complete; i++)
        complete = write_add(array, write_argument(&step->arguments[i]));
    return write_finish(array, complete);
}

/* ---- reading ---- */

static bool read_texture(const json_t *json, struct job_argument *argument, struct error *error)
{
    struct texture_shape *shape = &argument->texture;
    uint64_t dimensions, address;
    if (!read_whole(json_array_get(json, 3), "a texture's dimensions", &dimensions, error) ||
        !read_dimensions(json_array_get(json, 4), &shape->extent, error) ||
        !read_whole(json_array_get(json, 7), "an address mode", &address, error))
        return false;
    if (dimensions > 3 || address > ADDRESS_MIRROR)
        return read_refuse(error, "a texture");
    shape->surface = argument->kind == ARGUMENT_SURFACE;
    shape->dimensions = (unsigned)dimensions;
    shape->linear = json_is_true(json_array_get(json, 5));
    shape->normalized = json_is_true(json_array_get(json, 6));
    shape->address = (enum address_mode)address;
    return true;
}

static bool read_argument(const json_t *json, struct job_argument *argument, struct error *error);

static bool read_value(const char *text, struct job_compound *compound, struct error *error)
{
    size_t digits = strlen(text);
    if (digits % 2 != 0 || digits == 0 || digits > 2 * (size_t)COMPOUND_BYTES_MOST ||
        strspn(text, "0123456789abcdef") != digits)
        return read_refuse(error, "the bytes of a value");
    compound->value = calloc(digits / 2, 1);
    if (!compound->value)
        return error_out_of_memory(error);
    compound->bytes = digits / 2;
    for (size_t i = 0; i < digits; i++) {
        int digit = text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10;
        compound->value[i / 2] = (unsigned char)(compound->value[i / 2] << 4 | digit);
    }
    return true;
}

/* What pointers of a compound may be. */
static bool is_pointer(const struct job_argument *argument)
{
    return (int)argument->kind <= ARGUMENT_MAGNITUDE;
}

static bool read_compound(const json_t *json, struct job_argument *argument, struct error *error)
{
    const json_t *pointers = json_array_get(json, 4);
    const char *value = json_string_value(json_array_get(json, 3));
    argument->kind = ARGUMENT_COMPOUND;
    struct job_compound *compound = argument->compound = calloc(1, sizeof *compound);
    if (!compound)
        return error_out_of_memory(error);
    if (!value || !json_is_array(pointers))
        return read_refuse(error, "an argument");
    compound->pointers = calloc(json_array_size(pointers) / 2 + 1, sizeof *compound->pointers);
    if (!compound->pointers)
        return error_out_of_memory(error);
    if (!read_text(json_array_get(json, 1), "a type", &compound->name, error) ||
        !read_text(json_array_get(json, 2), "a type", &compound->c_name, error) ||
        !read_value(value, compound, error))
        return false;
    for (size_t i = 0; 2 * i < json_array_size(pointers); i++) {
        struct job_argument *pointer = &compound->pointers[i];
        const json_t *written = json_array_get(pointers, 2 * i + 1);
        if (json_array_size(written) != 3 || !read_argument(written, pointer, error) || !is_pointer(pointer) ||
            !read_index(json_array_get(pointers, 2 * i), "a pointer's place", &pointer->at, error))
            return read_refuse(error, "a pointer");
        compound->pointer_count++;
    }
    return true;
}

static bool read_argument(const json_t *json, struct job_argument *argument, struct error *error)
{
    size_t kind;
    if (json_array_size(json) == 5)
        return read_compound(json, argument, error);
    if (json_array_size(json) == 2) {
        argument->kind = ARGUMENT_SCALAR;
        return read_element(json_array_get(json, 0), &argument->element, error) &&
               read_bytes(json_array_get(json, 1), argument->bytes, error);
    }
    if (!read_word(json_array_get(json, 0), "an argument", pointer_names, POINTER_COUNT, &kind, error))
        return false;
    argument->kind = (enum argument_kind)kind;
    return read_index(json_array_get(json, 1), "an argument's buffer", &argument->buffer, error) &&
           read_whole(json_array_get(json, 2), "an argument's offset", &argument->offset, error) &&
           ((argument->kind != ARGUMENT_TEXTURE && argument->kind != ARGUMENT_SURFACE) ||
            read_texture(json, argument, error));
}

bool arguments_from_json(const json_t *json, struct job_step *step, struct error *error)
{
    step->arguments = read_allocate(json, "arguments", sizeof *step->arguments, error);
    if (!step->arguments)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_argument(json_array_get(json, i), &step->arguments[step->argument_count++], error))
            return false;
    }
    return true;
}
