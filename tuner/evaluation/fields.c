/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/fields.h"

#include "tuner/evaluation/evaluation.h"

#include <math.h>

#define IS_INTEGER(type)                _Generic((type)0, int64_t : true, double : false)
#define OWN(type, name, document, rule) {#name, #document, offsetof(struct evaluation, name), IS_INTEGER(type), rule},
/* NOLINTBEGIN(bugprone-macro-parentheses): a member cannot stand in them */
#define PART(part, type, name, document, rule)                                                                       \
    {#name, #document, offsetof(struct evaluation, part.name), IS_INTEGER(type), rule},
/* NOLINTEND(bugprone-macro-parentheses) */

const struct evaluation_number evaluation_numbers[] = {EVALUATION_NUMBERS(OWN, PART)};
const size_t evaluation_number_count = sizeof evaluation_numbers / sizeof *evaluation_numbers;

bool evaluation_real_known(const struct evaluation_number *number, double value)
{
    return number->rule == POSITIVE_OR_ZERO ? value > 0 && isfinite(value) : value >= 0;
}

double evaluation_unknown(const struct evaluation_number *number)
{
    return number->rule == NUMBER_OR_MINUS_ONE ? -1 : 0;
}
