/*
 * domain.h - one space made concrete: the values of its parameters, and its valid configurations.
 *
 * A configuration is a row: for each varied parameter, in the order in which the space declares them, the index of
 * its value in one byte, or in two (the higher one first) if it has more than 256 values. Rows are sorted, so that
 * memcmp finds one by bisection.
 *
 * Which constraint is decided when: a constraint, and each let that it reads, has a level, the number of varied
 * parameters that must have a value before it can be evaluated. Level 0 reads none.
 */
#ifndef TUNE_SPACE_DOMAIN_H
#define TUNE_SPACE_DOMAIN_H

#include "tuner/space/sizes.h"

struct domain_parameter {
    const struct parameter_declaration *declaration;
    struct value *values; /* without repetitions */
    size_t count;
    bool fixed;    /* by `set`: takes no place in rows */
    size_t column; /* where in a row */
    size_t width;  /* 1 or 2 bytes */
};

/* The items (lets or constraints) of level l are items[first[l]] .. items[first[l + 1] - 1], in ascending order. */
struct schedule {
    size_t *items;
    size_t *first;
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

    struct schedule lets;        /* numbered as in slots_let; only those that a constraint reads */
    struct schedule constraints; /* indices into space->constraints */

    size_t row_bytes;
    unsigned char *rows;
    size_t row_count;
    size_t first; /* index of the first row in the problem */

    double *removed; /* by each constraint; NULL until counted */
};

/* Evaluate the parameters' values and the defaults, and schedule the constraints; enumerates nothing yet. */
bool domain_prepare(struct domain *domain, const struct template *template, const struct space *space,
                    const struct device_description *device, int64_t *const sizes[SIZES_COUNT], struct error *error);
void domain_clear(struct domain *domain);

/* The product of the numbers of values. */
double domain_cartesian(const struct domain *domain);

/* The index of a parameter's value in a row, and its value. */
size_t domain_get(const struct domain_parameter *parameter, const unsigned char *row);
void domain_put(const struct domain_parameter *parameter, unsigned char *row, size_t index);
struct value domain_value(const struct domain_parameter *parameter, const unsigned char *row);

/* Index of a value among a parameter's, or false. */
bool domain_index(const struct domain_parameter *parameter, struct value value, size_t *index);
const struct domain_parameter *domain_parameter_of_slot(const struct domain *domain, size_t slot);

const unsigned char *domain_row(const struct domain *domain, size_t index);
bool domain_find(const struct domain *domain, const unsigned char *row, size_t *index);

/* Fill `slots` (slot_count of them) with everything but the lets. */
void domain_slots(const struct domain *domain, const unsigned char *row, size_t which, struct value *slots);

enum verdict { VERDICT_PASSED, VERDICT_REMOVED, VERDICT_UNDECIDED };

/* Evaluate the lets of a level into their slots. */
void domain_set_lets(const struct domain *domain, size_t level, struct value *slots);

/* Evaluate one constraint; it is undecided if it cannot be evaluated. */
enum verdict domain_judge(const struct domain *domain, size_t constraint, const struct value *slots);

/*
 * Find the valid configurations. A configuration that no constraint removes and some constraint cannot be evaluated
 * for is an error. (domain.c's counterpart in enumerate.c.)
 */
bool domain_enumerate(struct domain *domain, struct error *error);

/*
 * Count how many configurations each constraint removes of those that the constraints before it let pass, into
 * `domain->removed` (-1 each if the product is too large to count; removal.c). False when out of memory.
 */
bool domain_count_removed(struct domain *domain);

#endif
