/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/lowering.h"

#include "tuner/job/late.h"
#include "tuner/space/slots.h"

#include <string.h>

static bool blame(const struct lowering *lowering, const struct expr *expr)
{
    slots_blame(lowering->template, lowering->space, expr, lowering->slots, lowering->error);
    return late_blame(lowering, expr);
}

bool lowering_value(const struct lowering *lowering, const struct expr *expr, struct value *result)
{
    return expr_evaluate(expr, lowering->slots, result, lowering->error) || blame(lowering, expr);
}

bool lowering_integer(const struct lowering *lowering, const struct expr *expr, int64_t absent, int64_t *result)
{
    *result = absent;
    return !expr || expr_integer(expr, lowering->slots, result, lowering->error) || blame(lowering, expr);
}

bool lowering_number(const struct lowering *lowering, const struct expr *expr, double absent, double *result)
{
    *result = absent;
    return !expr || expr_number(expr, lowering->slots, result, lowering->error) || blame(lowering, expr);
}

bool lowering_truth(const struct lowering *lowering, const struct expr *expr, bool absent, bool *result)
{
    *result = absent;
    return !expr || expr_truth(expr, lowering->slots, result, lowering->error) || blame(lowering, expr);
}

bool lowering_list(const struct lowering *lowering, const struct expr *expr, struct value **values, size_t *count)
{
    return expr_list(expr, lowering->slots, values, count, lowering->error) || blame(lowering, expr);
}

bool lowering_place(struct place place, unsigned before, struct job_place *result)
{
    struct error located;
    error_at(&located, ERROR_INPUT, place, "%s", "");
    result->line = located.line;
    result->column = located.column;
    result->length = located.caret_length;
    if (located.line == before)
        return true;
    result->excerpt = strdup(located.excerpt);
    return result->excerpt != NULL;
}

bool lowering_out_of_memory(const struct lowering *lowering)
{
    return error_out_of_memory(lowering->error);
}
