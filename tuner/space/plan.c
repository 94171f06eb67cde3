/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/plan.h"

#include <stdlib.h>

void plan_clear(struct plan *plan)
{
    free(plan->levels);
    free(plan->tabulated);
    free(plan->steps);
    free(plan->keys);
    free(plan->sources);
    *plan = (struct plan){0};
}
