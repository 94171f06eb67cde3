/* SPDX-License-Identifier: Apache-2.0 */
/* tune list strategies: the strategies and the parameters that adjust them. */
#include "tuner/cli/listing.h"

#include "tuner/cli/json_output.h"
#include "tuner/search/strategy.h"

static json_t *parameters_json(const struct strategy_driver *driver)
{
    json_t *list = json_array();
    for (size_t i = 0; i < driver->parameter_count; i++) {
        const struct strategy_parameter *parameter = &driver->parameters[i];
        json_append(&list,
                    json_pack("{s:s, s:f, s:f, s:f, s:s}", "parameter", parameter->name, "preset", parameter->preset,
                              "low", parameter->low, "high", parameter->high, "meaning", parameter->meaning));
    }
    return list;
}

json_t *list_strategies(const struct options *options, struct error *error)
{
    (void)options;
    json_t *rows = json_array();
    for (size_t i = 0; i <= strategy_driver_count; i++) {
        const struct strategy_driver *driver = i < strategy_driver_count ? strategy_drivers[i] : &strategy_exec;
        json_append(&rows, json_pack("{s:s, s:s, s:o}", "strategy", driver->name, "meaning", driver->meaning,
                                     LISTING_DETAILS, parameters_json(driver)));
    }
    if (!rows)
        error_out_of_memory(error);
    return rows;
}
