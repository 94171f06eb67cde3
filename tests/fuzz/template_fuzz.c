/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a template. If it parses, it is walked and every expression is evaluated. With a value for each
 * parameter it is lowered to a job, which is the same when it has been written and read, and its metrics are
 * computed. `x.npy` is in its folder.
 */
#include "tests/fuzz/scratch.h"
#include "tests/unit/h100.h"
#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_write.h"
#include "tuner/job/job.h"
#include "tuner/space/metrics.h"

#include <jansson.h>

enum { FEW = 1000, EFFORT = 1000 };

static char folder[PATH_MAX];

/* ---- expressions ---- */

static void evaluate(const struct expr *expr, const struct value *slots)
{
    struct error error;
    struct value *values;
    size_t count;
    double number;
    if (!expr)
        return;
    expr_number(expr, slots, &number, &error);
    if (expr_list(expr, slots, &values, &count, &error))
        free(values);
}

static void evaluate_all(const struct expr *const *parts, size_t count, const struct value *slots)
{
    for (size_t i = 0; i < count; i++)
        evaluate(parts[i], slots);
}

static void walk_arguments(const struct argument *arguments, size_t count, const struct value *slots)
{
    for (size_t i = 0; i < count; i++) {
        const struct texture_declaration *texture = arguments[i].texture;
        evaluate(arguments[i].offset, slots);
        evaluate(arguments[i].value, slots);
        if (texture)
            evaluate_all(texture->extent, 3, slots);
        walk_arguments(arguments[i].parts, arguments[i].part_count, slots);
    }
}

static void walk(const struct block *block, const struct value *slots)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *s = &block->statements[i];
        const struct expr *parts[] = {s->value,
                                      s->shared,
                                      s->at,
                                      s->first,
                                      s->last,
                                      s->awaited,
                                      s->condition,
                                      s->attributes.cooperative_if,
                                      s->attributes.stream};
        evaluate_all(parts, sizeof parts / sizeof *parts, slots);
        evaluate_all(s->grid, 3, slots);
        evaluate_all(s->block, 3, slots);
        evaluate_all(s->attributes.cluster, 3, slots);
        walk_arguments(s->arguments, s->argument_count, slots);
        walk(&s->body, slots);
        walk(&s->otherwise, slots);
    }
}

static void evaluate_everything(const struct template *template)
{
    struct value *slots = calloc(scope_count(template->scope), sizeof *slots);
    if (!slots)
        abort();
    for (size_t i = 0; i < scope_count(template->scope); i += 2)
        slots[i] = value_integer((int64_t)i);
    for (size_t i = 0; i < template->let_count; i++)
        evaluate(template->lets[i].value, slots);
    for (size_t i = 0; i < template->count_count; i++)
        evaluate(template->counts[i].most, slots);
    for (size_t i = 0; i < template->metric_count; i++)
        evaluate(template->metrics[i].value, slots);
    for (size_t i = 0; i < template->check_count; i++)
        evaluate_all(
            (const struct expr *[]){template->checks[i].bound, template->checks[i].first, template->checks[i].last},
            3, slots);
    const struct sequence *const sequences[] = {&template->setup,  &template->prepare, &template->launch,
                                                &template->finish, &template->verify,  &template->reference};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        walk(&sequences[i]->body, slots);
    free(slots);
}

/* ---- jobs ---- */

static size_t count_steps(const struct job_steps *steps)
{
    size_t count = steps->count;
    for (size_t i = 0; i < steps->count; i++) {
        const struct job_step *step = &steps->steps[i];
        count += step->argument_count + count_steps(&(struct job_steps){step->body, step->body_count}) +
                 count_steps(&(struct job_steps){step->otherwise, step->otherwise_count});
    }
    return count;
}

static size_t count_all(const struct job_case *one)
{
    return count_steps(&one->setup) + count_steps(&one->prepare) + count_steps(&one->launch) +
           count_steps(&one->finish) + count_steps(&one->verify) + count_steps(&one->reference);
}

static void write_and_read(const struct job *job)
{
    struct error error = {0};
    struct job *again = NULL;
    if (count_all(&job->cases[JOB_TUNED]) > FEW)
        return;
    json_t *written = job_to_json(job);
    fuzz_require(written && job_from_json(written, &again, &error));
    json_t *rewritten = job_to_json(again);
    fuzz_require(rewritten && json_equal(written, rewritten));
    json_decref(rewritten);
    json_decref(written);
    job_free(again);
}

static void measure(const struct problem *problem)
{
    struct error error = {0};
    struct metrics *metrics;
    struct evaluation evaluation = evaluation_unmeasured;
    evaluation.outcome = OUTCOME_OK;
    evaluation.time_ns = 1e6;
    char *configuration = problem_configuration_text(problem, 0);
    char *definitions = metrics_definitions(problem_template(problem));
    fuzz_require(configuration && definitions);
    if (metrics_create(problem_template(problem), &h100, problem_size_text(problem), &metrics, &error)) {
        char *text = metrics_text(metrics, configuration, &evaluation);
        json_t *json = text && text[0] ? json_loads(text, 0, NULL) : NULL;
        fuzz_require(text && (!text[0] || json));
        json_decref(json);
        free(text);
        metrics_free(metrics);
    } else {
        fuzz_refused(&error);
    }
    free(definitions);
    free(configuration);
}

static void export(const struct problem *problem)
{
    struct error error = {0};
    json_t *document;
    struct t1_import import;
    char *notes;
    if (!t1_export(problem, &document, &notes, &error)) {
        fuzz_refused(&error);
        return;
    }
    char *text = json_dumps(document, 0);
    fuzz_require(text && notes);
    if (!t1_import("fuzz", text, strlen(text), &(struct t1_import_setting){0}, &import, &error))
        fuzz_refused(&error);
    t1_import_clear(&import);
    free(text);
    free(notes);
    json_decref(document);
}

static void lower(const struct template *template, const struct space *space, struct inputs *inputs)
{
    struct error error = {0};
    struct problem *problem;
    struct job *job;
    const struct problem_request request = {
        .template = template, .space = space, .device = &h100, .inputs = inputs, .effort = EFFORT};
    if (!problem_make(&request, &problem, &error)) {
        fuzz_refused(&error);
        return;
    }
    if (job_lower(problem, 0, 1, &job, &error)) {
        write_and_read(job);
        job_free(job);
    } else {
        fuzz_refused(&error);
    }
    measure(problem);
    export(problem);
    problem_free(problem);
}

/* Powers of two, and a word for what the template calls a variant. */
static struct space *space_of(const struct template *template)
{
    struct space *space;
    struct error error = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fuzz_require(out);
    fprintf(out, "space s of %s\n", template->name);
    for (size_t i = 0; i < template->parameter_count; i++) {
        const struct parameter_declaration *parameter = &template->parameters[i];
        if (strcmp(parameter->name, "VARIANT") == 0)
            fprintf(out, "set VARIANT = \"a\"\n");
        else
            fprintf(out, "set %s = %d\n", parameter->name, 1 << i % 8);
    }
    fuzz_require(fclose(out) == 0);
    fuzz_require(space_parse("s.space", text, length, template, &space, &error));
    free(text);
    return space;
}

static void lower_with_data(const struct template *template)
{
    struct inputs *inputs;
    struct error error = {0};
    struct space *space = space_of(template);
    if (inputs_open(template, NULL, 0, &inputs, &error)) {
        lower(template, space, inputs);
        inputs_free(inputs);
    } else {
        fuzz_refused(&error);
    }
    space_free(space);
}

static void make_folder(void)
{
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }\n";
    unsigned char file[10 + sizeof text - 1 + 64] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, sizeof text - 1};
    char path[PATH_MAX];
    memcpy(file + 10, text, sizeof text - 1);
    scratch_path(path, "x.npy");
    scratch_write(path, file, sizeof file);
    scratch_path(folder, "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct template *template;
    struct error error = {0};
    if (!folder[0])
        make_folder();
    if (!template_parse("fuzz.template", folder, (const char *)data, size, &template, &error)) {
        fuzz_refused(&error);
        return 0;
    }
    evaluate_everything(template);
    lower_with_data(template);
    template_free(template);
    return 0;
}
