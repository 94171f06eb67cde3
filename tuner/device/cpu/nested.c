/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/nested.h"

#include "tuner/device/cpu/launch_limits.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct nested {
    pthread_mutex_t lock;
    struct nested_list ordinary, tail;
    uint32_t limit, waiting;
    const struct device_kernel *parent;
    unsigned depth;
};

struct nested *nested_create(uint32_t limit)
{
    struct nested *nested = calloc(1, sizeof *nested);
    if (!nested)
        return NULL;
    pthread_mutex_init(&nested->lock, NULL);
    nested->limit = limit;
    return nested;
}

void nested_destroy(struct nested *nested)
{
    if (!nested)
        return;
    nested_free_all(&nested->ordinary);
    nested_free_all(&nested->tail);
    pthread_mutex_destroy(&nested->lock);
    free(nested);
}

void nested_begin(struct nested *nested, const struct device_kernel *parent, unsigned depth)
{
    nested->parent = parent;
    nested->depth = depth;
}

/* ---- lists ---- */

static void append(struct nested_list *list, struct nested_launch *launch)
{
    launch->next = NULL;
    if (list->first)
        list->last->next = launch;
    else
        list->first = launch;
    list->last = launch;
}

struct nested_list nested_take(struct nested *nested, bool tail)
{
    struct nested_list *from = tail ? &nested->tail : &nested->ordinary, list = *from;
    *from = (struct nested_list){NULL, NULL};
    return list;
}

struct nested_launch *nested_first(struct nested *nested, struct nested_list *list)
{
    struct nested_launch *first = list->first;
    if (!first)
        return NULL;
    list->first = first->next;
    nested->waiting--;
    return first;
}

void nested_prepend(struct nested_list *list, struct nested_list more)
{
    if (!more.first)
        return;
    more.last->next = list->first;
    if (!list->first)
        list->last = more.last;
    list->first = more.first;
}

void nested_free(struct nested_launch *launch)
{
    free(launch);
}

void nested_free_all(struct nested_list *list)
{
    for (struct nested_launch *launch = list->first; launch;) {
        struct nested_launch *next = launch->next;
        nested_free(launch);
        launch = next;
    }
    *list = (struct nested_list){NULL, NULL};
}

/* ---- launches ---- */

static struct dimensions dimensions_of(struct tune_index size)
{
    return (struct dimensions){size.x, size.y, size.z};
}

static size_t rounded(size_t bytes)
{
    enum { ALIGNMENT = 16 };
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* One block of memory: the launch, pointers to its arguments, their bytes. NULL: out of memory. */
static struct nested_launch *copy_launch(const struct tune_launch *launch)
{
    size_t pointers = rounded(sizeof(struct nested_launch)), values = rounded(launch->count * sizeof(void *));
    size_t bytes = pointers + values;
    for (size_t i = 0; i < launch->count; i++)
        bytes += rounded(launch->bytes[i]);
    char *memory = calloc(1, bytes);
    if (!memory)
        return NULL;
    struct nested_launch *copy = (struct nested_launch *)(void *)memory;
    copy->arguments = (void **)(void *)(memory + pointers);
    char *at = memory + pointers + values;
    for (size_t i = 0; i < launch->count; i++) {
        copy->arguments[i] = memcpy(at, launch->arguments[i], launch->bytes[i]);
        at += rounded(launch->bytes[i]);
    }
    return copy;
}

/* With the lock. */
static bool has_room(const struct nested *nested, const char *kernel, bool tail, struct error *error)
{
    unsigned depth = tail ? nested->depth : nested->depth + 1;
    if (depth > NESTED_DEPTH)
        return error_set(error, ERROR_RESOURCES, "kernel '%s' is launched %u grids deep; the limit is %d", kernel,
                         depth, NESTED_DEPTH);
    if (nested->waiting < nested->limit)
        return true;
    return error_set(error, ERROR_RESOURCES,
                     "kernel '%s' is launched while %" PRIu32 " launches wait, which is the limit "
                     "(<<<grid, block, launches = n>>> sets it)",
                     kernel, nested->waiting);
}

bool nested_add(void *context, const struct tune_launch *launch, struct error *error)
{
    struct nested *nested = context;
    bool tail = launch->stream == TUNE_STREAM_TAIL;
    const struct device_kernel *kernel = loader_launched(nested->parent, launch->kernel);
    const struct launch_shape shape = {.grid = dimensions_of(launch->grid),
                                       .block = dimensions_of(launch->block),
                                       .dynamic_shared = launch->dynamic_shared};
    if (!launch_limits_check(kernel, &shape, error))
        return false;
    struct nested_launch *copy = copy_launch(launch);
    if (!copy)
        return error_out_of_memory(error);
    copy->kernel = kernel;
    copy->parent = nested->parent->name;
    copy->line = launch->line;
    copy->run = launch->run;
    copy->shape = shape;
    pthread_mutex_lock(&nested->lock);
    bool kept = has_room(nested, kernel->name, tail, error);
    if (kept) {
        append(tail ? &nested->tail : &nested->ordinary, copy);
        nested->waiting++;
    }
    pthread_mutex_unlock(&nested->lock);
    if (!kept)
        nested_free(copy);
    return kept;
}
