/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain.h - one space made concrete: the values of its parameters, and its valid configurations.
 *
 * A configuration is a point: for each varied parameter, in the order in which the space declares them, the index of
 * its value. The valid ones are a decision diagram (diagram.h), which is built from the constraints without listing
 * them.
 */
#ifndef TUNE_SPACE_DOMAIN_H
#define TUNE_SPACE_DOMAIN_H

#include "tuner/lang/space.h"
#include "tuner/space/diagram.h"
#include "tuner/space/sizes.h"

struct domain_parameter {
    const struct parameter_declaration *declaration;
    struct value *values; /* without repetitions */
    size_t count;
    bool fixed;    /* by `set`: takes no place in points */
    size_t column; /* where in a point */
};

struct domain {
    const struct template *template;
    const struct space *space;
    size_t slot_count;
    struct value *base[SIZES_COUNT]; /* slots with the device, the sizes and the fixed parameters */

    struct domain_parameter *parameters; /* in the order in which the template declares them */
    size_t parameter_count;
    size_t *order; /* the varied ones as indices into parameters, in the order of the space */
    size_t depth;
    struct value *defaults; /* of space->defaults */

    struct diagram *diagram;
    size_t *columns; /* of points, by level of the diagram */
    size_t count;    /* of configurations */
    size_t first;    /* index of the first of them in the problem */
    size_t chosen;   /* the first configuration with the space's defaults */
    bool named;      /* is there one? */

    double *removed; /* by each constraint; NULL until counted */
};

/* Evaluate the parameters' values and the defaults; finds no configurations yet. */
bool domain_prepare(struct domain *domain, const struct template *template, const struct space *space,
                    const struct device_description *device, struct size_setting *const sizes[SIZES_COUNT],
                    struct error *error);
void domain_clear(struct domain *domain);

/* The product of the numbers of values. */
double domain_cartesian(const struct domain *domain);

/* The index of a parameter's value in a point, and its value. */
size_t domain_get(const struct domain_parameter *parameter, const uint16_t *point);
void domain_put(const struct domain_parameter *parameter, uint16_t *point, size_t index);
struct value domain_value(const struct domain_parameter *parameter, const uint16_t *point);

/* Index of a value among a parameter's, or false. */
bool domain_index(const struct domain_parameter *parameter, struct value value, size_t *index);
const struct domain_parameter *domain_parameter_of_slot(const struct domain *domain, size_t slot);

/* The point of configuration `index` of this domain, and the configuration at a point. */
void domain_point(const struct domain *domain, size_t index, uint16_t *point);
bool domain_find(const struct domain *domain, const uint16_t *point, size_t *index);

/* Fill `slots` (slot_count of them) with everything but the lets. */
void domain_slots(const struct domain *domain, const uint16_t *point, size_t which, struct value *slots);

enum verdict { VERDICT_PASSED, VERDICT_REMOVED, VERDICT_UNDECIDED };

/* Evaluate one constraint; it is undecided if it cannot be evaluated. The lets must stand in their slots. */
enum verdict domain_judge(const struct domain *domain, size_t constraint, const struct value *slots);

#endif
