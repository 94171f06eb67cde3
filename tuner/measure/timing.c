#include "tuner/measure/timing.h"

#include "tuner/measure/steps.h"

#include <stdlib.h>

static bool sample(struct bench *bench, const struct program *program, const struct job_steps *launch,
                   const struct instance *instance, double *nanoseconds, struct error *error)
{
    const struct device_driver *driver = bench->driver;
    if (!instance_restore(bench, instance, error) || !driver->flush_cache(bench->device, error) ||
        !driver->start(bench->device, error) || !steps_run(bench, program, launch, instance, error) ||
        !driver->stop(bench->device, nanoseconds, error))
        return false;
    if (!(*nanoseconds > 0))
        return error_set(error, ERROR_WORK, "the device's timer says that the launches took %g ns", *nanoseconds);
    return true;
}

bool timing_run(struct bench *bench, const struct program *program, const struct job_steps *launch,
                const struct instance *instance, const struct sampling_rule *rule,
                const struct evaluation_effort *effort, struct evaluation *evaluation, struct error *error)
{
    evaluation->samples_ns = calloc(rule->most, sizeof *evaluation->samples_ns);
    evaluation->sample_count = 0;
    if (!evaluation->samples_ns)
        return error_set(error, ERROR_MEMORY, "out of memory for %zu samples", rule->most);
    while (!sampling_enough(rule, evaluation->samples_ns, evaluation->sample_count, effort->incumbent_ns)) {
        if (!sample(bench, program, launch, instance, &evaluation->samples_ns[evaluation->sample_count], error))
            return false;
        evaluation->sample_count++;
    }
    bench->driver->state(bench->device, &evaluation->state);
    struct median median = median_of(evaluation->samples_ns, evaluation->sample_count);
    evaluation->time_ns = median.value;
    evaluation->time_low_ns = median.low;
    evaluation->time_high_ns = median.high;
    return true;
}
