/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/row_filter.h"

#include <string.h>

bool row_filter_is_name(const char *device)
{
    return device && !device_driver_find(device) && !strchr(device, ':') && !strstr(device, ".json");
}

bool row_filter_device(const struct options *options, bool one, struct subject *subject, struct store_filter *filter,
                       struct error *error)
{
    const char *device = options->device;
    if (!device && !one)
        return true;
    if (device && device_driver_find(device)) {
        filter->device_kind = device;
        return true;
    }
    if (row_filter_is_name(device)) {
        filter->device_name = device;
        return true;
    }
    if (!device_choose(device, options->quiet, &subject->device, error))
        return false;
    filter->device_name = subject->device.description.name;
    return true;
}

bool row_filter_size(const struct options *options, bool one, struct subject *subject, struct store_filter *filter,
                     struct error *error)
{
    const char *names;
    if (!options->size_count && !one && !options->input_count)
        return true;
    if (!subject->device.description.kind[0] && !device_choose(filter->device_kind, true, &subject->device, error))
        return false;
    if (!subject_problem(subject, options, error))
        return false;
    filter->size = problem_size_text(subject->problem);
    return (!one && !options->input_count) || inputs_identify(subject->inputs, &filter->inputs, &names, error);
}

bool row_filter_rungs(const struct options *options, const struct subject *subject, struct ladder *ladder,
                      struct store_filter *filter, struct error *error)
{
    if (!options->ladder)
        return true;
    if (!ladder_choose(subject->template, options->ladder, ladder, error))
        return false;
    filter->rungs = ladder->names;
    filter->rung_count = ladder->count;
    return true;
}
