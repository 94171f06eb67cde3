/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/arguments.h"

#include <stdio.h>
#include <string.h>

/* A launch whose arguments are compared. */
struct comparison {
    const struct job_program *source;
    const struct job_case *job_case;
    const struct job_step *step;
    const struct job_statement *statement; /* NULL: its place is unknown */
    const char *kernel;
    struct error *error;
};

/* ---- what matches ---- */

static bool is_real(const struct parameter_type *type)
{
    return type->kind == PARAMETER_REAL;
}

/* Is a pointer to `target` right for a buffer of these? An array of its components is one of vectors, too. */
static bool target_matches(const struct parameter_type *target, const struct layout *layout)
{
    const struct element_type *element = &element_types[layout->leaves[0].element];
    bool known = target->kind == PARAMETER_INTEGER || is_real(target), array = layout_is_array(layout);
    if (!known || target->bytes == 0 || target->bytes == 1 || (array && element->bytes == 1))
        return true;
    if (!array || target->bytes != element->bytes)
        return false;
    bool bits = target->kind == PARAMETER_INTEGER && target->is_unsigned;
    return is_real(target) == element->floating || (element->floating && bits);
}

/* The name of a class, without what qualifies it; "" if it is not known. */
static void class_name(const struct kernel_parameter *parameter, char name[sizeof parameter->text])
{
    const char *text = parameter->text;
    if (strncmp(text, "const ", 6) == 0)
        text += 6;
    snprintf(name, sizeof parameter->text, "%s", parameter->type.kind == PARAMETER_OTHER ? text : "");
}

/* Names that everybody has from CUDA; a struct of the source may be called otherwise in the template. */
static bool is_cuda_type(const char *name)
{
    static const char *const names[] = {"__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"};
    size_t length = strcspn(name, "234");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    static const char *const components[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                             "long", "ulong", "longlong", "ulonglong", "float", "double"};
    for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
        if (strlen(components[i]) == length && strncmp(name, components[i], length) == 0)
            return name[length] != '\0' && name[length + 1] == '\0';
    }
    return false;
}

/* long2 and longlong2 are the same where both have 64 bits. */
static void shorten(char *name)
{
    char *twice = strstr(name, "longlong");
    if (twice)
        memmove(twice, twice + 4, strlen(twice + 4) + 1);
}

static bool class_matches(const struct kernel_parameter *parameter, const char *c_name)
{
    char name[sizeof parameter->text], passed[sizeof parameter->text];
    class_name(parameter, name);
    snprintf(passed, sizeof passed, "%s", c_name);
    bool known = is_cuda_type(name) && is_cuda_type(passed);
    shorten(name);
    shorten(passed);
    return !known || strcmp(name, passed) == 0;
}

static bool compound_matches(const struct kernel_parameter *parameter, const struct job_compound *compound)
{
    const struct parameter_type *type = &parameter->type;
    bool class = type->kind == PARAMETER_OTHER || type->kind == PARAMETER_UNKNOWN;
    return class && (type->bytes == 0 || type->bytes == compound->bytes) &&
           class_matches(parameter, compound->c_name);
}

static bool scalar_matches(const struct kernel_parameter *parameter, const struct job_argument *argument)
{
    static const unsigned char zeros[8];
    const struct element_type *element = &element_types[argument->element];
    if (parameter->type.bytes != 0 && parameter->type.bytes != element->bytes)
        return false;
    bool bits = element->bytes == 2 && parameter->type.is_unsigned; /* a half, for a kernel without its header */
    switch (parameter->type.kind) {
    case PARAMETER_INTEGER:
        return !element->floating || bits;
    case PARAMETER_REAL:
        return element->floating;
    case PARAMETER_POINTER:
        return !element->floating && memcmp(argument->bytes, zeros, sizeof zeros) == 0;
    default:
        return class_matches(parameter, element->c_name);
    }
}

static const struct layout *layout_of(const struct comparison *c, const struct job_argument *argument)
{
    bool buffer = argument->kind == ARGUMENT_BUFFER && argument->buffer < c->job_case->buffer_count;
    return buffer ? c->job_case->buffers[argument->buffer].layout : &scalar_layouts[ELEMENT_DOUBLE];
}

static bool pointer_matches(const struct comparison *c, const struct kernel_parameter *parameter,
                            const struct job_argument *argument)
{
    const struct parameter_type *type = &parameter->type;
    if (type->bytes != 0 && type->bytes != sizeof(uint64_t))
        return false;
    if (type->kind == PARAMETER_POINTER)
        return target_matches(&parameter->target, layout_of(c, argument));
    return type->kind == PARAMETER_UNKNOWN || type->kind == PARAMETER_OTHER;
}

/* cudaTextureObject_t and cudaSurfaceObject_t are unsigned long long. */
static bool object_matches(const struct kernel_parameter *parameter)
{
    const struct parameter_type *type = &parameter->type;
    return (type->bytes == 0 || type->bytes == sizeof(uint64_t)) &&
           (type->kind == PARAMETER_UNKNOWN || (type->kind == PARAMETER_INTEGER && type->is_unsigned));
}

/* ---- messages ---- */

/* Add the place of a part of the launch; `index` is an argument, or SIZE_MAX for the launch. */
static void add_place(const struct comparison *c, size_t index)
{
    if (!c->statement || !c->error)
        return;
    const struct job_place *place = index == SIZE_MAX ? &c->statement->place : &c->statement->arguments[index];
    const char *excerpt = c->statement->place.excerpt;
    for (size_t i = 0; index != SIZE_MAX && i <= index; i++)
        excerpt = c->statement->arguments[i].excerpt ? c->statement->arguments[i].excerpt : excerpt;
    struct error *error = c->error;
    snprintf(error->file, sizeof error->file, "%s", c->source->template_file ? c->source->template_file : "");
    error->line = place->line;
    error->column = place->column;
    snprintf(error->excerpt, sizeof error->excerpt, "%s", excerpt ? excerpt : "");
    if (place->column > 0 && place->column <= strlen(error->excerpt)) {
        error->caret = place->column - 1;
        error->caret_length = place->length;
    }
}

static bool wrong_count(const struct comparison *c, size_t count)
{
    error_set(c->error, ERROR_INPUT, "%s has %zu parameter%s, but the launch passes %zu argument%s", c->kernel, count,
              count == 1 ? "" : "s", c->step->argument_count, c->step->argument_count == 1 ? "" : "s");
    add_place(c, SIZE_MAX);
    return false;
}

enum { TYPE_TEXT = 96 };

/* "is `const float *`", or "has 8 bytes" where only that is known */
static void describe_parameter(const struct kernel_parameter *parameter, char text[TYPE_TEXT])
{
    if (parameter->text[0])
        snprintf(text, TYPE_TEXT, "is `%s`", parameter->text);
    else if (parameter->type.kind == PARAMETER_POINTER)
        snprintf(text, TYPE_TEXT, "is a pointer");
    else
        snprintf(text, TYPE_TEXT, "has %zu byte%s", parameter->type.bytes, parameter->type.bytes == 1 ? "" : "s");
}

/* "float", "x, a buffer of float" */
static void describe_argument(const struct comparison *c, const struct job_argument *argument, char *text,
                              size_t size)
{
    const struct element_type *element = &element_types[argument->element];
    const char *name =
        argument->buffer < c->job_case->buffer_count ? c->job_case->buffers[argument->buffer].name : "?";
    switch (argument->kind) {
    case ARGUMENT_SCALAR:
        if (strcmp(element->name, element->c_name) == 0)
            snprintf(text, size, "%s", element->c_name);
        else
            snprintf(text, size, "%s (%s)", element->name, element->c_name);
        break;
    case ARGUMENT_COMPOUND:
        snprintf(text, size, "%s (%zu bytes)", argument->compound->name, argument->compound->bytes);
        break;
    case ARGUMENT_TEXTURE:
    case ARGUMENT_SURFACE:
        snprintf(text, size, "a %s of %s", argument->kind == ARGUMENT_TEXTURE ? "texture" : "surface", name);
        break;
    case ARGUMENT_BUFFER:
        snprintf(text, size, "%s, a buffer of %s", name, layout_of(c, argument)->name);
        break;
    default:
        snprintf(text, size, "%s(%s), an array of double", argument->kind == ARGUMENT_REFERENCE ? "ref" : "mag",
                 name);
    }
}

/* The type of scalars that the parameter wants; NULL: none. */
static const struct element_type *wanted_type(const struct parameter_type *type, bool floating)
{
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        const struct element_type *element = &element_types[i];
        bool real = is_real(type) || (type->kind == PARAMETER_UNKNOWN && floating && type->bytes >= 4);
        bool same_sign = element->floating || element->is_signed == !type->is_unsigned;
        if (type->kind != PARAMETER_OTHER && type->kind != PARAMETER_POINTER && element->bytes == type->bytes &&
            element->floating == real && same_sign)
            return element;
    }
    return NULL;
}

/* Of "double(a + (b))" the part in the parentheses, of anything else all of it. */
static void strip_conversion(const char **text, int *length)
{
    enum element element;
    size_t name = strspn(*text, "abcdefghijklmnopqrstuvwxyz"), depth = 0, end = name;
    if (name >= (size_t)*length || (*text)[name] != '(' || !element_find(*text, name, &element))
        return;
    do {
        depth += (*text)[end] == '(';
        depth -= (*text)[end] == ')';
        end++;
    } while (depth > 0 && end < (size_t)*length);
    if (depth > 0 || end != (size_t)*length)
        return;
    *text += name + 1;
    *length -= (int)name + 2;
}

/* "write long(n)", if the argument stands on one line. */
static void hint_at_conversion(const struct comparison *c, const struct element_type *wanted)
{
    const struct error *error = c->error;
    const char *text = "...";
    int length = 3;
    if (error && error->caret_length > 0 && error->caret + error->caret_length <= strlen(error->excerpt)) {
        text = error->excerpt + error->caret;
        length = (int)error->caret_length;
        strip_conversion(&text, &length);
    }
    error_hint(c->error, "write %s(%.*s), or change the kernel", wanted->name, length, text);
}

static void hint(const struct comparison *c, size_t index, const struct kernel_parameter *parameter)
{
    const struct job_argument *argument = &c->step->arguments[index];
    if (argument->kind == ARGUMENT_COMPOUND)
        return;
    if (argument->kind == ARGUMENT_SCALAR) {
        const struct element_type *wanted = wanted_type(&parameter->type, element_types[argument->element].floating);
        if (wanted)
            hint_at_conversion(c, wanted);
    } else if (parameter->type.kind == PARAMETER_POINTER) {
        error_hint(c->error,
                   "if the kernel is to read these bytes as another type, declare `%svoid *` and convert it",
                   strncmp(parameter->text, "const", 5) == 0 ? "const " : "");
    }
}

static bool mismatch(const struct comparison *c, size_t index, const struct kernel_parameter *parameter)
{
    char wants[TYPE_TEXT], gets[256];
    describe_parameter(parameter, wants);
    describe_argument(c, &c->step->arguments[index], gets, sizeof gets);
    error_set(c->error, ERROR_INPUT, "parameter %zu of %s %s, but the launch passes %s", index + 1, c->kernel, wants,
              gets);
    add_place(c, index);
    hint(c, index, parameter);
    return false;
}

/* ---- all launches ---- */

static bool check_launch(const struct device_driver *driver, const struct program *program, struct comparison *c)
{
    const struct job_step *step = c->step;
    if (step->kernel >= program->kernel_count)
        return error_set(c->error, ERROR_WORK, "a launch refers to kernel %zu of %zu", step->kernel,
                         program->kernel_count);
    c->kernel = c->source->kernels[step->kernel];
    bool located = step->statement < c->source->statement_count &&
                   c->source->statements[step->statement].argument_count == step->argument_count;
    c->statement = located ? &c->source->statements[step->statement] : NULL;
    size_t count;
    const struct kernel_parameter *parameters = driver->parameters(program->kernels[step->kernel], &count);
    if (count != step->argument_count)
        return wrong_count(c, count);
    for (size_t i = 0; i < count; i++) {
        const struct job_argument *argument = &step->arguments[i];
        bool object = argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE;
        bool matches = object                                ? object_matches(&parameters[i])
                       : argument->kind == ARGUMENT_SCALAR   ? scalar_matches(&parameters[i], argument)
                       : argument->kind == ARGUMENT_COMPOUND ? compound_matches(&parameters[i], argument->compound)
                                                             : pointer_matches(c, &parameters[i], argument);
        if (!matches)
            return mismatch(c, i, &parameters[i]);
    }
    return true;
}

static bool check_steps(const struct device_driver *driver, const struct program *program, struct comparison *c,
                        const struct job_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        c->step = &steps[i];
        if (steps[i].kind == STEP_LAUNCH && !check_launch(driver, program, c))
            return false;
        if (!check_steps(driver, program, c, steps[i].body, steps[i].body_count) ||
            !check_steps(driver, program, c, steps[i].otherwise, steps[i].otherwise_count))
            return false;
    }
    return true;
}

bool arguments_check(const struct device_driver *driver, const struct program *program,
                     const struct job_program *source, const struct job_case *job_case, const struct job_steps *steps,
                     struct error *error)
{
    struct comparison comparison = {.source = source, .job_case = job_case, .error = error};
    return check_steps(driver, program, &comparison, steps->steps, steps->count);
}
