/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.h - launches whose blocks wait for each other: cooperative grids, and clusters.
 *
 * What the driver refuses with a bare code, or a GPU would hang on, is found before the launch and said in words. A
 * launch waits for what its stream holds, the blocking kernel included, so it always finds the whole GPU free of what
 * precedes it.
 */
#ifndef TUNE_DEVICE_CUDA_GROUPS_H
#define TUNE_DEVICE_CUDA_GROUPS_H

#include "tuner/device/cuda/module.h"

/* Read the cluster that __cluster_dims__ asks for; zeros: none, or the driver knows no clusters. */
void groups_read(struct device_kernel *kernel);

/* Does the launch have attributes? A kernel's own clusters need none. */
bool groups_has_attributes(const struct launch_shape *shape);

/*
 * May the launch take place? ERROR_RESOURCES: the GPU or its driver has no clusters, the cluster is too large or does
 * not divide the grid, or the grid does not fit at once. `blocks_per_sm` is the kernel's occupancy.
 */
bool groups_check(struct device_kernel *kernel, const struct launch_shape *shape, int blocks_per_sm,
                  struct error *error);

/* Queue a launch with attributes. ERROR_RESOURCES as above, as far as the driver says so. */
bool groups_launch(struct device_kernel *kernel, cuda_stream stream, const struct launch_shape *shape,
                   void *const *arguments, struct error *error);

#endif
