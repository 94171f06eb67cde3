/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/validation_launch.h"

enum { THREADS = 256 }; /* of a block */

bool validation_launch(struct validation_kernels *validation, enum validation_kernel kernel, uint64_t count,
                       union validation_slot *arguments, size_t argument_count, struct error *error)
{
    enum { MOST_ARGUMENTS = 16 };
    void *pointers[MOST_ARGUMENTS];
    for (size_t i = 0; i < argument_count; i++)
        pointers[i] = &arguments[i];
    if (count == 0)
        return true;
    uint64_t blocks = (count - 1) / VALIDATION_TILE + 1;
    if (blocks > INT32_MAX)
        return error_set(error, ERROR_DOES_NOT_FIT, "a buffer of %llu elements is too large to be validated",
                         (unsigned long long)count);
    const struct launch_shape shape = {.grid = {(uint32_t)blocks, 1, 1}, .block = {THREADS, 1, 1}};
    return validation->driver->launch(validation->device, validation->kernels[kernel], &shape, pointers,
                                      argument_count, error);
}
