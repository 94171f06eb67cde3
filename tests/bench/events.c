/* SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include <stdlib.h>

void events_push(struct events *events, struct event event)
{
    if (events->count == events->room) {
        events->room = events->room ? 2 * events->room : 4096;
        events->list = realloc(events->list, events->room * sizeof event);
        if (!events->list)
            abort();
    }
    struct event *heap = events->list;
    size_t at = events->count++;
    for (; at > 0 && heap[(at - 1) / 2].time > event.time; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = event;
}

struct event events_pop(struct events *events)
{
    struct event *heap = events->list, first = heap[0], last = heap[--events->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < events->count; at = child) {
        if (child + 1 < events->count && heap[child + 1].time < heap[child].time)
            child++;
        if (heap[child].time >= last.time)
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

double recorded_seconds(const struct recording *recording, uint64_t number, enum stage stage)
{
    const struct recorded_result *result = &recording->results[(number * 2654435761u >> 7) % recording->count];
    return stage == COMPILING ? result->compile_seconds : result->validate_seconds + result->measure_seconds;
}

double argument(int count, char **arguments, int which, double otherwise)
{
    return which < count ? atof(arguments[which]) : otherwise;
}
