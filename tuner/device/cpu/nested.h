/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nested.h - launches that running kernels make: checked, copied with their arguments, and kept until their turn.
 *
 * The order is one of those that CUDA allows: a grid's launches begin once all its blocks have ended, one after
 * another in the order in which they were made, whatever their streams; each is complete with all that it launches
 * itself. Tail launches follow when the others are complete. No stream or event can ask for more.
 */
#ifndef TUNE_DEVICE_CPU_NESTED_H
#define TUNE_DEVICE_CPU_NESTED_H

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/device.h"

/*
 * NESTED_DEPTH: how deep grids may be nested below the host's launch (CUDA's limit). How many launches may wait is
 * CUDA's cudaLimitDevRuntimePendingLaunchCount.
 */
enum { NESTED_DEPTH = 24 };

struct nested; /* of one launch by the host */

struct nested_launch {
    struct nested_launch *next;
    const struct device_kernel *kernel;
    const char *parent; /* the kernel that launches */
    int line;           /* of its source */
    void (*run)(void **arguments);
    struct launch_shape shape;
    void **arguments; /* copies */
};

struct nested_list {
    struct nested_launch *first, *last;
};

/* At most `limit` launches wait at a time. NULL: out of memory. */
struct nested *nested_create(uint32_t limit);
void nested_destroy(struct nested *nested);

/* From now on launches are made by this kernel, `depth` grids below the host's launch. */
void nested_begin(struct nested *nested, const struct device_kernel *parent, unsigned depth);

/*
 * Keep a launch: the service of block.h, `context` being a struct nested. Any worker may call it at any time.
 * ERROR_RESOURCES: the grid or its blocks are too large, it is nested too deep, or too many launches wait.
 */
bool nested_add(void *context, const struct tune_launch *launch, struct error *error);

/* What has been launched since nested_begin, apart from tail launches; and those. The caller owns the launches. */
struct nested_list nested_take(struct nested *nested, bool tail);

/* The first of a list, which no longer waits; NULL: none is left. */
struct nested_launch *nested_first(struct nested *nested, struct nested_list *list);
/* Put `more` ahead of `list`. */
void nested_prepend(struct nested_list *list, struct nested_list more);
void nested_free(struct nested_launch *launch);
void nested_free_all(struct nested_list *list);

#endif
