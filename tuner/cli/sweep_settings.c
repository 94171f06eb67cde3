/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/sweep_settings.h"

#include "tuner/search/choice.h"

bool sweep_settings(const struct options *options, const struct subject *subject, double **parameters,
                    struct sweep_options *settings, struct error *error)
{
    const struct strategy_driver *strategy;
    if (!strategy_choose(options->strategy, &strategy, parameters, error))
        return false;
    bool several = subject->aims.count > 1;
    if (several && strategy == &strategy_exec) {
        error_set(error, ERROR_INPUT, "--strategy exec: a program is told one value of each configuration");
        return error_hint(error, "give one --objective, or another strategy");
    }
    *settings = (struct sweep_options){
        .strategy = strategy,
        .strategy_parameters = *parameters,
        .strategy_program = strategy_program(options->strategy),
        .strategy_text = options->strategy,
        .seed = options->seed,
        .budget_text = options->budget,
        .budget_evaluations = options->budget_evaluations,
        .budget_seconds = options->budget_seconds,
        .patience = options->patience,
        .until = options->until,
        .fresh = options->fresh,
        .finals = true,
        .observe_idle = true,
        .objective = &subject->objective,
        .aims = several ? &subject->aims : NULL,
        .crew = subject_crew(subject, options),
        .away = subject->device.away,
    };
    return true;
}
