/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/row_cost.h"

#include <jansson.h>
#include <math.h>

double row_cost(const struct objective *objective, const struct store_row *row)
{
    struct evaluation evaluation;
    store_row_evaluation(row, &evaluation);
    if (!objective->is_metric)
        return objective->value(&evaluation);
    json_t *metrics = json_loads(row->metrics, 0, NULL);
    double value = json_number_value(json_object_get(metrics, objective->name));
    json_decref(metrics);
    return value > 0 ? (objective->maximize ? 1 / value : value) : HUGE_VAL;
}
