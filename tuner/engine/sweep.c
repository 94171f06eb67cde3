/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep.h"

#include "tuner/engine/open_sweep.h"

bool sweep_run(const struct problem *problem, struct store *store, const struct sweep_options *options,
               sweep_observer *observe, void *context, struct sweep_summary *summary, struct error *error)
{
    const struct sweep_request request = {problem, store, options, observe, context};
    struct sweep *sweep;
    bool quiet, done = sweep_open(&request, summary, &sweep, error);
    while (done && !options->finalists && !sweep_is_over(sweep))
        done = sweeps_go_on(sweep_crew(sweep), CREW_STEP_MILLISECONDS, &quiet, error);
    return sweep_close(sweep, done, error);
}
