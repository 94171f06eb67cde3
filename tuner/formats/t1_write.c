/* SPDX-License-Identifier: Apache-2.0 */
/* A template and a space as a T1 document. */
#include "tuner/formats/python_write.h"
#include "tuner/formats/t1.h"
#include "tuner/formats/value_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 3, EXTRA_LETS = 64 };

struct exporting {
    const struct problem *problem;
    const struct template *template;
    const struct space *space;
    struct python_scope scope;
    const struct let_declaration *lets[EXTRA_LETS]; /* of the blocks around the launch */
    struct let_declaration let_values[EXTRA_LETS];
    size_t let_count;
    FILE *notes;
    struct error *error;
};

static bool out_of_memory(struct exporting *e)
{
    return error_out_of_memory(e->error);
}

/* Set a member; `value` is taken over and may be NULL, which is out of memory. */
static bool set(struct exporting *e, json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0 || out_of_memory(e);
}

static bool append(struct exporting *e, json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0 || out_of_memory(e);
}

/* ---- expressions ---- */

/* In Python; allocated, NULL after an error. */
static char *python(struct exporting *e, const struct expr *expr, struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool done = out && python_write(out, expr, &e->scope, error);
    if (!out || fclose(out) != 0)
        done = error_out_of_memory(error);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* An expression of the launch; what T1 cannot tell stays as it is written, and is noted. */
static json_t *launch_text(struct exporting *e, const struct expr *expr)
{
    struct error error;
    if (!expr)
        return json_string("1");
    char *text = python(e, expr, &error);
    struct place place = expr_place(expr);
    if (!text)
        fprintf(e->notes, "%.*s stays as it is written: %s\n", (int)place.length, place.text + place.offset,
                error.text);
    json_t *json = text ? json_string(text) : json_stringn(place.text + place.offset, place.length);
    free(text);
    return json;
}

/* ---- the space ---- */

static const char *type_name(const struct value *values, size_t count)
{
    bool floats = false;
    for (size_t i = 0; i < count; i++) {
        if (values[i].kind == VALUE_STRING)
            return "string";
        floats = floats || values[i].kind == VALUE_FLOAT;
    }
    return count && values[0].kind == VALUE_BOOLEAN ? "bool" : floats ? "float" : "int";
}

/* The values as a Python list. */
static json_t *values_json(const struct value *values, size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        size_t size = value_text(values[i], NULL, 0) + 1;
        char *one = malloc(size);
        if (one)
            value_text(values[i], one, size);
        fprintf(out, "%s%s", i ? ", " : "",
                values[i].kind == VALUE_BOOLEAN ? (values[i].boolean ? "True" : "False")
                : one                           ? one
                                                : "");
        free(one);
    }
    fputc(']', out);
    json_t *json = fclose(out) == 0 ? json_string(text) : NULL;
    free(text);
    return json;
}

static const struct space_parameter *find_parameter(const struct exporting *e, size_t slot)
{
    for (size_t i = 0; i < e->space->parameter_count; i++) {
        if (e->space->parameters[i].slot == slot)
            return &e->space->parameters[i];
    }
    return NULL;
}

/* As the space has the list where it is Python of numbers alone, else value by value. */
static json_t *list_json(struct exporting *e, const struct parameter_values *parameter)
{
    const struct space_parameter *own = find_parameter(e, parameter->declaration->slot);
    const struct place place = own ? expr_place(own->values) : (struct place){0};
    struct error error;
    if (own && memchr(place.text + place.offset, '\n', place.length) == NULL) {
        char *text = python(e, own->values, &error);
        json_t *json = text ? json_string(text) : NULL;
        bool same =
            text && strlen(text) == place.length && memcmp(text, place.text + place.offset, place.length) == 0;
        free(text);
        if (same && json)
            return json;
        json_decref(json);
    }
    return values_json(parameter->values, parameter->count);
}

static json_t *default_of(const struct exporting *e, size_t slot)
{
    for (size_t i = 0; i < e->space->default_count; i++) {
        struct value value;
        if (e->space->defaults[i].slot == slot && python_constant(e->space->defaults[i].value, &e->scope, &value))
            return value_json(value);
    }
    return NULL;
}

static bool write_parameter(struct exporting *e, size_t index, json_t *parameters)
{
    struct parameter_values parameter;
    problem_parameter(e->problem, index, &parameter);
    json_t *json = json_object();
    json_t *fallback = default_of(e, parameter.declaration->slot);
    bool done = append(e, parameters, json) && set(e, json, "Name", json_string(parameter.declaration->name)) &&
                set(e, json, "Type", json_string(type_name(parameter.values, parameter.count))) &&
                set(e, json, "Values", list_json(e, &parameter));
    if (done && fallback)
        return set(e, json, "Default", fallback);
    json_decref(fallback);
    return done;
}

/* The parameters that a condition reads, also through lets: their names in the text that T1 gets. */
static json_t *names_in(const struct exporting *e, const char *text)
{
    json_t *names = json_array();
    for (size_t i = 0; names && i < problem_parameter_count(e->problem); i++) {
        struct parameter_values parameter;
        problem_parameter(e->problem, i, &parameter);
        const char *name = parameter.declaration->name;
        static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
        for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
            char behind = at[strlen(name)];
            if ((at > text && strchr(letters, at[-1])) || (behind && strchr(letters, behind)))
                continue;
            json_array_append_new(names, json_string(name));
            break;
        }
    }
    return names;
}

static bool write_condition(struct exporting *e, const struct expr *condition, json_t *conditions)
{
    json_t *json = json_object();
    char *text = python(e, condition, e->error);
    bool done = append(e, conditions, json) && text && set(e, json, "Expression", json_string(text)) &&
                set(e, json, "Parameters", names_in(e, text));
    free(text);
    return done;
}

static bool write_space(struct exporting *e, json_t *document)
{
    json_t *space = json_object(), *parameters = json_array(), *conditions = json_array();
    bool done = set(e, document, "ConfigurationSpace", space) && set(e, space, "TuningParameters", parameters) &&
                set(e, space, "Conditions", conditions);
    for (size_t i = 0; done && i < problem_parameter_count(e->problem); i++)
        done = write_parameter(e, i, parameters);
    for (size_t i = 0; done && i < e->space->constraint_count; i++)
        done = write_condition(e, e->space->constraints[i].condition, conditions);
    return done;
}

/* ---- the launch ---- */

static void keep_let(struct exporting *e, const struct statement *statement)
{
    if (e->let_count == EXTRA_LETS)
        return;
    struct let_declaration *let = &e->let_values[e->let_count];
    *let = (struct let_declaration){NULL, statement->slot, statement->value};
    e->lets[e->let_count++] = let;
    e->scope.extra_count = e->let_count;
}

/* The first launch that the default configuration comes to, and how many statements launch. */
static void find_launch(struct exporting *e, const struct block *block, bool taken, const struct statement **launch,
                        size_t *count)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        struct value condition;
        if (statement->kind == STATEMENT_LET && taken && !*launch)
            keep_let(e, statement);
        if (statement->kind == STATEMENT_LAUNCH && taken) {
            *launch = *launch ? *launch : statement;
            ++*count;
        }
        bool known =
            statement->kind == STATEMENT_IF && expr_evaluate(statement->value, e->scope.slots, &condition, NULL);
        bool holds = !known || value_truth(condition);
        if (taken && (statement->kind == STATEMENT_FOR || statement->kind == STATEMENT_REPEAT))
            ++*count; /* it repeats what is inside */
        find_launch(e, &statement->body, taken && holds, launch, count);
        find_launch(e, &statement->otherwise, taken && (!known || !holds), launch, count);
    }
}

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
        [ELEMENT_CHAR] = "int8",   [ELEMENT_UCHAR] = "uint8",  [ELEMENT_SHORT] = "int16", [ELEMENT_USHORT] = "uint16",
        [ELEMENT_INT] = "int32",   [ELEMENT_UINT] = "uint32",  [ELEMENT_LONG] = "int64",  [ELEMENT_ULONG] = "uint64",
        [ELEMENT_FLOAT] = "float", [ELEMENT_DOUBLE] = "double"};
    return names[element];
}

static json_t *extent_json(struct exporting *e, const struct expr *extent)
{
    struct value value;
    return python_constant(extent, &e->scope, &value) ? value_json(value) : launch_text(e, extent);
}

static bool write_fill(struct exporting *e, const struct buffer_declaration *buffer, json_t *json)
{
    struct value value = value_integer(0);
    const struct expr *number = buffer->initial == INITIAL_UNIFORM ? buffer->b : buffer->a;
    if (number && !python_constant(number, &e->scope, &value))
        fprintf(e->notes, "the initial value of %s depends on parameters: T1 has 0\n", buffer->name);
    if (buffer->role == BUFFER_OUT || buffer->role == BUFFER_TEMP || buffer->initial == INITIAL_CONSTANT)
        return set(e, json, "FillType", json_string("Constant")) && set(e, json, "FillValue", value_json(value));
    if (buffer->initial == INITIAL_INDEX)
        return set(e, json, "FillType", json_string("Generator")) && set(e, json, "DataSource", json_string("i"));
    if (buffer->initial == INITIAL_NONE) {
        fprintf(e->notes, "%s is made by the template's setup: T1 has random values for it\n", buffer->name);
        value = value_float(1);
    }
    return set(e, json, "FillType", json_string("Random")) && set(e, json, "FillValue", value_json(value));
}

static bool write_vector(struct exporting *e, const struct argument *argument, json_t *json)
{
    static const char *const accesses[] = {[BUFFER_IN] = "ReadOnly",
                                           [BUFFER_OUT] = "WriteOnly",
                                           [BUFFER_INOUT] = "ReadWrite",
                                           [BUFFER_TEMP] = "ReadWrite"};
    const struct buffer_declaration *buffer = &e->template->buffers[argument->buffer];
    const struct statement *upload = find_upload(&e->template->launch.body, argument->buffer);
    bool output = buffer->role == BUFFER_OUT || buffer->role == BUFFER_INOUT;
    if (argument->offset)
        fprintf(e->notes, "the kernel gets %s from an offset on: T1 has the whole\n", buffer->name);
    return set(e, json, "Name", json_string(upload ? upload->name : buffer->name)) &&
           set(e, json, "Type", json_string(type_of(buffer->element))) &&
           set(e, json, "MemoryType", json_string("Vector")) &&
           (!upload || set(e, json, "MemType", json_string("Constant"))) &&
           set(e, json, "AccessType", json_string(accesses[buffer->role])) &&
           set(e, json, "Size", extent_json(e, buffer->extent)) && write_fill(e, buffer, json) &&
           (!output || set(e, json, "Output", json_integer(1)));
}

static bool write_scalar(struct exporting *e, const struct argument *argument, json_t *json)
{
    struct value value = {.kind = VALUE_UNSET};
    bool constant = python_constant(argument->value, &e->scope, &value);
    enum element element = argument->typed                         ? argument->element
                           : constant && value.kind == VALUE_FLOAT ? ELEMENT_FLOAT
                                                                   : ELEMENT_INT;
    return set(e, json, "Type", json_string(type_of(element))) && set(e, json, "MemoryType", json_string("Scalar")) &&
           set(e, json, "AccessType", json_string("ReadOnly")) &&
           set(e, json, "FillType", json_string(constant ? "Constant" : "Script")) &&
           set(e, json, constant ? "FillValue" : "DataSource",
               constant ? value_json(value) : launch_text(e, argument->value));
}

static bool write_arguments(struct exporting *e, const struct statement *launch, json_t *kernel)
{
    json_t *arguments = json_array();
    bool done = set(e, kernel, "Arguments", arguments);
    for (size_t i = 0; done && i < launch->argument_count; i++) {
        const struct argument *argument = &launch->arguments[i];
        json_t *json = json_object();
        done = append(e, arguments, json) &&
               (argument->kind == ARGUMENT_BUFFER ? write_vector : write_scalar)(e, argument, json);
    }
    /* Variables of the source that are filled from buffers which the kernel does not get besides. */
    const struct block *block = &e->template->launch.body;
    for (size_t i = 0; done && i < block->count; i++) {
        const struct statement *copy = &block->statements[i];
        bool given = copy->kind != STATEMENT_COPY_SYMBOL;
        for (size_t k = 0; !given && k < launch->argument_count; k++)
            given = launch->arguments[k].kind == ARGUMENT_BUFFER && launch->arguments[k].buffer == copy->buffer;
        if (given)
            continue;
        json_t *json = json_object();
        struct argument argument = {.kind = ARGUMENT_BUFFER, .buffer = copy->buffer};
        done = append(e, arguments, json) && write_vector(e, &argument, json) &&
               set(e, json, "MemoryType", json_string("Symbol"));
        json_object_del(json, "MemType");
    }
    return done;
}

static bool write_shape(struct exporting *e, json_t *kernel, const char *name, const struct expr *const extents[3])
{
    static const char *const axes[DIMENSIONS] = {"X", "Y", "Z"};
    json_t *shape = json_object();
    bool done = set(e, kernel, name, shape);
    for (size_t i = 0; done && i < DIMENSIONS; i++)
        done = set(e, shape, axes[i], launch_text(e, extents[i]));
    return done;
}

/* Does a source or an option belong to the default configuration? */
static bool applies(const struct exporting *e, const struct expr *condition)
{
    bool holds = true;
    return !condition || (expr_truth(condition, e->scope.slots, &holds, NULL) && holds);
}

static const char *source_file(struct exporting *e)
{
    const struct template *template = e->template;
    if (template->source_count > 1)
        fprintf(e->notes, "the template has %zu sources: T1 has that of the default configuration\n",
                template->source_count);
    for (size_t i = 0; i < template->source_count; i++) {
        if (applies(e, template->sources[i].condition))
            return template->sources[i].file;
    }
    return "";
}

static json_t *options_json(const struct exporting *e)
{
    json_t *options = json_array();
    for (size_t i = 0; options && i < e->template->option_count; i++) {
        if (applies(e, e->template->options[i].condition))
            json_array_append_new(options, json_string(e->template->options[i].text));
    }
    return options;
}

static bool write_sizes(struct exporting *e, json_t *kernel)
{
    if (e->template->size_count == 0 || e->template->size_count > DIMENSIONS)
        return true;
    json_t *sizes = json_array();
    bool done = set(e, kernel, "ProblemSize", sizes);
    for (size_t i = 0; done && i < e->template->size_count; i++)
        done = append(e, sizes, json_integer(problem_size(e->problem, i)));
    return done;
}

static json_t *shared_json(struct exporting *e, const struct expr *shared)
{
    struct value value;
    if (!shared)
        return json_integer(0);
    if (!python_constant(shared, &e->scope, &value))
        fprintf(e->notes, "the dynamic shared memory depends on parameters: SharedMemory is an expression\n");
    return extent_json(e, shared);
}

static bool write_kernel(struct exporting *e, json_t *document)
{
    const struct statement *launch = NULL;
    size_t count = 0;
    json_t *kernel = json_object();
    find_launch(e, &e->template->launch.body, true, &launch, &count);
    if (!launch)
        return json_decref(kernel),
               error_set(e->error, ERROR_INPUT, "the default configuration of %s launches no kernel",
                         e->template->name);
    if (count > 1 || e->template->prepare.present)
        fprintf(e->notes, "T1 knows one launch of one kernel: only the first one of the template is in it\n");
    return set(e, document, "KernelSpecification", kernel) && set(e, kernel, "Language", json_string("CUDA")) &&
           set(e, kernel, "BenchmarkName", json_string(e->template->name)) &&
           set(e, kernel, "KernelName", json_string(launch->name)) &&
           set(e, kernel, "KernelFile", json_string(source_file(e))) &&
           set(e, kernel, "CompilerOptions", options_json(e)) &&
           set(e, kernel, "GlobalSizeType", json_string("CUDA")) &&
           write_shape(e, kernel, "LocalSize", launch->block) && write_shape(e, kernel, "GlobalSize", launch->grid) &&
           write_sizes(e, kernel) && set(e, kernel, "SharedMemory", shared_json(e, launch->shared)) &&
           write_arguments(e, launch, kernel);
}

/* ---- the document ---- */

static bool prepare(struct exporting *e, struct value **slots)
{
    size_t index;
    bool named;
    if (e->space->member_count > 0) {
        error_set(e->error, ERROR_INPUT, "T1 has no unions, and the space %s is one", e->space->name);
        return error_hint(e->error, "choose one of its members with --space, for example %s",
                          e->space->members[0]->name);
    }
    if (problem_configuration_count(e->problem) == 0)
        return problem_explain_empty(e->problem, e->error);
    *slots = calloc(scope_count(e->space->scope) + 1, sizeof **slots);
    if (!*slots)
        return out_of_memory(e);
    e->scope = (struct python_scope){e->template, e->space, *slots, e->lets, 0};
    return (problem_default(e->problem, &index, &named) || out_of_memory(e)) &&
           problem_slots(e->problem, index, false, *slots, e->error);
}

bool t1_export(const struct problem *problem, json_t **document, char **notes, struct error *error)
{
    struct exporting e = {
        .problem = problem, .template = problem_template(problem), .space = problem_space(problem), .error = error};
    struct value *slots = NULL;
    size_t length;
    *notes = NULL;
    *document = json_object();
    e.notes = open_memstream(notes, &length);
    bool done = *document && e.notes ? true : out_of_memory(&e);
    done = done && prepare(&e, &slots) &&
           set(&e, *document, "General",
               json_pack("{s:s, s:s}", "BenchmarkName", e.template->name, "OutputFormat", "JSON")) &&
           write_space(&e, *document) && write_kernel(&e, *document);
    if (e.notes && fclose(e.notes) != 0 && done)
        done = out_of_memory(&e);
    free(slots);
    if (!done) {
        json_decref(*document);
        *document = NULL;
    }
    return done;
}
