/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/lowering.h"

#include "tuner/space/slots.h"

static bool blame(const struct lowering *lowering, const struct expr *expr)
{
    return slots_blame(lowering->template, lowering->space, expr, lowering->slots, lowering->error);
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

bool lowering_out_of_memory(const struct lowering *lowering)
{
    return error_out_of_memory(lowering->error);
}
