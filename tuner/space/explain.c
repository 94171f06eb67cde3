/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/explain.h"

#include <string.h>

/* Append "where 32 <= threads removes 12" to the error's text as far as it fits. */
static void append_removal(struct error *error, const struct constraint_report *report)
{
    struct place place = expr_place(report->constraint->condition);
    size_t length = strlen(error->text);
    int width = place.length > 80 ? 80 : (int)place.length;
    const char *text = place.text ? place.text + place.offset : "";
    if (report->removed > 0 && length + 1 < sizeof error->text)
        snprintf(error->text + length, sizeof error->text - length, "\n    where %.*s removes %.0f", width, text,
                 report->removed);
}

bool explain_empty(const struct problem *problem, struct error *error)
{
    struct error ignored;
    struct constraint_report report, last = {.removed = 0};
    size_t count = problem_constraint_count(problem);
    if (!error)
        error = &ignored;
    for (size_t i = 0; i < count; i++) {
        problem_constraint_report(problem, i, &report);
        if (report.removed != 0)
            last = report;
    }
    const char *name = problem_space(problem) ? problem_space(problem)->name : problem_template(problem)->name;
    if (last.removed < 0) {
        error_set(error, ERROR_INPUT,
                  "no configuration of space %s is valid; its product of %.0f is too large to count what each "
                  "constraint removes",
                  name, problem_cartesian_count(problem));
        return error_hint(error, "drop constraints or values one by one to find the culprit");
    }
    struct place place = last.constraint ? expr_place(last.constraint->condition) : (struct place){.file = NULL};
    error_at(error, ERROR_INPUT, place, "the constraints of space %s leave none of its %.0f configurations:", name,
             problem_cartesian_count(problem));
    for (size_t i = 0; i < count; i++) {
        problem_constraint_report(problem, i, &report);
        append_removal(error, &report);
    }
    return error_hint(error, "the sizes are %s; the device is %s", problem_size_text(problem),
                      problem_device(problem)->name);
}
