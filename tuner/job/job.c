/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/job.h"

#include "tuner/job/formula.h"

#include <stdlib.h>

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static void clear_statements(struct job_program *program)
{
    for (size_t i = 0; i < program->statement_count; i++) {
        struct job_statement *statement = &program->statements[i];
        for (size_t j = 0; j < statement->argument_count; j++)
            free(statement->arguments[j].excerpt);
        free(statement->arguments);
        free(statement->place.excerpt);
    }
    free(program->statements);
    free(program->template_file);
}

static void clear_program(struct job_program *program)
{
    free(program->path);
    free(program->folder);
    free(program->defines);
    free(program->awkward_defines);
    free_names(program->kernels, program->kernel_count);
    free_names(program->symbols, program->symbol_count);
    free_names(program->options, program->option_count);
    clear_statements(program);
}

static void free_arguments(struct job_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct job_compound *compound = arguments[i].compound;
        if (!compound)
            continue;
        free(compound->name);
        free(compound->c_name);
        free(compound->value);
        free(compound->pointers);
        free(compound);
    }
    free(arguments);
}

void job_steps_free(struct job_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free_arguments(steps[i].arguments, steps[i].argument_count);
        job_steps_free(steps[i].body, steps[i].body_count);
        job_steps_free(steps[i].otherwise, steps[i].otherwise_count);
        job_late_free(steps[i].late);
    }
    free(steps);
}

static void clear_data(struct job_data *data)
{
    free(data->path);
    free(data->name);
}

static void clear_check(struct job_check *check)
{
    free(check->name);
    free(check->file);
    job_late_free(check->late);
    clear_data(&check->expected);
}

static void clear_case(struct job_case *one)
{
    for (size_t i = 0; i < one->buffer_count; i++) {
        free(one->buffers[i].name);
        if (one->data)
            clear_data(&one->data[i]);
    }
    for (size_t i = 0; i < one->check_count; i++)
        clear_check(&one->checks[i]);
    free(one->size_text);
    free(one->buffers);
    free(one->data);
    free(one->late);
    free(one->host);
    free(one->holders);
    free(one->checks);
    struct job_steps sequences[] = {one->setup, one->prepare, one->launch, one->finish, one->verify, one->reference};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        job_steps_free(sequences[i].steps, sequences[i].count);
}

struct job_program job_program_for(const struct job_program *program, size_t which)
{
    struct job_program copy = *program;
    if (which == JOB_AWKWARD && program->awkward_defines)
        copy.defines = program->awkward_defines;
    copy.awkward_defines = NULL;
    return copy;
}

void job_free(struct job *job)
{
    if (!job)
        return;
    clear_program(&job->program);
    clear_program(&job->setup);
    clear_program(&job->reference);
    clear_program(&job->verify);
    for (size_t i = 0; i < JOB_CASES; i++)
        clear_case(&job->cases[i]);
    for (size_t i = 0; i < job->layout_count; i++)
        free(job->layouts[i]);
    free(job->layouts);
    free_names(job->names, job->name_count);
    formulas_free(job->formulas);
    free(job);
}
