/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/size_list.h"

#include <stdlib.h>
#include <string.h>

enum { MULTIPLE = 32 };

static bool is_known(const struct size_list *sizes, const struct size_setting *row)
{
    for (size_t i = 0; i < sizes->count; i++) {
        const struct size_setting *other = &sizes->values[i * sizes->dimensions];
        size_t equal = 0;
        while (equal < sizes->dimensions && other[equal].value == row[equal].value)
            equal++;
        if (equal == sizes->dimensions)
            return true;
    }
    return false;
}

/* Keep the row behind the last one, unless it is there already. */
static void keep(struct size_list *sizes, const struct size_setting *row)
{
    if (is_known(sizes, row))
        return;
    memcpy(&sizes->values[sizes->count * sizes->dimensions], row, sizes->dimensions * sizeof *row);
    sizes->count++;
}

/* The largest power of two that divides it. */
static int64_t unit(int64_t size)
{
    return size & -size;
}

static int64_t rounded_up(int64_t size)
{
    return size <= INT64_MAX - MULTIPLE ? (size + MULTIPLE - 1) / MULTIPLE * MULTIPLE : size;
}

/* Row 0 is the awkward size itself. `row` is scratch. Dimensions without an awkward size keep their value. */
static void make_sizes(struct size_list *sizes, const struct size_setting *tuned, const struct size_setting *awkward,
                       struct size_setting *row)
{
    size_t bytes = sizes->dimensions * sizeof *row;
    keep(sizes, awkward);
    for (size_t i = 0; i < sizes->dimensions; i++) {
        if (awkward[i].value == tuned[i].value)
            continue;
        memcpy(row, awkward, bytes);
        row[i].value = unit(awkward[i].value);
        keep(sizes, row);
        row[i].value = rounded_up(awkward[i].value);
        keep(sizes, row);
    }
    memcpy(row, awkward, bytes);
    for (size_t i = 0; i < sizes->dimensions; i++) {
        if (awkward[i].value != tuned[i].value)
            row[i].value = unit(awkward[i].value);
    }
    keep(sizes, row);
}

/* It was there to be equal to. */
static void drop_first(struct size_list *sizes)
{
    sizes->count--;
    memmove(sizes->values, sizes->values + sizes->dimensions,
            sizes->count * sizes->dimensions * sizeof *sizes->values);
}

bool size_list_create(const struct template *template, const struct device_description *device,
                      const struct inputs *inputs, struct size_list *sizes, struct error *error)
{
    const struct given_sizes given = {.inputs = inputs};
    size_t dimensions = template->size_count, most = 2 * dimensions + 2;
    struct size_setting *pair = calloc(3 * dimensions + 1, sizeof *pair);
    *sizes =
        (struct size_list){.dimensions = dimensions, .values = calloc(most * dimensions + 1, sizeof *sizes->values)};
    bool done = (pair && sizes->values) || error_out_of_memory(error);
    struct size_setting *const both[SIZES_COUNT] = {
        [SIZES_TUNED] = pair, [SIZES_AWKWARD] = pair ? pair + dimensions : NULL};
    done = done && sizes_evaluate(template, device, &given, both, error);
    for (size_t i = 0; i < SIZES_COUNT && done; i++)
        sizes->dimensions = sizes_settable(template, both[i], both[i]); /* the others follow */
    if (done)
        make_sizes(sizes, both[SIZES_TUNED], both[SIZES_AWKWARD], pair + 2 * dimensions);
    if (done)
        drop_first(sizes);
    free(pair);
    return done;
}

void size_list_clear(struct size_list *sizes)
{
    free(sizes->values);
    *sizes = (struct size_list){0};
}
