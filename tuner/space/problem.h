/* SPDX-License-Identifier: Apache-2.0 */
/*
 * problem.h - a tuning problem: a template, a space, sizes and a device, ready to be searched.
 *
 * Making a problem evaluates the sizes and the parameters' values, and finds the valid configurations, of which there
 * may be any number: they are kept as a decision diagram (diagram.h). A
 * configuration is named by its index, 0 .. problem_configuration_count - 1, in a fixed order; for a union the
 * members' configurations follow each other, and what two members have in common counts once, in the former.
 *
 * A configuration is valid if all constraints hold. One that some constraint cannot be evaluated for (a division by
 * zero) is invalid if another constraint removes it, whichever comes first, and else an error.
 *
 * "Slots" are the values of every name of the space's scope, in which expressions are evaluated.
 */
#ifndef TUNE_SPACE_PROBLEM_H
#define TUNE_SPACE_PROBLEM_H

#include "tuner/description/description.h"
#include "tuner/lang/space.h"
#include "tuner/space/search_space.h"
#include "tuner/space/sizes.h"

struct problem;

/*
 * `space` may be NULL: then the problem has sizes but no configurations (for `tune best`). Errors: an unknown size
 * name, a size that is 0 or negative or overflows the extent of a buffer, a parameter with no values, a constraint
 * that cannot be evaluated, valid configurations that cannot be counted within minutes or numbered in 63 bits. An
 * empty space is no error here: see explain.h. The template, space and description must outlive the
 * problem.
 */
bool problem_create(const struct template *template, const struct space *space,
                    const struct device_description *device, const struct size_setting *sizes, size_t size_count,
                    struct problem **result, struct error *error);

/* The same within bounds: `effort` is how many values of parameters may be tried to find the valid configurations;
 * ten million take about a second. An error where that is not enough. */
bool problem_create_within(const struct template *template, const struct space *space,
                           const struct device_description *device, const struct size_setting *sizes,
                           size_t size_count, size_t effort, struct problem **result, struct error *error);
void problem_free(struct problem *problem);

const struct template *problem_template(const struct problem *problem);
const struct space *problem_space(const struct problem *problem);
const struct device_description *problem_device(const struct problem *problem);

/* "K=4096,M=4096,N=4096": names in the order of the template. Belongs to the problem. */
const char *problem_size_text(const struct problem *problem);
int64_t problem_size(const struct problem *problem, size_t index);

size_t problem_configuration_count(const struct problem *problem);
double problem_cartesian_count(const struct problem *problem);

/* The same configurations, by the same indices, as points for a search; a dimension for each parameter that any of
 * the spaces mentions, in the template's order. NULL if the problem has no space. Belongs to the problem. */
const struct search_space *problem_search_space(const struct problem *problem);

/* The space that configuration `index` comes from (a member of a union, or the space itself). */
const struct space *problem_configuration_space(const struct problem *problem, size_t index);

/*
 * Fill `slots` (scope_count of that configuration's space) for a configuration. With `awkward` the sizes are the
 * template's awkward ones. Template lets and space lets that can be evaluated are; the others stay VALUE_UNSET.
 */
bool problem_slots(const struct problem *problem, size_t index, bool awkward, struct value *slots,
                   struct error *error);

/* Does the configuration satisfy its space's constraints at the awkward sizes too? */
bool problem_valid_awkward(const struct problem *problem, size_t index);

/*
 * The canonical text of a configuration: a JSON object of every parameter that its space sets or varies, in the order
 * in which the template declares them: {"VARIANT":"joint","TILE_M":64}. Allocated; the caller frees it.
 */
char *problem_configuration_text(const struct problem *problem, size_t index);

/* The configuration with this text, or false. */
bool problem_configuration_find(const struct problem *problem, const char *text, size_t *index);

/*
 * A problem with the same template, sizes and device whose one configuration is `text` (as from the database or from
 * shipped knowledge); needs no space file.
 */
bool problem_from_configuration(const struct template *template, const struct device_description *device,
                                const struct size_setting *sizes, size_t size_count, const char *text,
                                struct problem **result, struct error *error);

/* Index of the configuration that the space's defaults name, or the first valid one; `*named` tells which. */
bool problem_default(const struct problem *problem, size_t *index, bool *named);

/* How many configurations of the cartesian product a constraint removes that all constraints before it let pass; one
 * that cannot be evaluated removes nothing. `index` counts the constraints of the spaces of problem_constraint_count
 * in order. Negative where counting takes too long. It is done at the first call and remembered, so no two threads
 * may call this for one problem at a time. */
struct constraint_report {
    const struct space *space;
    const struct space_constraint *constraint;
    double removed;
};
size_t problem_constraint_count(const struct problem *problem);
void problem_constraint_report(const struct problem *problem, size_t index, struct constraint_report *report);

/* A parameter of one of the problem's spaces and its values, for `tune show` and reports. */
struct parameter_values {
    const struct space *space;
    const struct parameter_declaration *declaration;
    const struct value *values;
    size_t count;
    bool fixed; /* by `set` */
};
size_t problem_parameter_count(const struct problem *problem);
void problem_parameter(const struct problem *problem, size_t index, struct parameter_values *parameter);

/* Does a valid configuration (of that space, and of no member of the union before it) have this value of the
 * parameter with this index? */
bool problem_value_occurs(const struct problem *problem, size_t parameter, size_t value);

#endif
