/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_write_arguments.h"

#include "tuner/data/matrix.h"
#include "tuner/space/value_json.h"

/* The variable that a buffer is uploaded to before the launch, or NULL. */
static const struct statement *find_upload(const struct block *block, size_t buffer)
{
    for (size_t i = 0; i < block->count; i++) {
        if (block->statements[i].kind == STATEMENT_COPY_SYMBOL && block->statements[i].buffer == buffer)
            return &block->statements[i];
    }
    return NULL;
}

static const char *type_of(enum element element)
{
    static const char *const names[ELEMENT_COUNT] = {
        [ELEMENT_CHAR] = "int8",     [ELEMENT_UCHAR] = "uint8",  [ELEMENT_SHORT] = "int16",
        [ELEMENT_USHORT] = "uint16", [ELEMENT_INT] = "int32",    [ELEMENT_UINT] = "uint32",
        [ELEMENT_LONG] = "int64",    [ELEMENT_ULONG] = "uint64", [ELEMENT_FLOAT] = "float",
        [ELEMENT_DOUBLE] = "double", [ELEMENT_HALF] = "half",    [ELEMENT_BFLOAT16] = "bfloat16"};
    return names[element];
}

/* Of numbers; other types have their names in templates. */
static const char *buffer_type(const struct buffer_declaration *buffer)
{
    const struct layout *layout = buffer->type->layout;
    if (layout_is_scalar(layout))
        return type_of(layout->leaves[0].element);
    return buffer->type->kind == TYPE_STRUCT ? "custom" : layout->name;
}

/* All of a file, or an array of its matrix. */
static bool is_matrix_market(const struct template *template, const struct buffer_declaration *buffer)
{
    size_t part;
    return matrix_is_file(buffer->file) ||
           template_matrix_of(template, (size_t)(buffer - template->buffers), &part) != NULL;
}

static bool write_fill(struct t1_writing *w, const struct buffer_declaration *buffer, json_t *json)
{
    struct value value = value_integer(0);
    const struct expr *number = buffer->initial == INITIAL_UNIFORM ? buffer->b : buffer->a;
    if (number && !python_constant(number, &w->scope, &value))
        fprintf(w->notes, "the initial value of %s depends on parameters: exported as 0\n", buffer->name);
    if (!role_is_initialised(buffer->role) || buffer->initial == INITIAL_CONSTANT)
        return t1_set(w, json, "FillType", json_string("Constant")) &&
               t1_set(w, json, "FillValue", value_json(value));
    if (buffer->initial == INITIAL_INDEX)
        return t1_set(w, json, "FillType", json_string("Generator")) &&
               t1_set(w, json, "DataSource", json_string("i"));
    if (buffer->initial == INITIAL_FILE && is_matrix_market(w->template, buffer)) {
        fprintf(w->notes, "%s is read from %s, a Matrix Market file: exported with random values\n", buffer->name,
                buffer->file);
        value = value_float(1);
    } else if (buffer->initial == INITIAL_FILE) {
        fprintf(w->notes,
                "%s is read from %s: exported as that file's name; if it is a .npy file, cut off its header\n",
                buffer->name, buffer->file);
        return t1_set(w, json, "FillType", json_string("BinaryRaw")) &&
               t1_set(w, json, "DataSource", json_string(buffer->file));
    }
    if (buffer->initial == INITIAL_NONE) {
        fprintf(w->notes, "%s is initialized by the template's setup: exported with random values\n", buffer->name);
        value = value_float(1);
    }
    return t1_set(w, json, "FillType", json_string("Random")) && t1_set(w, json, "FillValue", value_json(value));
}

static bool write_vector(struct t1_writing *w, const struct argument *argument, json_t *json)
{
    static const char *const accesses[] = {[BUFFER_IN] = "ReadOnly",
                                           [BUFFER_OUT] = "WriteOnly",
                                           [BUFFER_INOUT] = "ReadWrite",
                                           [BUFFER_TEMP] = "ReadWrite",
                                           [BUFFER_SCRATCH] = "ReadWrite"};
    const struct buffer_declaration *buffer = &w->template->buffers[argument->buffer];
    const struct statement *upload = find_upload(&w->template->launch.body, argument->buffer);
    bool output = role_is_output(buffer->role);
    if (argument->offset)
        fprintf(w->notes, "the kernel gets %s at an offset: exported without the offset\n", buffer->name);
    return t1_set(w, json, "Name", json_string(upload ? upload->name : buffer->name)) &&
           t1_set(w, json, "Type", json_string(buffer_type(buffer))) &&
           (buffer->type->kind != TYPE_STRUCT ||
            t1_set(w, json, "TypeSize", json_integer((json_int_t)buffer->type->layout->bytes))) &&
           t1_set(w, json, "MemoryType", json_string("Vector")) &&
           (!upload || t1_set(w, json, "MemType", json_string("Constant"))) &&
           t1_set(w, json, "AccessType", json_string(accesses[buffer->role])) &&
           t1_set(w, json, "Size", t1_extent(w, buffer->extent)) && write_fill(w, buffer, json) &&
           (!output || t1_set(w, json, "Output", json_integer(1)));
}

static bool write_scalar(struct t1_writing *w, const struct argument *argument, json_t *json)
{
    struct value value = {.kind = VALUE_UNSET};
    bool constant = python_constant(argument->value, &w->scope, &value);
    enum element element = argument->typed                         ? argument->element
                           : constant && value.kind == VALUE_FLOAT ? ELEMENT_FLOAT
                                                                   : ELEMENT_INT;
    return t1_set(w, json, "Type", json_string(type_of(element))) &&
           t1_set(w, json, "MemoryType", json_string("Scalar")) &&
           t1_set(w, json, "AccessType", json_string("ReadOnly")) &&
           t1_set(w, json, "FillType", json_string(constant ? "Constant" : "Script")) &&
           t1_set(w, json, constant ? "FillValue" : "DataSource",
                  constant ? value_json(value) : t1_launch_text(w, argument->value));
}

/* T1 has no values of several numbers. */
static bool write_compound(struct t1_writing *w, const struct argument *argument, json_t *json)
{
    const struct layout *layout = argument->type->layout;
    fprintf(w->notes, "an argument of type %s is passed by value: exported without its values\n", layout->name);
    return t1_set(w, json, "Type", json_string(argument->type->kind == TYPE_STRUCT ? "custom" : layout->name)) &&
           t1_set(w, json, "TypeSize", json_integer((json_int_t)layout->bytes)) &&
           t1_set(w, json, "MemoryType", json_string("Scalar")) &&
           t1_set(w, json, "AccessType", json_string("ReadOnly")) &&
           t1_set(w, json, "FillType", json_string("Constant")) && t1_set(w, json, "FillValue", json_integer(0));
}

static bool write_texture(struct t1_writing *w, const struct argument *argument, json_t *json)
{
    fprintf(w->notes, "T1 has no textures and surfaces: %s is exported as a buffer\n",
            w->template->buffers[argument->buffer].name);
    return write_vector(w, argument, json);
}

static bool write_argument(struct t1_writing *w, const struct argument *argument, json_t *json)
{
    switch (argument->kind) {
    case ARGUMENT_BUFFER:
        return write_vector(w, argument, json);
    case ARGUMENT_TEXTURE:
    case ARGUMENT_SURFACE:
        return write_texture(w, argument, json);
    case ARGUMENT_COMPOUND:
        return write_compound(w, argument, json);
    case ARGUMENT_SCALAR:
    case ARGUMENT_REFERENCE: /* of references alone */
    case ARGUMENT_MAGNITUDE:
        break;
    }
    return write_scalar(w, argument, json);
}

bool t1_write_arguments(struct t1_writing *w, const struct statement *launch, json_t *kernel)
{
    json_t *arguments = json_array();
    bool done = t1_set(w, kernel, "Arguments", arguments);
    for (size_t i = 0; done && i < launch->argument_count; i++) {
        json_t *json = json_object();
        done = t1_append(w, arguments, json) && write_argument(w, &launch->arguments[i], json);
    }
    /* Symbols filled from buffers that are not arguments themselves. */
    const struct block *block = &w->template->launch.body;
    for (size_t i = 0; done && i < block->count; i++) {
        const struct statement *copy = &block->statements[i];
        bool given = copy->kind != STATEMENT_COPY_SYMBOL;
        for (size_t k = 0; !given && k < launch->argument_count; k++)
            given = launch->arguments[k].kind == ARGUMENT_BUFFER && launch->arguments[k].buffer == copy->buffer;
        if (given)
            continue;
        json_t *json = json_object();
        struct argument argument = {.kind = ARGUMENT_BUFFER, .buffer = copy->buffer};
        done = t1_append(w, arguments, json) && write_vector(w, &argument, json) &&
               t1_set(w, json, "MemoryType", json_string("Symbol"));
        json_object_del(json, "MemType");
    }
    return done;
}
