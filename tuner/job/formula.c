/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/formula.h"

#include "tuner/lang/expression.h"
#include "tuner/lang/scope.h"

#include <stdlib.h>
#include <string.h>

struct formulas {
    struct arena arena;
    struct scope *scope;
};

static struct formulas *formulas_of(struct job *job)
{
    if (job->formulas)
        return job->formulas;
    struct formulas *formulas = calloc(1, sizeof *formulas);
    if (formulas && !(formulas->scope = scope_create(&formulas->arena))) {
        formulas_free(formulas);
        formulas = NULL;
    }
    job->formulas = formulas;
    return formulas;
}

void formulas_free(struct formulas *formulas)
{
    if (formulas)
        arena_free(&formulas->arena);
    free(formulas);
}

bool formula_name(struct job *job, const char *name, enum name_kind kind, size_t *slot, struct error *error)
{
    struct formulas *formulas = formulas_of(job);
    if (!formulas)
        return error_out_of_memory(error);
    if (scope_find(formulas->scope, name, slot))
        return true;
    if (job->name_count == FORMULA_NAMES_LIMIT)
        return error_set(error, ERROR_INPUT, "more than %d names depend on counts", FORMULA_NAMES_LIMIT);
    char **longer = realloc(job->names, (job->name_count + 1) * sizeof *longer);
    if (!longer)
        return error_out_of_memory(error);
    job->names = longer;
    char *copy = strdup(name);
    if (!copy || !scope_add_value(formulas->scope, name, strlen(name), kind, NULL, 0, slot)) {
        free(copy);
        return error_out_of_memory(error);
    }
    job->names[job->name_count++] = copy; /* *slot is its index: names have no other slots */
    return true;
}

bool formula_parse(struct job *job, struct job_formula *formula, struct error *error)
{
    struct formulas *formulas = formulas_of(job);
    struct text *text = formulas ? arena_allocate(&formulas->arena, sizeof *text) : NULL;
    return text ? text_copy(text, &formulas->arena, "", formula->text, strlen(formula->text), error) &&
                      expression_parse(text, &formulas->arena, formulas->scope, &formula->expr, error)
                : error_out_of_memory(error);
}

const struct job_formula *formula_in(const struct job_late *late, enum formula_use use)
{
    for (size_t i = 0; late && i < late->formula_count; i++) {
        if (late->formulas[i].use == use)
            return &late->formulas[i];
    }
    return NULL;
}

const struct job_formula *formula_of(const struct job_step *step, enum formula_use use)
{
    return formula_in(step->late, use);
}

void job_late_free(struct job_late *late)
{
    if (!late)
        return;
    for (size_t i = 0; i < late->formula_count; i++)
        free(late->formulas[i].text);
    free(late->formulas);
    free(late->name);
    free(late->file);
    free(late->place.excerpt);
    free(late);
}
