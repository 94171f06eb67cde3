/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/check_range.h"

#include "tuner/job/formula.h"
#include "tuner/measure/expected.h"

#include <inttypes.h>
#include <string.h>

static bool find(const struct instance *instance, const struct job_check *check, int64_t *first, int64_t *last,
                 struct error *error)
{
    return expr_integer(formula_in(check->late, FORMULA_FIRST)->expr, instance->found, first, error) &&
           expr_integer(formula_in(check->late, FORMULA_LAST)->expr, instance->found, last, error);
}

struct check_range check_range(const struct instance *instance, const struct job_check *check)
{
    int64_t first, last;
    if (!check->late)
        return (struct check_range){job_check_first(check),
                                    job_check_count(check, instance->buffers[check->buffer].extent)};
    if (!find(instance, check, &first, &last, NULL))
        return (struct check_range){0, 0};
    return (struct check_range){(uint64_t)first, (uint64_t)(last - first)};
}

static bool judge(const struct instance *instance, const struct job_case *job_case, const struct job_check *check,
                  struct error *error)
{
    const uint64_t extent = instance->buffers[check->buffer].extent;
    int64_t first, last;
    if (!find(instance, check, &first, &last, error))
        return expected_place(check, error);
    if (first >= 0 && last >= first && (uint64_t)last <= extent)
        return true;
    error_set(error, ERROR_INPUT,
              "%s[%" PRId64 " : %" PRId64 "] is not a range of the buffer, which has %" PRIu64 " elements",
              job_check_name(job_case, check), first, last, extent);
    return expected_place(check, error);
}

bool check_ranges_keep(const struct instance *instance, const struct job_case *job_case, struct error *error)
{
    bool done = true;
    if (instance->value_count > 0)
        memcpy(instance->found, instance->values, instance->value_count * sizeof *instance->values);
    for (size_t i = 0; i < job_case->check_count && done; i++)
        done = !job_case->checks[i].late || judge(instance, job_case, &job_case->checks[i], error);
    return done;
}
