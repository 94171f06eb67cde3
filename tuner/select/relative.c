/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/relative.h"

#include "tuner/evaluation/objective.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool copy_row(const struct store_row *row, const char *place, struct selection *selection)
{
    *selection = (struct selection){
        .time_ns = row->time_ns,
        .configuration = strdup(row->configuration),
        .size = strdup(row->size),
        .device = strdup(row->device_name),
        .origin = strdup(row->origin),
        .measured_at = strdup(row->measured_at),
        .compiler = strdup(row->compiler),
        .place = strdup(place),
    };
    if (selection_is_whole(selection))
        return true;
    selection_clear(selection);
    return false;
}

static bool is_of(const struct selection *row, const char *origin)
{
    return strcmp(row->origin, origin) == 0;
}

/* A template's objective: its value, or the reciprocal if that is to be large. */
static double metric_cost(const struct store_row *row, const char *name)
{
    json_t *values = json_loads(row->metrics, 0, NULL), *definitions = json_loads(row->definitions, 0, NULL);
    const char *sense = json_string_value(json_object_get(json_object_get(definitions, name), "sense"));
    double value = json_number_value(json_object_get(values, name));
    bool maximize = sense && strcmp(sense, "maximize") == 0;
    json_decref(values);
    json_decref(definitions);
    return value > 0 ? (maximize ? 1 / value : value) : HUGE_VAL;
}

static double cost_of(const struct store_row *row, const char *objective)
{
    struct evaluation evaluation;
    const struct objective *built_in = objective_find(objective ? objective : objectives[0].name);
    if (!built_in)
        return metric_cost(row, objective);
    store_row_evaluation(row, &evaluation);
    return built_in->value(&evaluation);
}

bool relative_of_row(const struct store_row *row, struct store *store, bool of_site, const char *objective,
                     struct relative *relative)
{
    *relative = (struct relative){.store = store, .device = row->device};
    if (!copy_row(row, of_site ? store_path(store) : "", &relative->row))
        return false;
    relative->cost = cost_of(row, objective);
    relative->row.layer = of_site ? LAYER_SITE : is_of(&relative->row, "shipped") ? LAYER_SHIPPED : LAYER_DATABASE;
    return true;
}

enum selection_rule relative_rule(const struct selection_request *request, const char *architecture,
                                  const char *device, const char *size)
{
    if (strcmp(architecture, request->device->architecture) != 0)
        return SELECTION_ARCHITECTURE;
    if (strcmp(device, request->device->name) != 0)
        return SELECTION_DEVICE;
    return strcmp(size, request->size) ? SELECTION_SIZE : SELECTION_DATA;
}

bool relative_is_close(const struct selection *row)
{
    return row->rule == SELECTION_SIZE && row->octaves <= RELATIVE_CLOSE;
}

static int compare_numbers(double one, double other)
{
    return (one > other) - (one < other);
}

int relative_compare(const void *a, const void *b)
{
    const struct relative *one = a, *other = b;
    int order = compare_numbers(one->row.octaves, other->row.octaves);
    if (order == 0)
        order = compare_numbers(one->row.rule, other->row.rule);
    if (order == 0 && one->row.rule == SELECTION_EXACT)
        order = compare_numbers(one->cost, other->cost);
    if (order == 0)
        order = compare_numbers(one->row.layer, other->row.layer);
    return order ? order : strcmp(other->row.measured_at, one->row.measured_at);
}

bool relative_fits(const struct selection_request *request, const struct selection *row, bool *fits,
                   struct error *error)
{
    *fits = row->rule == SELECTION_EXACT && row->layer == LAYER_DATABASE && is_of(row, "measured");
    return *fits || request->fits(row->configuration, fits, request->context, error);
}
