/* SPDX-License-Identifier: Apache-2.0 */
/*
 * problem.h - a tuning problem: a template, a space, sizes and a device, ready to be searched.
 *
 * Making a problem evaluates the sizes and the parameters' values, and finds the valid configurations. There may be
 * any number of those, since they are kept as a decision diagram (diagram.h). A configuration is identified by its
 * index, 0 .. problem_configuration_count - 1, in a fixed order. The members of a union follow one another; a
 * configuration that several members have counts once, in the first of them.
 *
 * A configuration is valid if all constraints hold. If one cannot be evaluated for it (a division by zero, say), the
 * configuration is invalid if another constraint removes it, in whatever order they stand; otherwise the problem
 * cannot be made.
 *
 * "Slots" hold the values of all names in a space's scope; expressions are evaluated in them.
 */
#ifndef TUNE_SPACE_PROBLEM_H
#define TUNE_SPACE_PROBLEM_H

#include "tuner/data/inputs.h"
#include "tuner/description/description.h"
#include "tuner/lang/space.h"
#include "tuner/space/search_space.h"
#include "tuner/space/sizes.h"

struct problem;

/*
 * Without a space (NULL) the problem has sizes but no configurations, as `tune best` wants it. Errors: an unknown
 * size, a size below 1 or one that overflows the extent of a buffer, a parameter without values, a constraint that
 * cannot be evaluated, more valid configurations than can be counted within minutes or numbered in 63 bits. An empty
 * space is not an error here; explain.h says why it is empty. The template, space and description must outlive the
 * problem.
 */
bool problem_create(const struct template *template, const struct space *space,
                    const struct device_description *device, const struct size_setting *sizes, size_t size_count,
                    struct problem **result, struct error *error);

/* The same with all that can be said. */
struct problem_request {
    const struct template *template;
    const struct space *space; /* may be NULL */
    const struct device_description *device;
    const struct size_setting *sizes;
    size_t size_count;
    struct inputs *inputs; /* the template's data files, which must outlive the problem; NULL: none were opened */
    bool own_matrices;     /* as of struct given_sizes: nothing of this problem is validated here */
    bool no_awkward;       /* nothing is validated at the awkward sizes, whatever the template says */
    size_t effort;         /* as of problem_create_within; 0: enough for minutes */
};
bool problem_make(const struct problem_request *request, struct problem **result, struct error *error);

/* The same with a limit: at most `effort` parameter values are tried to find the valid configurations (ten million
 * take about a second); an error if that is not enough. */
bool problem_create_within(const struct template *template, const struct space *space,
                           const struct device_description *device, const struct size_setting *sizes,
                           size_t size_count, size_t effort, struct problem **result, struct error *error);
void problem_free(struct problem *problem);

const struct template *problem_template(const struct problem *problem);
const struct space *problem_space(const struct problem *problem);
const struct device_description *problem_device(const struct problem *problem);
struct inputs *problem_inputs(const struct problem *problem);

/* "M=4096,N=4096,K=4096", in the template's order. Owned by the problem. */
const char *problem_size_text(const struct problem *problem);
/* The text of descriptions.h. Owned by the problem. */
const char *problem_descriptions(const struct problem *problem);

int64_t problem_size(const struct problem *problem, size_t index);
/* All of them, in the template's order. Owned by the problem. */
const struct size_setting *problem_sizes(const struct problem *problem);

size_t problem_configuration_count(const struct problem *problem);
double problem_cartesian_count(const struct problem *problem);

/* The same configurations with the same indices as points for a search. The dimensions are the parameters that any of
 * the spaces mentions, in the template's order. NULL if the problem has no space. Owned by the problem. */
const struct search_space *problem_search_space(const struct problem *problem);

/* The space that configuration `index` comes from: a member of the union, or the space itself. */
const struct space *problem_configuration_space(const struct problem *problem, size_t index);

/*
 * Fill `slots` (as many as the scope of that configuration's space has) for a configuration, at the tuned or the
 * awkward sizes. Lets that cannot be evaluated stay VALUE_UNSET.
 */
bool problem_slots(const struct problem *problem, size_t index, bool awkward, struct value *slots,
                   struct error *error);

/* The same at any other sizes, in the template's order, for a configuration whose parameters are what they are at the
 * problem's own. `*valid`: its space's constraints hold there. */
bool problem_slots_at(const struct problem *problem, size_t index, const int64_t *sizes, struct value *slots,
                      bool *valid, struct error *error);

/* Does the configuration satisfy its space's constraints at the awkward sizes, too? An error only when out of memory.
 */
bool problem_valid_awkward(const struct problem *problem, size_t index, bool *valid, struct error *error);

/* The sizes, besides the tuned ones, at which the configuration is validated, as in problem_size_text; "" if there
 * are none, or it is not valid there. Owned by the problem. An error only when out of memory. */
bool problem_awkward_text(const struct problem *problem, size_t index, const char **text, struct error *error);

/*
 * The canonical text of a configuration: a JSON object with all parameters that its space sets or varies, in the
 * template's order: {"VARIANT":"joint","TILE_M":64}. Allocated; NULL when out of memory.
 */
char *problem_configuration_text(const struct problem *problem, size_t index);

/* The configuration with this text; false if there is none, or when out of memory. */
bool problem_configuration_find(const struct problem *problem, const char *text, size_t *index);

/*
 * A problem whose only configuration is `text`, which may come from the database or from shipped knowledge. No space
 * file is needed, and none is expected of the request.
 */
bool problem_from_configuration(const struct problem_request *request, const char *text, struct problem **result,
                                struct error *error);

/* The first configuration with the values of the space's defaults (`*named`), or else configuration 0. False if there
 * are no configurations. */
bool problem_default(const struct problem *problem, size_t *index, bool *named);

/* How many configurations of the cartesian product a constraint removes that all constraints before it let pass. A
 * constraint that cannot be evaluated removes nothing; `removed` is negative if counting takes too long or memory
 * runs out. `index` runs over the constraints of all members of a union, in order. The counts are made on the first
 * call and kept, so two threads must not call this for one problem at the same time. */
struct constraint_report {
    const struct space *space;
    const struct space_constraint *constraint;
    double removed;
};
size_t problem_constraint_count(const struct problem *problem);
void problem_constraint_report(const struct problem *problem, size_t index, struct constraint_report *report);

/* A parameter of one of the problem's spaces, with its values. */
struct parameter_values {
    const struct space *space;
    const struct parameter_declaration *declaration;
    const struct value *values;
    size_t count;
    bool fixed; /* by `set` */
};
size_t problem_parameter_count(const struct problem *problem);
void problem_parameter(const struct problem *problem, size_t index, struct parameter_values *parameter);

/* Does any valid configuration that counts in the parameter's space have this value? */
bool problem_value_occurs(const struct problem *problem, size_t parameter, size_t value);

#endif
