/* SPDX-License-Identifier: Apache-2.0 */
/* From JSON to the parts of a T1 file. */
#include "tuner/formats/t1_parts.h"
#include "tuner/lang/expression.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHERE = 512,
    MOST_FACTORS = 100, /* of GridDivX */
    MOST_ARGUMENTS = 1000,
};

char *t1_format(struct t1 *t1, struct error *error, const char *format, ...)
{
    char *text = NULL, *copy = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        copy = arena_string(&t1->arena, text, (size_t)length);
        free(text);
    }
    if (!copy)
        error_out_of_memory(error);
    return copy;
}

void t1_clear(struct t1 *t1)
{
    for (size_t i = 0; i < t1->parameter_count; i++)
        free(t1->parameters[i].values);
    if (t1->notes)
        fclose(t1->notes);
    free(t1->notes_text);
    arena_free(&t1->arena);
    *t1 = (struct t1){0};
}

/* ---- members ---- */

static bool member_object(const struct t1 *t1, const json_t *object, const char *name, const json_t **member,
                          struct error *error)
{
    *member = json_object_get(object, name);
    return json_is_object(*member) || error_set(error, ERROR_INPUT, "%s: \"%s\" is not an object", t1->path, name);
}

/* An array that may be missing: then it is NULL, which jansson takes for an empty one. */
static bool optional_array(const struct t1 *t1, const json_t *object, const char *name, const json_t **array,
                           struct error *error)
{
    *array = json_object_get(object, name);
    return !*array || json_is_null(*array) || json_is_array(*array) ||
           error_set(error, ERROR_INPUT, "%s: \"%s\" is not an array", t1->path, name);
}

static bool member_text(const struct t1 *t1, const json_t *object, const char *name, const char *where,
                        const char **text, struct error *error)
{
    *text = json_string_value(json_object_get(object, name));
    return (*text && **text) || error_set(error, ERROR_INPUT, "%s: %s has no text \"%s\"", t1->path, where, name);
}

/* A number, boolean or text as the text of an expression; NULL for anything else. */
static const char *scalar_text(struct t1 *t1, const json_t *json, struct error *error)
{
    if (json_is_string(json))
        return json_string_value(json);
    if (!json_is_number(json) && !json_is_boolean(json))
        return NULL;
    char text[64];
    struct value value = json_is_integer(json) ? value_integer(json_integer_value(json))
                         : json_is_real(json)  ? value_float(json_real_value(json))
                                               : value_boolean(json_is_true(json));
    value_text(value, text, sizeof text);
    return t1_format(t1, error, "%s", text);
}

/* ---- names ---- */

/* What is no letter, digit or _ becomes _. */
static char *identifier(struct t1 *t1, const char *name, struct error *error)
{
    bool bad_start = !isalpha((unsigned char)*name) && *name != '_';
    char *text = t1_format(t1, error, "%s%.100s", bad_start ? "_" : "", name);
    for (char *c = text; c && *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '_';
    }
    return text;
}

/* May the template have another value of this name? */
static bool name_is_free(struct t1 *t1, const char *name)
{
    struct error error;
    struct text text = {"", name, strlen(name)};
    struct parser parser;
    struct token token;
    struct scope *scope = scope_create(&t1->arena);
    bool is_free = scope && parser_start(&parser, &text, &t1->arena, scope, &error) &&
                   parser_new_name(&parser, "a name", &token) && parser_at(&parser, TOKEN_END);
    for (size_t i = 0; is_free && i < t1->parameter_count; i++)
        is_free = strcmp(t1->parameters[i].name, name) != 0;
    for (size_t i = 0; is_free && i < t1->size_count; i++)
        is_free = !t1->sizes[i] || strcmp(t1->sizes[i], name) != 0;
    for (size_t i = 0; is_free && i < t1->argument_count; i++)
        is_free = !t1->arguments[i].name || strcmp(t1->arguments[i].name, name) != 0;
    return is_free;
}

static const char *free_name(struct t1 *t1, const char *wanted, struct error *error)
{
    char *name = identifier(t1, wanted, error);
    while (name && !name_is_free(t1, name))
        name = t1_format(t1, error, "%s_", name);
    return name;
}

/* ---- expressions ---- */

static struct python_names names_of(const struct t1 *t1, const struct python_parameter *parameters)
{
    return (struct python_names){
        .parameters = parameters,
        .parameter_count = t1->parameter_count,
        .sizes = t1->sizes,
        .size_count = t1->size_count,
    };
}

/* The parameters for python_text, in the arena. */
static struct python_parameter *python_parameters(struct t1 *t1, const struct value *fixed, struct error *error)
{
    struct python_parameter *list = arena_allocate(&t1->arena, (t1->parameter_count + 1) * sizeof *list);
    if (!list)
        error_out_of_memory(error);
    for (size_t i = 0; list && i < t1->parameter_count; i++) {
        list[i] = (struct python_parameter){
            t1->parameters[i].name, t1->parameters[i].values, t1->parameters[i].count, {.kind = VALUE_UNSET}};
        if (fixed)
            list[i].fixed = fixed[i];
    }
    return list;
}

/* The names that expressions may read: parameters and sizes, as far as they are known. */
static struct scope *scope_of(struct t1 *t1, struct error *error)
{
    size_t slot, count = t1->parameter_count + t1->size_count;
    if (t1->scope && scope_count(t1->scope) == count)
        return t1->scope;
    struct scope *scope = scope_create(&t1->arena);
    for (size_t i = 0; scope && i < count; i++) {
        bool is_size = i >= t1->parameter_count;
        const char *name = is_size ? t1->sizes[i - t1->parameter_count] : t1->parameters[i].name;
        if (!scope_add_value(scope, name, strlen(name), is_size ? NAME_SIZE : NAME_PARAMETER, NULL, 0, &slot))
            scope = NULL;
    }
    t1->scope = scope;
    if (!scope)
        error_out_of_memory(error);
    return scope;
}

static bool parse(struct t1 *t1, const char *expression, const char *where, struct scope *scope,
                  const struct expr **expr, struct error *error)
{
    struct text *text = arena_allocate(&t1->arena, sizeof *text); /* the expression keeps it */
    const char *file = t1_format(t1, error, "%s, %s", t1->path, where);
    if (!text)
        return error_out_of_memory(error);
    return file && text_copy(text, &t1->arena, file, expression, strlen(expression), error) &&
           expression_parse(text, &t1->arena, scope, expr, error);
}

/* A text of the file as the text of a single value in the language. */
static bool read_expression(struct t1 *t1, const char *text, const struct python_names *names, const char *where,
                            const char **result, struct error *error)
{
    const struct expr *expr;
    struct scope *scope = scope_of(t1, error);
    *result = scope ? python_text(&t1->arena, text, names, where, error) : NULL;
    if (!*result || !parse(t1, *result, where, scope, &expr, error))
        return false;
    if (expr->root->is_list)
        return error_at(error, ERROR_INPUT, expr_place(expr), "a single value is needed here, not a list");
    return true;
}

/* ---- parameters ---- */

/* A list as Python has it: also "1, 2, 3", and a single value for a list of one. */
static bool read_values(struct t1 *t1, struct t1_parameter *parameter, const char *text, const char *where,
                        struct error *error)
{
    const struct expr *expr;
    struct error other;
    struct python_names names = names_of(t1, NULL);
    names.parameter_count = 0;
    struct scope *scope = scope_create(&t1->arena); /* without names: the values of a parameter read no others */
    if (!scope)
        return error_out_of_memory(error);
    const char *list = python_text(&t1->arena, text, &names, where, error);
    const char *bracketed = list ? t1_format(t1, error, "[%s]", list) : NULL;
    if (!bracketed)
        return false;
    if (!parse(t1, list, where, scope, &expr, error) || !expr->root->is_list) {
        const struct expr *inside;
        if (!parse(t1, bracketed, where, scope, &inside, &other))
            return parse(t1, list, where, scope, &expr, error) &&
                   error_is_false(error_at(error, ERROR_INPUT, expr_place(expr), "a list of values is needed here"));
        expr = inside;
        list = bracketed;
    }
    parameter->values_text = list;
    return expr_list(expr, (struct value[1]){{.kind = VALUE_UNSET}}, &parameter->values, &parameter->count, error);
}

/* Is it the value that T1's default, `wanted` as text, stands for? */
static bool is_default(struct value value, const json_t *json, const char *wanted)
{
    switch (value.kind) {
    case VALUE_STRING:
        return json_is_string(json) && strcmp(value.string, wanted) == 0;
    case VALUE_BOOLEAN:
        return json_is_boolean(json) ? json_is_true(json) == value.boolean
                                     : json_number_value(json) == (double)value.boolean;
    case VALUE_FLOAT:
        return json_is_number(json) && json_number_value(json) == value.real;
    default:
        return json_is_number(json) && json_number_value(json) == (double)value.integer;
    }
}

static bool read_default(struct t1 *t1, struct t1_parameter *parameter, const json_t *json, struct error *error)
{
    if (json_array_size(json) == 1)
        json = json_array_get(json, 0);
    const char *wanted = scalar_text(t1, json, error);
    for (size_t i = 0; wanted && i < parameter->count; i++) {
        struct value value = parameter->values[i];
        if (!is_default(value, json, wanted))
            continue;
        size_t length = value_text(value, NULL, 0);
        char *text = arena_allocate(&t1->arena, length + 1);
        if (!text)
            return error_out_of_memory(error);
        value_text(value, text, length + 1);
        parameter->default_text = text;
        return true;
    }
    if (wanted)
        fprintf(t1->notes, "the default %s of %s is none of its values and was left out\n", wanted, parameter->name);
    return true;
}

static bool is_plain_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *text && !isdigit((unsigned char)*text) && strspn(text, letters) == strlen(text);
}

/* Kernels get texts as macros, which hold names alone. */
static bool check_strings(const struct t1 *t1, const struct t1_parameter *parameter, struct error *error)
{
    for (size_t i = 0; i < parameter->count && !t1->foreign; i++) {
        struct value value = parameter->values[i];
        if (value.kind != VALUE_STRING || is_plain_name(value.string))
            continue;
        char text[160];
        value_text(value, text, sizeof text);
        error_set(error, ERROR_INPUT, "%s: the Values of %.128s: no define of a kernel can hold %s", t1->path,
                  parameter->name, text);
        return error_hint(error, "use letters, digits and underscores, so that the kernel can ask #if %.64s_...",
                          parameter->name);
    }
    return true;
}

static bool read_parameter(struct t1 *t1, const json_t *json, size_t index, struct error *error)
{
    struct t1_parameter parameter = {0};
    char where[WHERE];
    snprintf(where, sizeof where, "TuningParameters[%zu]", index);
    if (!member_text(t1, json, "Name", where, &parameter.name, error))
        return false;
    parameter.name = t1_format(t1, error, "%s", parameter.name);
    if (!parameter.name)
        return false;
    if (!is_plain_name(parameter.name) || !name_is_free(t1, parameter.name)) {
        error_set(error, ERROR_INPUT, "%s: %s: a parameter cannot be named %s", t1->path, where, parameter.name);
        return error_hint(error, "it is no name of letters, digits and _, means something in the language, or is "
                                 "there twice");
    }
    const json_t *values = json_object_get(json, "Values");
    char *dumped = json_is_array(values) ? json_dumps(values, 0) : NULL;
    const char *text = dumped ? dumped : json_string_value(values);
    snprintf(where, sizeof where, "the Values of %.128s", parameter.name);
    bool done = text ? read_values(t1, &parameter, text, where, error)
                     : error_set(error, ERROR_INPUT, "%s: %s are neither a text nor an array", t1->path, where);
    free(dumped);
    done = done && check_strings(t1, &parameter, error);
    if (done && json_object_get(json, "Default"))
        done = read_default(t1, &parameter, json_object_get(json, "Default"), error);
    t1->parameters[t1->parameter_count++] = parameter; /* with its values, to be freed */
    return done;
}

static bool read_condition(struct t1 *t1, const json_t *json, size_t index, const struct python_names *names,
                           struct error *error)
{
    char where[WHERE];
    snprintf(where, sizeof where, "Conditions[%zu]", index);
    const char *text = json_is_string(json) ? json_string_value(json) : NULL;
    if (!text && !member_text(t1, json, "Expression", where, &text, error))
        return false;
    return read_expression(t1, text, names, where, &t1->conditions[t1->condition_count++], error);
}

static bool read_space(struct t1 *t1, const json_t *space, struct error *error)
{
    const json_t *parameters, *conditions;
    const char *older = "Constraints"; /* drafts of the format call them so */
    bool is_older = !json_object_get(space, "Conditions") && json_object_get(space, older);
    if (!optional_array(t1, space, "TuningParameters", &parameters, error) ||
        !optional_array(t1, space, is_older ? older : "Conditions", &conditions, error))
        return false;
    size_t count = json_array_size(parameters);
    if (count == 0)
        return error_set(error, ERROR_INPUT, "%s has no TuningParameters", t1->path);
    t1->parameters = arena_allocate(&t1->arena, count * sizeof *t1->parameters);
    t1->conditions = arena_allocate(&t1->arena, (json_array_size(conditions) + 1) * sizeof *t1->conditions);
    if (!t1->parameters || !t1->conditions)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (!read_parameter(t1, json_array_get(parameters, i), i, error))
            return false;
    }
    struct python_parameter *list = python_parameters(t1, NULL, error);
    struct python_names names = names_of(t1, list);
    for (size_t i = 0; list && i < json_array_size(conditions); i++) {
        if (!read_condition(t1, json_array_get(conditions, i), i, &names, error))
            return false;
    }
    return list;
}

/* ---- the kernel ---- */

static const struct {
    const char *name;
    const char *block, *without; /* Kernel Tuner's parameter for the block, and what it takes where there is none */
} axes[T1_DIMENSIONS] = {{"X", "block_size_x", "256"}, {"Y", "block_size_y", "1"}, {"Z", "block_size_z", "1"}};

static bool has_parameter(const struct t1 *t1, const char *name)
{
    for (size_t i = 0; i < t1->parameter_count; i++) {
        if (strcmp(t1->parameters[i].name, name) == 0)
            return true;
    }
    return false;
}

/* The launch of a kernel that is not compiled is only for show: what cannot be read of it is left out. */
static bool is_of_no_use(const struct t1 *t1, const struct error *error)
{
    return t1->foreign && error->code == ERROR_INPUT;
}

/* One extent of LocalSize or GlobalSize; `fallback` where there is none. */
static bool axis_text(struct t1 *t1, const json_t *size, size_t axis, const char *what, const char *fallback,
                      const char **text, struct error *error)
{
    const json_t *extent = json_object_get(size, axes[axis].name);
    *text = extent && !json_is_null(extent) ? scalar_text(t1, extent, error) : fallback;
    return *text || error_set(error, ERROR_INPUT, "%s: %s.%s is neither a number nor an expression", t1->path, what,
                              axes[axis].name);
}

static bool read_axis(struct t1 *t1, const char *text, size_t axis, const char *what,
                      const struct python_names *names, const char **result, struct error *error)
{
    char where[WHERE];
    snprintf(where, sizeof where, "%s.%s", what, axes[axis].name);
    return read_expression(t1, text, names, where, result, error);
}

/* By the names of parameters, as Kernel Tuner has it, where there is no LocalSize. */
static bool read_local(struct t1 *t1, const json_t *local, struct error *error)
{
    bool supposed = false;
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const char *fallback = json_is_object(local) ? "1" : axes[i].block;
        if (!axis_text(t1, local, i, "LocalSize", fallback, &t1->local[i], error))
            return false;
        if (strcmp(t1->local[i], axes[i].block) != 0 || has_parameter(t1, axes[i].block))
            continue;
        t1->local[i] = axes[i].without;
        supposed = supposed || json_is_object(local) || i == 0;
    }
    if (supposed)
        fprintf(t1->notes,
                "a block is taken to have %s x %s x %s threads, as Kernel Tuner does where a parameter is missing\n",
                t1->local[0], t1->local[1], t1->local[2]);
    return true;
}

static bool read_sizes(struct t1 *t1, const json_t *size, struct error *error)
{
    static const char *const wanted[T1_DIMENSIONS] = {"problem_size_x", "problem_size_y", "problem_size_z"};
    size_t count = json_is_array(size) ? json_array_size(size) : size && !json_is_null(size) ? 1 : 0;
    if (count > T1_DIMENSIONS)
        return error_set(error, ERROR_INPUT, "%s: ProblemSize has %zu extents, more than %d", t1->path, count,
                         T1_DIMENSIONS);
    struct python_names names = {0};
    for (size_t i = 0; i < count; i++) {
        const char *text = scalar_text(t1, json_is_array(size) ? json_array_get(size, i) : size, error);
        if (!text)
            return error_set(error, ERROR_INPUT, "%s: ProblemSize is neither a number nor a list of them", t1->path);
        const char *name = free_name(t1, wanted[i], error);
        if (!name || !read_expression(t1, text, &names, "ProblemSize", &t1->size_values[i], error))
            return false;
        t1->sizes[i] = name;
    }
    t1->size_count = count;
    return true;
}

static bool read_options(struct t1 *t1, const json_t *options, struct error *error)
{
    t1->options = arena_allocate(&t1->arena, (json_array_size(options) + 1) * sizeof *t1->options);
    if (!t1->options)
        return error_out_of_memory(error);
    for (size_t i = 0; i < json_array_size(options); i++) {
        const char *text = json_string_value(json_array_get(options, i));
        if (!text)
            return error_set(error, ERROR_INPUT, "%s: CompilerOptions[%zu] is not a text", t1->path, i);
        if (*text && !(t1->options[t1->option_count++] = t1_format(t1, error, "%s", text)))
            return false;
    }
    return true;
}

/* ---- arguments ---- */

/* The element type of a T1 type, and how many of them one value has. */
static bool find_type(const char *name, enum element *element, unsigned *width)
{
    static const struct {
        const char *name;
        enum element element;
    } types[] = {
        {"bool", ELEMENT_UCHAR},    {"int8", ELEMENT_CHAR},   {"uint8", ELEMENT_UCHAR},   {"int16", ELEMENT_SHORT},
        {"uint16", ELEMENT_USHORT}, {"int32", ELEMENT_INT},   {"uint32", ELEMENT_UINT},   {"int64", ELEMENT_LONG},
        {"uint64", ELEMENT_ULONG},  {"float", ELEMENT_FLOAT}, {"double", ELEMENT_DOUBLE}, {"int", ELEMENT_INT},
        {"uint", ELEMENT_UINT},     {"half", ELEMENT_USHORT},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i].name);
        if (strncmp(name, types[i].name, length) != 0)
            continue;
        char *end = NULL;
        if (name[length] && !isdigit((unsigned char)name[length]))
            continue;
        *width = name[length] ? (unsigned)strtoul(name + length, &end, 10) : 1;
        bool vector = types[i].element == ELEMENT_FLOAT || types[i].element == ELEMENT_DOUBLE ||
                      types[i].element == ELEMENT_USHORT;
        *element = types[i].element;
        if (!name[length] || (vector && !*end && *width >= 2 && *width <= 16))
            return true;
    }
    return false;
}

static bool read_type(struct t1 *t1, const json_t *json, const char *where, struct t1_argument *argument,
                      unsigned *width, struct error *error)
{
    const char *type;
    if (!member_text(t1, json, "Type", where, &type, error))
        return false;
    json_int_t bytes = json_integer_value(json_object_get(json, "TypeSize"));
    if (strcmp(type, "custom") == 0 && bytes > 0 && bytes <= 1 << 20) {
        argument->element = ELEMENT_UCHAR;
        *width = (unsigned)bytes;
        fprintf(t1->notes, "%s of a type of the kernel's own is a buffer of bytes\n", where);
        return true;
    }
    if (!find_type(type, &argument->element, width)) {
        error_set(error, ERROR_INPUT, "%s: %s is of type %s, which is not known", t1->path, where, type);
        return error_hint(error, "there are bool, int8 to int64, uint8 to uint64, half, float, double, and vectors "
                                 "such as float4");
    }
    if (strncmp(type, "half", 4) == 0)
        fprintf(t1->notes, "%s of halves is a buffer of 16-bit patterns, compared as integers\n", where);
    return true;
}

static void read_access(const json_t *json, struct t1_argument *argument)
{
    const char *access = json_string_value(json_object_get(json, "AccessType"));
    argument->access = !access                            ? T1_READ_WRITE
                       : strcmp(access, "ReadOnly") == 0  ? T1_READ
                       : strcmp(access, "WriteOnly") == 0 ? T1_WRITE
                                                          : T1_READ_WRITE;
}

static bool read_fill(struct t1 *t1, const json_t *json, const char *where, struct t1_argument *argument,
                      struct error *error)
{
    const char *fill = json_string_value(json_object_get(json, "FillType"));
    const char *source = json_string_value(json_object_get(json, "DataSource"));
    double value = json_number_value(json_object_get(json, "FillValue"));
    bool floating = element_types[argument->element].floating;
    argument->high = value > 0 && isfinite(value) ? value : 1;
    if (!floating && argument->high < 2)
        argument->high = 2;
    argument->value = floating ? t1_format(t1, error, "%.17g", value) : t1_format(t1, error, "%.0f", trunc(value));
    if (!argument->value)
        return false;
    argument->fill = T1_RANDOM;
    if (!fill || strcmp(fill, "Constant") == 0)
        argument->fill = T1_CONSTANT;
    else if (strcmp(fill, "Generator") == 0 && source && strcmp(source, "i") == 0)
        argument->fill = T1_INDEX;
    else if (strcmp(fill, "Random") != 0 && argument->access != T1_WRITE)
        fprintf(t1->notes, "%s is filled by %s%s%s in T1, which is not taken over: it gets random values\n", where,
                fill, source ? " " : "", source ? source : "");
    return true;
}

static bool read_extent(struct t1 *t1, const json_t *json, const char *where, unsigned width,
                        const struct python_names *names, struct t1_argument *argument, struct error *error)
{
    const json_t *size = json_object_get(json, "Size");
    const char *text = scalar_text(t1, size, error);
    struct python_names extent = *names;
    extent.extremes = true;
    if (!text)
        return error_set(error, ERROR_INPUT, "%s: %s has no Size that is a number or an expression", t1->path, where);
    if (!read_expression(t1, text, &extent, where, &argument->size, error))
        return false;
    if (width > 1)
        argument->size = t1_format(t1, error, "(%s) * %u", argument->size, width);
    return argument->size;
}

static bool read_scalar(struct t1 *t1, const json_t *json, const char *where, const struct python_names *names,
                        struct t1_argument *argument, struct error *error)
{
    const char *text = scalar_text(t1, json_object_get(json, "FillValue"), error);
    if (!text)
        text = json_string_value(json_object_get(json, "DataSource"));
    if (!text)
        return error_set(error, ERROR_INPUT, "%s: %s is a scalar without a FillValue", t1->path, where);
    return read_expression(t1, text, names, where, &argument->value, error);
}

/* Where it goes; kernels of Kernel Tuner get the pointer of constant memory's data as an argument too. */
static bool read_place(struct t1 *t1, const json_t *json, const char *where, struct t1_argument *argument,
                       struct error *error)
{
    static const char *const places[] = {
        [T1_VECTOR] = "Vector", [T1_SCALAR] = "Scalar", [T1_LOCAL] = "Local", [T1_SYMBOL] = "Symbol"};
    const char *memory, *name = json_string_value(json_object_get(json, "Name"));
    const char *kind = json_string_value(json_object_get(json, "MemType"));
    if (!member_text(t1, json, "MemoryType", where, &memory, error))
        return false;
    unsigned i = 0;
    while (i <= T1_SYMBOL && strcmp(places[i], memory) != 0)
        i++;
    if (i > T1_SYMBOL) {
        error_set(error, ERROR_INPUT, "%s: the MemoryType \"%s\" of %s is unknown", t1->path, memory, where);
        return error_hint(error, "there are Vector, Scalar, Local and Symbol");
    }
    argument->memory = (enum t1_memory)i;
    bool constant = i == T1_VECTOR && kind && strcmp(kind, "Constant") == 0;
    if (!constant && i != T1_SYMBOL)
        return true;
    if (!name || !*name)
        return error_set(error, ERROR_INPUT, "%s: %s is a variable of the source and has no Name", t1->path, where);
    return (argument->symbol = identifier(t1, name, error)) != NULL;
}

static bool read_argument(struct t1 *t1, const json_t *json, size_t index, const struct python_names *names,
                          struct error *error)
{
    struct t1_argument argument = {0};
    unsigned width = 1;
    char where[WHERE], fallback[32];
    const char *name = json_string_value(json_object_get(json, "Name"));
    snprintf(fallback, sizeof fallback, "argument_%zu", index);
    snprintf(where, sizeof where, "argument %zu (%.100s)", index, name ? name : "without a name");
    read_access(json, &argument);
    if (!read_place(t1, json, where, &argument, error) || !read_type(t1, json, where, &argument, &width, error) ||
        !read_fill(t1, json, where, &argument, error))
        return false;
    if (argument.memory == T1_SCALAR) {
        if (!read_scalar(t1, json, where, names, &argument, error))
            return false;
    } else if (!read_extent(t1, json, where, width, names, &argument, error)) {
        return false;
    } else if (argument.memory == T1_LOCAL) {
        argument.size = t1_format(t1, error, "(%s) * %zu", argument.size, element_types[argument.element].bytes);
    } else {
        const char *base = name && *name ? name : fallback;
        const char *wanted = argument.symbol ? t1_format(t1, error, "%s_values", base) : base;
        argument.name = wanted ? free_name(t1, wanted, error) : NULL;
        if (argument.symbol)
            argument.access = T1_READ;
        if (!argument.name)
            return false;
    }
    t1->arguments[t1->argument_count++] = argument;
    return argument.memory != T1_LOCAL || argument.size;
}

/* Relative tolerances of ReferenceArguments are taken over; their values come from files that are not T1's. */
static bool read_bounds(struct t1 *t1, const json_t *references, const json_t *arguments, struct error *error)
{
    for (size_t i = 0; i < json_array_size(references); i++) {
        const json_t *reference = json_array_get(references, i);
        const char *target = json_string_value(json_object_get(reference, "TargetName"));
        const char *method = json_string_value(json_object_get(reference, "ValidationMethod"));
        double threshold = json_number_value(json_object_get(reference, "ValidationThreshold"));
        bool relative = method && strcmp(method, "SideBySideRelativeComparison") == 0 && threshold > 0;
        for (size_t k = 0; target && relative && k < t1->argument_count; k++) {
            const char *name = json_string_value(json_object_get(json_array_get(arguments, k), "Name"));
            if (!name || strcmp(name, target) != 0)
                continue;
            t1->arguments[k].bound = t1_format(t1, error, "%.17g", threshold);
            if (!t1->arguments[k].bound)
                return false;
        }
        fprintf(t1->notes, "the expected values of %s are not taken over\n", target ? target : "an output");
    }
    return true;
}

static bool read_arguments(struct t1 *t1, const json_t *kernel, struct error *error)
{
    const json_t *arguments, *references;
    if (!optional_array(t1, kernel, "Arguments", &arguments, error) ||
        !optional_array(t1, kernel, "ReferenceArguments", &references, error))
        return false;
    if (json_array_size(arguments) > MOST_ARGUMENTS)
        return error_set(error, ERROR_INPUT, "%s: the kernel has %zu arguments, more than %d", t1->path,
                         json_array_size(arguments), MOST_ARGUMENTS);
    struct python_parameter *parameters = python_parameters(t1, NULL, error);
    struct python_names names = names_of(t1, parameters);
    t1->arguments = arena_allocate(&t1->arena, (json_array_size(arguments) + 1) * sizeof *t1->arguments);
    if (!parameters || !t1->arguments)
        return error_out_of_memory(error);
    for (size_t i = 0; i < json_array_size(arguments); i++) {
        if (!read_argument(t1, json_array_get(arguments, i), i, &names, error))
            return false;
    }
    return read_bounds(t1, references, arguments, error);
}

static bool read_kernel(struct t1 *t1, const json_t *kernel, struct error *error)
{
    static const char where[] = "KernelSpecification";
    const json_t *options;
    const char *name, *file;
    if (!member_text(t1, kernel, "KernelName", where, &name, error) ||
        !member_text(t1, kernel, "KernelFile", where, &file, error) ||
        !optional_array(t1, kernel, "CompilerOptions", &options, error))
        return false;
    t1->kernel = identifier(t1, name, error);
    t1->kernel_file = t1_format(t1, error, "%s", file);
    if (!t1->kernel || !t1->kernel_file)
        return false;
    if (strcmp(t1->kernel, name) != 0)
        fprintf(t1->notes, "the kernel %s is launched as %s: give it a plain name\n", name, t1->kernel);
    if (t1->foreign)
        fprintf(t1->notes, "the kernel is written in %s, which tune cannot compile: only its space is of use\n",
                t1->language);
    const json_t *shared = json_object_get(kernel, "SharedMemory");
    const char *bytes = shared && !json_is_null(shared) ? scalar_text(t1, shared, error) : "0";
    if (!bytes)
        return error_set(error, ERROR_INPUT, "%s: SharedMemory is neither a number nor an expression", t1->path);
    if (!read_options(t1, options, error) || !read_sizes(t1, json_object_get(kernel, "ProblemSize"), error) ||
        !read_local(t1, json_object_get(kernel, "LocalSize"), error))
        return false;
    struct python_parameter *parameters = python_parameters(t1, NULL, error);
    struct python_names names = names_of(t1, parameters);
    if (!parameters || !read_expression(t1, bytes, &names, "SharedMemory", &t1->shared, error))
        return false;
    bool done = read_arguments(t1, kernel, error);
    if (done || !is_of_no_use(t1, error))
        return done;
    t1->argument_count = 0;
    return true;
}

/* CUDA by its names in Kernel Tuner, and HIP, whose kernels are CUDA for the most part. */
static bool read_language(struct t1 *t1, const json_t *kernel, struct error *error)
{
    static const char *const known[] = {"CUDA", "CuPy", "NVCUDA", "HIP"};
    const char *language = json_string_value(json_object_get(kernel, "Language"));
    t1->language = t1_format(t1, error, "%s", language ? language : known[0]);
    t1->foreign = true;
    for (size_t i = 0; t1->language && i < sizeof known / sizeof *known; i++)
        t1->foreign = t1->foreign && strcasecmp(t1->language, known[i]) != 0;
    return t1->language;
}

bool t1_read(const json_t *document, const char *path, struct t1 *t1, struct error *error)
{
    *t1 = (struct t1){.path = path};
    const json_t *space, *kernel;
    t1->notes = open_memstream(&t1->notes_text, &t1->notes_length);
    if (!t1->notes)
        return error_out_of_memory(error);
    if (!member_object(t1, document, "ConfigurationSpace", &space, error) ||
        !member_object(t1, document, "KernelSpecification", &kernel, error))
        return false;
    const char *name = json_string_value(json_object_get(json_object_get(document, "General"), "BenchmarkName"));
    if (!name || !*name)
        name = json_string_value(json_object_get(kernel, "BenchmarkName"));
    if (!name || !*name)
        name = json_string_value(json_object_get(kernel, "KernelName"));
    t1->name = identifier(t1, name && *name ? name : "imported", error);
    return t1->name && read_language(t1, kernel, error) && read_space(t1, space, error) &&
           read_kernel(t1, kernel, error);
}

/* ---- the launch ---- */

/* What Kernel Tuner divides an extent of the problem by: the product of GridDivX's texts, or block_size_x. */
static bool read_divisor(struct t1 *t1, const json_t *kernel, size_t axis, const struct python_names *names,
                         const char **result, struct error *error)
{
    char name[16];
    snprintf(name, sizeof name, "GridDiv%s", axes[axis].name);
    const json_t *list = json_object_get(kernel, name);
    if (json_array_size(list) == 0)
        return read_expression(t1, has_parameter(t1, axes[axis].block) ? axes[axis].block : "1", names, name, result,
                               error);
    if (json_array_size(list) > MOST_FACTORS)
        return error_set(error, ERROR_INPUT, "%s: %s has %zu factors, more than %d", t1->path, name,
                         json_array_size(list), MOST_FACTORS);
    *result = NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = scalar_text(t1, json_array_get(list, i), error), *factor;
        if (!text)
            return error_set(error, ERROR_INPUT, "%s: %s[%zu] is neither a number nor an expression", t1->path, name,
                             i);
        if (!read_expression(t1, text, names, name, &factor, error))
            return false;
        bool plain =
            strspn(factor, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(factor);
        if (!plain)
            factor = t1_format(t1, error, "(%s)", factor);
        *result = !factor ? NULL : *result ? t1_format(t1, error, "%s * %s", *result, factor) : factor;
        if (!*result)
            return false;
    }
    return true;
}

/* By Kernel Tuner's rule. */
static bool divide_problem(struct t1 *t1, const json_t *kernel, const struct python_names *names,
                           struct t1_launch *launch, struct error *error)
{
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const char *divisor = NULL;
        launch->grid[i] = "1";
        if (i >= t1->size_count)
            continue;
        bool is_one = strcmp(t1->size_values[i], "1") == 0;
        if (!is_one && !read_divisor(t1, kernel, i, names, &divisor, error))
            return false;
        if (divisor)
            launch->grid[i] = t1_format(t1, error, "ceil_div(%s, %s)", t1->sizes[i], divisor);
        if (!launch->grid[i])
            return false;
    }
    return true;
}

static bool read_grid(struct t1 *t1, const json_t *kernel, const struct python_names *names, struct t1_launch *launch,
                      struct error *error)
{
    const char *type = json_string_value(json_object_get(kernel, "GlobalSizeType"));
    const json_t *global = json_object_get(kernel, "GlobalSize");
    bool divides = json_array_size(json_object_get(kernel, "GridDivX")) > 0 ||
                   json_array_size(json_object_get(kernel, "GridDivY")) > 0 ||
                   json_array_size(json_object_get(kernel, "GridDivZ")) > 0;
    if (t1->size_count > 0 && (divides || !json_is_object(global)))
        return divide_problem(t1, kernel, names, launch, error);
    if (!json_is_object(global)) {
        error_set(error, ERROR_INPUT, "%s does not tell how many blocks there are", t1->path);
        return error_hint(error, "KernelSpecification needs a GlobalSize, or a ProblemSize");
    }
    bool threads = strcmp(type ? type : t1->language, "OpenCL") == 0;
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        const char *text;
        if (!axis_text(t1, global, i, "GlobalSize", "1", &text, error) ||
            !read_axis(t1, text, i, "GlobalSize", names, &launch->grid[i], error))
            return false;
        if (threads && strcmp(launch->grid[i], "1") != 0)
            launch->grid[i] = t1_format(t1, error, "ceil_div(%s, %s)", launch->grid[i], launch->block[i]);
        if (!launch->grid[i])
            return false;
    }
    return true;
}

bool t1_read_launch(const json_t *document, struct t1 *t1, const struct value *fixed, struct t1_launch *launch,
                    struct error *error)
{
    struct python_parameter *parameters = python_parameters(t1, fixed, error);
    struct python_names names = names_of(t1, parameters);
    bool done = parameters;
    for (size_t i = 0; done && i < T1_DIMENSIONS; i++)
        done = read_axis(t1, t1->local[i], i, "LocalSize", &names, &launch->block[i], error);
    done = done && read_grid(t1, json_object_get(document, "KernelSpecification"), &names, launch, error);
    if (done || !is_of_no_use(t1, error))
        return done;
    for (size_t i = 0; i < T1_DIMENSIONS; i++)
        launch->block[i] = launch->grid[i] = "1";
    return true;
}
