/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/unwritten.h"

#include "tuner/measure/expected.h"
#include "tuner/measure/report.h"

/* Does every number fail the check if it is poison of one kind or the other? All numbers of a type have the same. */
static bool tells_poison(struct validation_kernels *validation, const struct instance *instance,
                         const struct job_check *check, bool *tells, struct error *error)
{
    const struct instance_buffer *buffer = &instance->buffers[check->buffer];
    const struct expected_values values = instance_expected(instance, check);
    const struct filling poisons[] = {filling_poison(), filling_other_poison()};
    *tells = values.numbers == 0;
    for (size_t i = 0; i < sizeof poisons / sizeof *poisons && !*tells; i++) {
        struct report report;
        if (!validation_fill(validation, buffer->memory.address, instance_array(buffer), &poisons[i], error) ||
            !validation_reset_reports(validation, 1, error) ||
            !validation_compare(validation, values.actual, 0, 0, values.array, check, 0, error) ||
            !validation_read_reports(validation, &report, 1, error))
            return false;
        *tells = report.wrong == values.numbers;
    }
    return true;
}

bool unwritten_check(struct validation_kernels *validation, const struct job_case *job_case,
                     const struct instance *instance, struct error *error)
{
    for (size_t i = 0; i < job_case->check_count; i++) {
        const struct job_check *check = &job_case->checks[i];
        bool tells;
        if (!check->below || !instance_has_poison(&instance->buffers[check->buffer]))
            continue;
        if (!tells_poison(validation, instance, check, &tells, error))
            return false;
        if (tells)
            continue;
        error_set(error, ERROR_INPUT, "elements of %s that nothing has written would be below %g as well",
                  job_check_name(job_case, check), check->absolute);
        error_hint(error, "declare it with a wider type, whose poison is larger, or as inout with initial values");
        return expected_place(check, error);
    }
    return true;
}
