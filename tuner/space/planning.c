/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/planning.h"

#include <stdlib.h>

void *planning_append(struct planning *p, void **items, size_t *count, size_t *capacity, size_t size)
{
    if (*count == *capacity) {
        size_t larger = *capacity ? 2 * *capacity : 32;
        void *moved = realloc(*items, larger * size);
        if (!moved) {
            p->failed = true;
            return NULL;
        }
        *items = moved;
        *capacity = larger;
    }
    return (char *)*items + size * (*count)++;
}

void planning_add_source(struct planning *p, uint32_t slot)
{
    struct plan *plan = p->plan;
    uint32_t *source = planning_append(p, (void **)&plan->sources, &plan->source_count, &plan->source_capacity,
                                       sizeof *plan->sources);
    if (source)
        *source = slot;
}
