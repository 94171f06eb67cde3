/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/operand.h"

#include "tuner/job/late.h"

#include <inttypes.h>
#include <string.h>

bool operand_late(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                  struct job_formula formula, const struct expr *expr)
{
    const struct lowering *lowering = unrolling->lowering;
    return late_add(lowering, statement->place, step, formula, late_text(lowering, expr, NULL));
}

static bool add_text(const struct unrolling *unrolling, struct place place, struct job_step *step,
                     struct job_formula formula, const char *text)
{
    char *copy = strdup(text);
    return copy ? late_add(unrolling->lowering, place, step, formula, copy)
                : lowering_out_of_memory(unrolling->lowering);
}

bool operand_number(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                    struct job_formula formula, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return add_text(unrolling, statement->place, step, formula, text);
}

bool operand_extent(const struct unrolling *unrolling, struct place place, struct job_step *step,
                    struct job_formula formula, size_t buffer)
{
    char text[32];
    if (job_is_late(unrolling->now, buffer))
        return add_text(unrolling, place, step, formula, unrolling->lowering->late->extents[buffer]);
    snprintf(text, sizeof text, "%" PRIu64, unrolling->now->buffers[buffer].extent);
    return add_text(unrolling, place, step, formula, text);
}

bool operand_integer(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                     struct job_formula formula, const struct expr *expr, int64_t absent, int64_t *result)
{
    *result = absent;
    return late_is(unrolling->lowering, expr) ? operand_late(unrolling, statement, step, formula, expr)
                                              : lowering_integer(unrolling->lowering, expr, absent, result);
}
