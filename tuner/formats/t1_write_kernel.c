/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_write_kernel.h"

#include "tuner/error/text_stream.h"
#include "tuner/formats/t1_write_arguments.h"
#include "tuner/formats/t1_writing.h"

#include <stdlib.h>

enum { AXES = 3 };

static void keep_let(struct t1_writing *w, const struct statement *statement)
{
    if (w->let_count == T1_LETS_MOST)
        return;
    struct let_declaration *let = &w->let_values[w->let_count];
    *let = (struct let_declaration){NULL, statement->slot, statement->value};
    w->lets[w->let_count++] = let;
    w->scope.extra_count = w->let_count;
}

/* The first launch that the default configuration reaches, and how many launches there are. */
static void find_launch(struct t1_writing *w, const struct block *block, bool taken, const struct statement **launch,
                        size_t *count)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        struct value condition;
        if (statement->kind == STATEMENT_LET && taken && !*launch)
            keep_let(w, statement);
        if (statement->kind == STATEMENT_LAUNCH && taken) {
            *launch = *launch ? *launch : statement;
            ++*count;
        }
        bool known =
            statement->kind == STATEMENT_IF && expr_evaluate(statement->value, w->scope.slots, &condition, NULL);
        bool holds = !known || value_truth(condition);
        if (taken && (statement->kind == STATEMENT_FOR || statement->kind == STATEMENT_REPEAT))
            ++*count; /* it repeats what is inside */
        find_launch(w, &statement->body, taken && holds, launch, count);
        find_launch(w, &statement->otherwise, taken && (!known || !holds), launch, count);
    }
}

static bool write_shape(struct t1_writing *w, json_t *kernel, const char *name, const struct expr *const extents[3])
{
    static const char *const axes[AXES] = {"X", "Y", "Z"};
    json_t *shape = json_object();
    bool done = t1_set(w, kernel, name, shape);
    for (size_t i = 0; done && i < AXES; i++)
        done = t1_set(w, shape, axes[i], t1_launch_text(w, extents[i]));
    return done;
}

/* Does a source or an option apply to the default configuration? */
static bool applies(const struct t1_writing *w, const struct expr *condition)
{
    bool holds = true;
    return !condition || (expr_truth(condition, w->scope.slots, &holds, NULL) && holds);
}

static const char *source_file(struct t1_writing *w)
{
    const struct template *template = w->template;
    if (template->source_count > 1)
        fprintf(w->notes, "the template has %zu sources: exported with that of the default configuration\n",
                template->source_count);
    for (size_t i = 0; i < template->source_count; i++) {
        if (applies(w, template->sources[i].condition))
            return template->sources[i].file;
    }
    return "";
}

/* A size that the source sees as a macro. */
static json_t *define_json(const struct t1_writing *w, size_t size)
{
    return json_sprintf("-D%s=%lld", w->template->sizes[size].name, (long long)problem_size(w->problem, size));
}

static bool write_options(struct t1_writing *w, json_t *kernel)
{
    json_t *options = json_array();
    bool done = t1_set(w, kernel, "CompilerOptions", options);
    for (size_t i = 0; done && i < w->template->size_count; i++) {
        if (w->template->sizes[i].defined)
            done = t1_append(w, options, define_json(w, i));
    }
    for (size_t i = 0; done && i < w->template->option_count; i++) {
        if (applies(w, w->template->options[i].condition))
            done = t1_append(w, options, json_string(w->template->options[i].text));
    }
    return done;
}

static bool write_sizes(struct t1_writing *w, json_t *kernel)
{
    if (w->template->size_count == 0 || w->template->size_count > AXES)
        return true;
    json_t *sizes = json_array();
    bool done = t1_set(w, kernel, "ProblemSize", sizes);
    for (size_t i = 0; done && i < w->template->size_count; i++)
        done = t1_append(w, sizes, json_integer(problem_size(w->problem, i)));
    return done;
}

static json_t *shared_json(struct t1_writing *w, const struct expr *shared)
{
    struct value value;
    if (!shared)
        return json_integer(0);
    if (!python_constant(shared, &w->scope, &value))
        fprintf(w->notes,
                "the dynamic shared memory depends on parameters: SharedMemory is exported as an expression\n");
    return t1_extent(w, shared);
}

/* Kernel Tuner defines parameters as macros, so the arguments may stand as they are written. */
static json_t *kernel_name(struct t1_writing *w, const struct statement *launch)
{
    struct text_stream stream;
    if (!launch->is_template)
        return json_string(launch->name);
    if (!text_stream_open(&stream, w->error))
        return NULL;
    fprintf(stream.out, "%s<", launch->name);
    for (size_t i = 0; i < launch->template_argument_count; i++) {
        const struct template_argument *argument = &launch->template_arguments[i];
        struct place place = argument->value ? expr_place(argument->value) : (struct place){0};
        fputs(i ? ", " : "", stream.out);
        if (argument->value)
            fwrite(place.text + place.offset, 1, place.length, stream.out);
        else
            fputs(argument->text, stream.out);
    }
    fputs(">", stream.out);
    char *name = text_stream_close(&stream, w->error);
    json_t *json = name ? json_string(name) : NULL;
    free(name);
    return json;
}

bool t1_write_kernel(struct t1_writing *w, json_t *document)
{
    const struct statement *launch = NULL;
    size_t count = 0;
    find_launch(w, &w->template->launch.body, true, &launch, &count);
    if (!launch)
        return error_set(w->error, ERROR_INPUT, "the default configuration of %s launches no kernel",
                         w->template->name);
    json_t *kernel = json_object();
    if (w->template->finish.present || w->template->verify.present)
        fprintf(w->notes, "T1 has no blocks after the launch: exported without finish and verify\n");
    for (size_t i = 0; i < w->template->check_count; i++) {
        if (w->template->checks[i].partial)
            fprintf(w->notes, "T1 compares whole outputs: exported without the range of a check of %s\n",
                    w->template->buffers[w->template->checks[i].buffer].name);
    }
    if (count > 1 || w->template->prepare.present)
        fprintf(w->notes,
                "T1 describes one launch of one kernel: only the first launch of the template is exported\n");
    if (launch->attributes.cooperative || launch->attributes.host || launch->attributes.cluster[0] ||
        launch->attributes.stream)
        fprintf(w->notes, "T1 has no cooperative launches, launches on the host, clusters and streams: exported as a "
                          "plain launch\n");
    return t1_set(w, document, "KernelSpecification", kernel) && t1_set(w, kernel, "Language", json_string("CUDA")) &&
           t1_set(w, kernel, "BenchmarkName", json_string(w->template->name)) &&
           t1_set(w, kernel, "KernelName", kernel_name(w, launch)) &&
           t1_set(w, kernel, "KernelFile", json_string(source_file(w))) && write_options(w, kernel) &&
           t1_set(w, kernel, "GlobalSizeType", json_string("CUDA")) &&
           write_shape(w, kernel, "LocalSize", launch->block) && write_shape(w, kernel, "GlobalSize", launch->grid) &&
           write_sizes(w, kernel) && t1_set(w, kernel, "SharedMemory", shared_json(w, launch->shared)) &&
           t1_write_arguments(w, launch, kernel);
}
