/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/guarded.h"

#include "tuner/measure/validation_launch.h"

static bool fill_guards(struct validation_kernels *validation, const struct guarded *memory, struct error *error)
{
    return LAUNCH(KERNEL_FILL_GUARDS, guarded_bytes(0), slot_bits(memory->allocation), slot_bits(BUFFER_GUARD_BYTES),
                  slot_bits(memory->bytes), slot_integer(memory->blank));
}

bool validation_blank_guards(struct validation_kernels *validation, struct guarded *memory, bool blank,
                             struct error *error)
{
    if (memory->blank == blank)
        return true;
    memory->blank = blank;
    return fill_guards(validation, memory, error);
}

static bool allocate_in(struct validation_kernels *validation, bool host, uint64_t bytes, struct guarded *memory,
                        struct error *error)
{
    const struct device_driver *driver = validation->driver;
    bool own = !host || !driver->host_allocate;
    *memory = (struct guarded){.bytes = bytes, .capacity = bytes, .host = host};
    if (bytes > SIZE_MAX - guarded_bytes(0))
        return error_set(error, ERROR_DOES_NOT_FIT, "a buffer of %llu bytes does not fit in memory",
                         (unsigned long long)bytes);
    if (!(own ? driver->allocate : driver->host_allocate)(validation->device, (size_t)guarded_bytes(bytes),
                                                          &memory->allocation, error)) {
        memory->allocation = 0;
        return false;
    }
    memory->address = memory->allocation + BUFFER_GUARD_BYTES;
    return fill_guards(validation, memory, error);
}

bool validation_allocate_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                                 struct error *error)
{
    return allocate_in(validation, false, bytes, memory, error);
}

void validation_place_guarded(struct validation_kernels *validation, bool host, struct guarded *memory)
{
    if (memory->host != host)
        validation_release_guarded(validation, memory);
    memory->host = host;
}

bool validation_resize_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                               struct error *error)
{
    if (memory->allocation && bytes <= memory->capacity) {
        memory->bytes = bytes;
        return fill_guards(validation, memory, error);
    }
    bool host = memory->host;
    validation_release_guarded(validation, memory);
    return allocate_in(validation, host, bytes, memory, error);
}

void validation_release_guarded(struct validation_kernels *validation, struct guarded *memory)
{
    const struct device_driver *driver = validation->driver;
    bool own = !memory->host || !driver->host_release;
    if (memory->allocation)
        (own ? driver->release : driver->host_release)(validation->device, memory->allocation);
    *memory = (struct guarded){0};
}

bool validation_check_guards(struct validation_kernels *validation, const struct guarded *memory, size_t report,
                             struct error *error)
{
    return LAUNCH(KERNEL_CHECK_GUARDS, guarded_bytes(0), slot_bits(memory->allocation), slot_bits(BUFFER_GUARD_BYTES),
                  slot_bits(memory->bytes), slot_integer(memory->blank), slot_report(validation, report));
}
