/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain.h - a space made concrete: the values of its parameters and its valid configurations.
 *
 * A configuration is a point: for each varied parameter, in the order of declaration in the space, the index of its
 * value. The valid ones form a decision diagram (diagram.h), built from the constraints without listing them: solve.h
 * does that, and census.h counts what each constraint removes.
 */
#ifndef TUNE_SPACE_DOMAIN_H
#define TUNE_SPACE_DOMAIN_H

#include "tuner/lang/space.h"
#include "tuner/space/diagram.h"
#include "tuner/space/sizes.h"

struct domain_parameter {
    const struct parameter_declaration *declaration;
    struct value *values; /* without duplicates */
    size_t count;
    bool fixed;    /* by `set`; has no column */
    size_t column; /* of points */
};

struct domain {
    const struct template *template;
    const struct space *space;
    size_t slot_count;
    struct value *base[SIZES_COUNT]; /* slots with the device, the sizes and the fixed parameters */

    struct domain_parameter *parameters; /* in the template's order */
    size_t parameter_count;
    size_t *order;          /* the varied ones, as indices into parameters, in the space's order */
    size_t depth;           /* of them */
    struct value *defaults; /* of space->defaults */

    struct diagram *diagram;
    size_t *columns; /* of points, by level of the diagram */
    size_t count;    /* of configurations */
    size_t first;    /* index of the first one in the problem */
    size_t chosen;   /* the first configuration with the space's defaults */
    bool named;      /* is there such a configuration? */

    double *removed; /* by constraint; NULL until counted (census.h) */
};

/* Evaluate the parameters' values and the defaults; solve.h then finds the configurations. */
bool domain_prepare(struct domain *domain, const struct template *template, const struct space *space,
                    const struct device_description *device, struct size_setting *const sizes[SIZES_COUNT],
                    struct error *error);
void domain_clear(struct domain *domain);

/* The number of points, valid or not: the product of the numbers of values. */
double domain_cartesian(const struct domain *domain);

/* A parameter's value index in a point, set or read, and its value there. */
size_t domain_get(const struct domain_parameter *parameter, const uint16_t *point);
void domain_put(const struct domain_parameter *parameter, uint16_t *point, size_t index);
struct value domain_value(const struct domain_parameter *parameter, const uint16_t *point);

/* The index of a value of the parameter, or false. */
bool domain_index(const struct domain_parameter *parameter, struct value value, size_t *index);
const struct domain_parameter *domain_parameter_of_slot(const struct domain *domain, size_t slot);

/* The point of configuration `index` of this domain, and the configuration at a point. */
void domain_point(const struct domain *domain, size_t index, uint16_t *point);
bool domain_find(const struct domain *domain, const uint16_t *point, size_t *index);

/* Fill `slots` (slot_count of them) with everything but the lets, at the sizes `which` (SIZES_...). */
void domain_slots(const struct domain *domain, const uint16_t *point, size_t which, struct value *slots);

enum verdict { VERDICT_PASSED, VERDICT_REMOVED, VERDICT_UNDECIDED };

/* Evaluate one constraint in `slots`, lets included; undecided if it cannot be evaluated. */
enum verdict domain_judge(const struct domain *domain, size_t constraint, const struct value *slots);

#endif
