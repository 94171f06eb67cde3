/* SPDX-License-Identifier: Apache-2.0 */
/* Steps with formulas over the names m, k and i; to be included after fake_steps.h. */
#ifndef TUNE_TESTS_FORMULAS_H
#define TUNE_TESTS_FORMULAS_H

#include "tuner/job/formula.h"

struct formulas_fixture {
    struct job job;
    struct value values[3], early[3];
    struct job_late *lates[32];
    size_t late_count;
    struct job_step made;
};

static inline void formulas_begin(struct formulas_fixture *f)
{
    static const char *const names[] = {"m", "k", "i"};
    *f = (struct formulas_fixture){0};
    for (size_t i = 0; i < 3; i++) {
        size_t slot;
        assert_true(formula_name(&f->job, names[i], NAME_COUNT, &slot, &error));
        assert_int_equal(slot, i);
    }
    instance.values = f->values;
    instance.early = f->early;
    instance.value_count = 3;
}

static inline void formulas_end(struct formulas_fixture *f)
{
    for (size_t i = 0; i < f->late_count; i++)
        job_late_free(f->lates[i]);
    for (size_t i = 0; i < f->job.name_count; i++)
        free(f->job.names[i]);
    free(f->job.names);
    formulas_free(f->job.formulas);
}

static inline struct job_late *late_of(struct formulas_fixture *f, struct job_step *step)
{
    if (!step->late) {
        step->late = calloc(1, sizeof *step->late);
        assert_non_null(step->late);
        step->late->file = strdup("t.template");
        step->late->place = (struct job_place){7, 3, 4, strdup("  read")};
        assert_true(f->late_count < 32);
        f->lates[f->late_count++] = step->late;
    }
    return step->late;
}

static inline void formula_add(struct formulas_fixture *f, struct job_step *step, struct job_formula formula,
                               const char *text)
{
    struct job_late *late = late_of(f, step);
    late->formulas = realloc(late->formulas, (late->formula_count + 1) * sizeof formula);
    assert_non_null(late->formulas);
    formula.text = strdup(text);
    late->formulas[late->formula_count] = formula;
    if (!formula_parse(&f->job, &late->formulas[late->formula_count++], &error))
        fail_msg("%s", error.text);
    if (step->kind == STEP_LAUNCH && !late->name)
        late->name = strdup("k");
}

/* A step that sets a name; valid until the next call. */
static inline const struct job_step *fixed_step(struct formulas_fixture *f, struct job_step step, const char *name)
{
    struct job_late *late = late_of(f, &step);
    late->name = strdup(name);
    assert_true(formula_name(&f->job, name, NAME_COUNT, &late->slot, &error));
    f->made = step;
    return &f->made;
}

static inline bool run_all(struct job_step *steps, size_t count)
{
    const struct job_steps list = {steps, count};
    return steps_run(&validation, &program, &list, &instance, &error);
}

static inline void assert_run_all(struct formulas_fixture *f, struct job_step *steps, size_t count,
                                  const char *expected)
{
    (void)f;
    if (!run_all(steps, count))
        fail_msg("%s", error.text);
    assert_string_equal(fake.log, expected);
    fake.log[0] = '\0';
}

/* With the place of the step. */
static inline void assert_fails(struct formulas_fixture *f, struct job_step *steps, size_t count, const char *part)
{
    (void)f;
    assert_false(run_all(steps, count));
    assert_int_equal(error.code, ERROR_INPUT);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not mention \"%s\"", error.text, part);
    assert_string_equal(error.file, "t.template");
    assert_int_equal(error.line, 7);
    assert_string_equal(error.excerpt, "  read");
    assert_int_equal(error.caret, 2);
    fake.log[0] = '\0';
}

#endif
