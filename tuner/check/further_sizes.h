/* SPDX-License-Identifier: Apache-2.0 */
/*
 * further_sizes.h - are configurations right at more than the two sizes that a sweep validates?
 *
 * A sweep cannot afford more, and a mistake can need a combination: a vector path taken if one dimension is a
 * multiple of four and another is not, a band of tiles that only a thin matrix leaves empty. So the checked
 * configurations are validated at those of size_list.h as well. A size that the template or the space refuses is left
 * out.
 */
#ifndef TUNE_CHECK_FURTHER_SIZES_H
#define TUNE_CHECK_FURTHER_SIZES_H

#include "tuner/check/check.h"

/* Validate the plan's configurations on the problem's device, and add to the report what is wrong. For a device of
 * several, `ordinal` says which. */
bool further_sizes_run(const struct problem *problem, int ordinal, const struct check_plan *plan,
                       struct check_report *report, struct error *error);

#endif
