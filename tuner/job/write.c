/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/write.h"

#include "tuner/job/late_json.h"
#include "tuner/job/layouts.h"
#include "tuner/json/json_text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const char *const role_names[ROLE_COUNT] = {
    [BUFFER_IN] = "in",     [BUFFER_OUT] = "out",         [BUFFER_INOUT] = "inout",
    [BUFFER_TEMP] = "temp", [BUFFER_SCRATCH] = "scratch",
};
const char *const initial_names[INITIAL_COUNT] = {
    [INITIAL_NONE] = "none",   [INITIAL_UNIFORM] = "uniform", [INITIAL_CONSTANT] = "constant",
    [INITIAL_INDEX] = "index", [INITIAL_FILE] = "file",
};
const char *const pointer_names[POINTER_COUNT] = {
    [ARGUMENT_BUFFER] = "buffer",   [ARGUMENT_REFERENCE] = "reference", [ARGUMENT_MAGNITUDE] = "magnitude",
    [ARGUMENT_TEXTURE] = "texture", [ARGUMENT_SURFACE] = "surface",
};
const char *const step_names[STEP_COUNT] = {
    [STEP_LAUNCH] = "launch",
    [STEP_COPY_SYMBOL] = "symbol",
    [STEP_COPY] = "copy",
    [STEP_FILL] = "fill",
    [STEP_REPEAT] = "repeat",
    [STEP_WAIT] = "wait",
    [STEP_READ] = "read",
    [STEP_LET] = "let",
    [STEP_IF] = "if",
    [STEP_WHILE] = "while",
    [STEP_FOR] = "for",
    [STEP_SWAP] = "swap",
    [STEP_ALLOCATE] = "allocate",
};

/* Writers return a new reference, or NULL when out of memory: jansson's *_new functions fail for NULL, which passes
 * the failure on. */

static json_t *finish(json_t *json, bool complete)
{
    if (complete)
        return json;
    json_decref(json);
    return NULL;
}

static bool add(json_t *array, json_t *item)
{
    return json_array_append_new(array, item) == 0;
}

static bool set(json_t *object, const char *name, json_t *item)
{
    return json_object_set_new(object, name, item) == 0;
}

static json_t *write_key(uint64_t key)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, key);
    return json_string(text);
}

static json_t *write_whole(uint64_t number)
{
    return number <= INT64_MAX ? json_integer((json_int_t)number) : write_key(number);
}

static json_t *write_bytes(const unsigned char bytes[8])
{
    char text[17];
    for (size_t i = 0; i < 8; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return json_string(text);
}

static json_t *write_text(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *write_names(char *const *names, size_t count)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < count && complete; i++)
        complete = add(array, json_string(names[i]));
    return finish(array, complete);
}

static json_t *write_place(const struct job_place *place)
{
    json_t *array = json_array();
    return finish(array, add(array, json_integer(place->line)) && add(array, json_integer(place->column)) &&
                             add(array, json_integer(place->length)) &&
                             add(array, place->excerpt ? json_string_of_bytes(place->excerpt) : json_null()));
}

static json_t *write_statement(const struct job_statement *statement)
{
    json_t *array = json_array();
    bool complete = array && add(array, write_place(&statement->place));
    for (size_t i = 0; i < statement->argument_count && complete; i++)
        complete = add(array, write_place(&statement->arguments[i]));
    return finish(array, complete);
}

static json_t *write_statements(const struct job_program *program)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < program->statement_count && complete; i++)
        complete = add(array, write_statement(&program->statements[i]));
    return finish(array, complete);
}

static json_t *write_program(const struct job_program *program)
{
    if (!program->path)
        return json_null();
    json_t *object = json_object();
    return finish(object, set(object, "path", json_string(program->path)) &&
                              set(object, "folder", write_text(program->folder)) &&
                              set(object, "defines", write_text(program->defines)) &&
                              (!program->awkward_defines ||
                               set(object, "awkward_defines", write_text(program->awkward_defines))) &&
                              set(object, "kernels", write_names(program->kernels, program->kernel_count)) &&
                              set(object, "symbols", write_names(program->symbols, program->symbol_count)) &&
                              set(object, "options", write_names(program->options, program->option_count)) &&
                              set(object, "template", write_text(program->template_file)) &&
                              set(object, "statements", write_statements(program)));
}

static json_t *write_data(const struct job_data *data)
{
    json_t *array = json_array();
    return finish(array,
                  add(array, json_string(data->path)) && add(array, json_string_of_bytes(data->name)) &&
                      add(array, write_whole(data->offset)) && add(array, write_whole(data->count)) &&
                      add(array, write_key(data->stamp)) && add(array, write_key(data->hash)) &&
                      add(array, write_whole(data->all)) &&
                      add(array, data->records ? json_null() : json_string(element_types[data->element].name)));
}

/* As the last item; without a file there is none. */
static bool add_data(json_t *array, const struct job_data *data)
{
    return !data || !data->path || add(array, write_data(data));
}

static json_t *write_buffer(const struct job_case *one, size_t index)
{
    const struct job_buffer *buffer = &one->buffers[index];
    json_t *array = json_array();
    return finish(array, add(array, json_string(buffer->name)) && add(array, json_string(buffer->layout->name)) &&
                             add(array, job_is_late(one, index) ? json_null() : write_whole(buffer->extent)) &&
                             add(array, json_string(role_names[buffer->role])) &&
                             add(array, json_string(initial_names[buffer->initial])) &&
                             add(array, json_real(buffer->a)) && add(array, json_real(buffer->b)) &&
                             add_data(array, job_data_of(one, index)));
}

static json_t *write_dimensions(struct dimensions dimensions)
{
    json_t *array = json_array();
    return finish(array, add(array, json_integer(dimensions.x)) && add(array, json_integer(dimensions.y)) &&
                             add(array, json_integer(dimensions.z)));
}

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
        complete = add(pointers, write_whole(compound->pointers[i].at)) &&
                   add(pointers, write_argument(&compound->pointers[i]));
    complete = complete && add(array, json_string("compound")) && add(array, json_string(compound->name)) &&
               add(array, json_string(compound->c_name)) && add(array, json_string(text));
    free(text);
    return finish(array, add(array, finish(pointers, complete)) && complete);
}

static json_t *write_argument(const struct job_argument *argument)
{
    if (argument->kind == ARGUMENT_COMPOUND)
        return write_compound(argument->compound);
    json_t *array = json_array();
    if (argument->kind == ARGUMENT_SCALAR)
        return finish(array, add(array, json_string(element_types[argument->element].name)) &&
                                 add(array, write_bytes(argument->bytes)));
    const struct texture_shape *shape = &argument->texture;
    bool texture = argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE;
    return finish(
        array,
        add(array, json_string(pointer_names[argument->kind])) && add(array, write_whole(argument->buffer)) &&
            add(array, write_whole(argument->offset)) &&
            (!texture || (add(array, write_whole(shape->dimensions)) && add(array, write_dimensions(shape->extent)) &&
                          add(array, json_boolean(shape->linear)) && add(array, json_boolean(shape->normalized)) &&
                          add(array, write_whole((uint64_t)shape->address)))));
}

static json_t *write_arguments(const struct job_step *step)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < step->argument_count && complete; i++)
        complete = add(array, write_argument(&step->arguments[i]));
    return finish(array, complete);
}

static json_t *write_steps(const struct job_step *steps, size_t count);

static bool add_operands(json_t *array, const struct job_step *step)
{
    switch (step->kind) {
    case STEP_LAUNCH:
        return add(array, write_whole(step->kernel)) && add(array, write_dimensions(step->grid)) &&
               add(array, write_dimensions(step->block)) && add(array, write_whole(step->shared)) &&
               add(array, write_arguments(step)) && add(array, write_whole(step->statement));
    case STEP_COPY_SYMBOL:
        return add(array, write_whole(step->symbol)) && add(array, write_whole(step->source)) &&
               add(array, write_whole(step->first)) && add(array, write_whole(step->count));
    case STEP_COPY:
        return add(array, write_whole(step->target)) && add(array, write_whole(step->source)) &&
               add(array, write_whole(step->target_first)) && add(array, write_whole(step->first)) &&
               add(array, write_whole(step->count));
    case STEP_FILL:
        return add(array, write_whole(step->target)) && add(array, write_bytes(step->bytes));
    case STEP_REPEAT:
        return add(array, write_whole(step->target)) && add(array, write_whole(step->rounds)) &&
               add(array, write_steps(step->body, step->body_count));
    case STEP_WAIT:
        return add(array, write_whole(step->stream)) && add(array, write_whole(step->awaited));
    case STEP_READ:
        return add(array, write_whole(step->target)) && add(array, write_whole(step->first)) &&
               add(array, write_whole(step->count));
    case STEP_LET:
        return true;
    case STEP_IF:
        return add(array, write_steps(step->body, step->body_count)) &&
               add(array, write_steps(step->otherwise, step->otherwise_count));
    case STEP_WHILE:
        return add(array, write_whole(step->rounds)) && add(array, write_steps(step->body, step->body_count));
    case STEP_FOR:
        return add(array, write_steps(step->body, step->body_count));
    case STEP_SWAP:
        return add(array, write_whole(step->target)) && add(array, write_whole(step->source));
    case STEP_ALLOCATE:
        return add(array, write_whole(step->target));
    }
    return false;
}

/* Only what differs from a plain launch, so that the text of one without attributes stays what it was. */
static bool add_attributes(json_t *array, const struct job_step *step)
{
    json_t *object = json_object();
    bool complete = object != NULL;
    if (complete && step->kind != STEP_WAIT && step->stream > 0)
        complete = set(object, "stream", write_whole(step->stream));
    if (complete && step->cooperative)
        complete = set(object, "cooperative", json_true());
    if (complete && step->cluster.x > 0)
        complete = set(object, "cluster", write_dimensions(step->cluster));
    if (complete && step->late)
        complete = set(object, "late", late_write(step->late));
    if (complete && json_object_size(object) > 0)
        return add(array, object);
    json_decref(object);
    return complete;
}

static json_t *write_step(const struct job_step *step)
{
    json_t *array = json_array();
    return finish(array, add(array, json_string(step_names[step->kind])) && add_operands(array, step) &&
                             add_attributes(array, step));
}

static json_t *write_steps(const struct job_step *steps, size_t count)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < count && complete; i++)
        complete = add(array, write_step(&steps[i]));
    return finish(array, complete);
}

static json_t *write_sequence(struct job_steps steps)
{
    return write_steps(steps.steps, steps.count);
}

static json_t *write_buffers(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->buffer_count && complete; i++)
        complete = add(array, write_buffer(one, i));
    return finish(array, complete);
}

static json_t *write_range(const struct job_check *check)
{
    if (!check->partial)
        return json_null();
    json_t *array = json_array();
    return finish(array, add(array, write_whole(check->first)) && add(array, write_whole(check->count)));
}

static json_t *write_check(const struct job_check *check)
{
    json_t *array = json_array();
    bool field = check->leaf_count > 0;
    return finish(array, add(array, write_whole(check->buffer)) && add(array, json_boolean(check->exact)) &&
                             add(array, json_real(check->bound)) && add(array, json_real(check->absolute)) &&
                             add(array, json_boolean(check->nonfinite)) && add(array, write_text(check->file)) &&
                             add(array, json_integer(check->line)) && add(array, json_integer(check->column)) &&
                             add(array, write_range(check)) && add(array, json_boolean(check->unordered)) &&
                             add(array, json_boolean(check->below)) && add(array, write_text(check->name)) &&
                             (!field || (add(array, write_whole(check->first_leaf)) &&
                                         add(array, write_whole(check->leaf_count)))) &&
                             add_data(array, &check->expected));
}

static json_t *write_checks(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->check_count && complete; i++)
        complete = add(array, write_check(&one->checks[i]));
    return finish(array, complete);
}

static bool set_work(json_t *object, const struct work *work)
{
    bool done = true;
    for (size_t i = 0; i < WORK_COUNT && done; i++)
        done = set(object, work_kinds[i].column, json_real(work->of[i]));
    return done;
}

/* Few templates have such a sequence. */
static bool set_further(json_t *object, const char *name, struct job_steps steps)
{
    return steps.count == 0 || set(object, name, write_sequence(steps));
}

static json_t *write_case(const struct job_case *one)
{
    json_t *object = json_object();
    return finish(
        object, set(object, "size", json_string(one->size_text)) &&
                    set(object, "reference_key", write_key(one->reference_key)) &&
                    set(object, "buffers", write_buffers(one)) && set(object, "setup", write_sequence(one->setup)) &&
                    set(object, "prepare", write_sequence(one->prepare)) &&
                    set(object, "launch", write_sequence(one->launch)) &&
                    set(object, "reference", write_sequence(one->reference)) &&
                    set_further(object, "finish", one->finish) && set_further(object, "verify", one->verify) &&
                    set(object, "checks", write_checks(one)) && set_work(object, &one->work));
}

/* Few templates have counts. */
static bool set_names(json_t *object, const struct job *job)
{
    return job->name_count == 0 || (set(object, "names", late_write_names(job)) &&
                                    set(object, "counts", json_integer((json_int_t)job->count_count)));
}

json_t *job_to_json(const struct job *job)
{
    json_t *object = json_object();
    return finish(object,
                  set(object, "seed", write_key(job->seed)) &&
                      set(object, "reference_key", write_key(job->reference_key)) &&
                      set(object, "types", layouts_write(job)) && set_names(object, job) &&
                      set(object, "program", write_program(&job->program)) &&
                      set(object, "setup", write_program(&job->setup)) &&
                      set(object, "reference", write_program(&job->reference)) &&
                      (!job->verify.path || set(object, "verify", write_program(&job->verify))) &&
                      set(object, "tuned", write_case(&job->cases[JOB_TUNED])) &&
                      set(object, "awkward", job->has_awkward ? write_case(&job->cases[JOB_AWKWARD]) : json_null()));
}

/* --- the reference key --- */

static void mark_argument(const struct job_argument *argument, bool *used)
{
    if (argument->kind == ARGUMENT_COMPOUND) {
        for (size_t i = 0; i < argument->compound->pointer_count; i++)
            used[argument->compound->pointers[i].buffer] = true;
    } else if (argument->kind != ARGUMENT_SCALAR) {
        used[argument->buffer] = true;
    }
}

static void mark_buffers(const struct job_step *steps, size_t count, bool *used)
{
    for (size_t i = 0; i < count; i++) {
        const struct job_step *step = &steps[i];
        for (size_t j = 0; j < step->argument_count; j++) {
            mark_argument(&step->arguments[j], used);
        }
        if (step_has_source(step->kind))
            used[step->source] = true;
        if (step_has_target(step->kind))
            used[step->target] = true;
        mark_buffers(step->body, step->body_count, used);
        mark_buffers(step->otherwise, step->otherwise_count, used);
    }
}

static json_t *write_input_buffers(const struct job_case *one)
{
    json_t *array = json_array();
    bool *used = calloc(one->buffer_count + 1, sizeof *used);
    bool complete = array && used;
    if (complete) {
        mark_buffers(one->setup.steps, one->setup.count, used);
        mark_buffers(one->reference.steps, one->reference.count, used);
    }
    for (size_t i = 0; i < one->buffer_count && complete; i++) {
        enum buffer_role role = one->buffers[i].role;
        bool counts = used[i] || job_data_of(one, i) || (role != BUFFER_TEMP && role != BUFFER_SCRATCH);
        complete = add(array, counts ? write_buffer(one, i) : json_null());
    }
    free(used);
    return finish(array, complete);
}

/* What the reference need not compute depends on the ranges, and those of unordered checks are put in order. */
static json_t *write_ranges(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->check_count && complete; i++) {
        const struct job_check *check = &one->checks[i];
        if (check->partial || check->unordered)
            complete = add(array, write_whole(check->buffer)) && add(array, write_range(check)) &&
                       add(array, json_boolean(check->unordered));
    }
    return finish(array, complete);
}

/* With the buffers, of which the launches may have swapped some. */
static json_t *write_expected(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->check_count && complete; i++) {
        if (one->checks[i].expected.path)
            complete = add(array, write_whole(one->checks[i].buffer)) && add_data(array, &one->checks[i].expected);
    }
    return finish(array, complete);
}

char *write_inputs(const struct job *job, const struct job_case *one, const char *template_hash)
{
    json_t *object = json_object();
    object = finish(
        object, set(object, "template", json_string(template_hash)) && set(object, "seed", write_key(job->seed)) &&
                    set(object, "setup_program", write_program(&job->setup)) &&
                    set(object, "reference_program", write_program(&job->reference)) &&
                    set(object, "buffers", write_input_buffers(one)) &&
                    set(object, "setup", write_sequence(one->setup)) &&
                    set(object, "reference", write_sequence(one->reference)) &&
                    set(object, "ranges", write_ranges(one)) && set(object, "expected", write_expected(one)));
    char *text = object ? json_print(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}
