/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h - a space as requirements on variables, from which the diagram of its configurations is built.
 *
 * The variables are the parameters that a space varies, with the values that no requirement on one of them alone
 * rules out. The requirements are what remains of the constraints: conjunctions are split where that changes nothing,
 * and whatever always holds is dropped. A later member of a union has one more requirement for each earlier member
 * with which it may share configurations: not to be in that member.
 */
#ifndef TUNE_SPACE_MODEL_H
#define TUNE_SPACE_MODEL_H

#include "tuner/space/domain.h"
#include "tuner/space/term.h"

struct model_variable {
    const struct value *values;
    size_t count;
    uint16_t *alive; /* indices of values, ascending */
    size_t alive_count;
    int64_t term; /* TERM_NONE if it has one value, so that no requirement depends on it */
};

enum { SUPPORT_NONE = -1, SUPPORT_MANY = -2 };

struct model {
    struct terms terms;
    struct model_variable *variables; /* in the order of domain->order */
    size_t variable_count;
    term_id *requirements; /* truths */
    size_t requirement_count, requirement_capacity;
    bool *required; /* by term: was it made a requirement? */
    size_t required_capacity;
    int64_t *support;      /* by term: the one variable it depends on, SUPPORT_NONE or SUPPORT_MANY */
    struct value **tables; /* by term: its value for each value of its one variable; else NULL */
    bool lenient;          /* a constraint that cannot be evaluated counts as holding */
    bool impossible;       /* no configuration is valid */
    bool doubtful;         /* a constraint without variables cannot be evaluated */
};

/*
 * The model of the first `constraint_count` constraints of a domain, without the configurations of `formers`: other
 * members of a union, with the same parameters. False when out of memory. The domains must outlive the model.
 */
bool model_create(struct model *model, const struct domain *domain, size_t constraint_count,
                  const struct domain *const *formers, size_t former_count, bool lenient);
void model_clear(struct model *model);

/*
 * Recompute the ranges of all terms from the values that are left, and drop the requirements that now always hold.
 * The model must not be impossible. False when out of memory.
 */
bool model_narrow(struct model *model);

#endif
