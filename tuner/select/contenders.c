/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/contenders.h"

#include "tuner/json/json_text.h"
#include "tuner/select/nearness.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_MOST = 8 };            /* of a problem: beyond these, others are likelier */
static const double octave = 0.05; /* what an octave is expected to cost */

/* ---- reading */

struct reading {
    struct contenders *contenders;
    const struct selection_request *request;
    struct size_point *asked;
    bool failed; /* memory ran out */
};

static struct contender *find(const struct contenders *contenders, const char *configuration)
{
    for (size_t i = 0; i < contenders->count; i++) {
        if (strcmp(contenders->list[i].configuration, configuration) == 0)
            return &contenders->list[i];
    }
    return NULL;
}

/* Of one that is known from several problems the least loss counts. */
static bool add(struct contenders *contenders, const char *configuration, double loss)
{
    struct contender *known = find(contenders, configuration);
    if (known) {
        known->loss = loss < known->loss ? loss : known->loss;
        return true;
    }
    struct contender *longer = realloc(contenders->list, (contenders->count + 1) * sizeof *longer);
    if (!longer)
        return false;
    contenders->list = longer;
    longer[contenders->count] = (struct contender){strdup(configuration), loss};
    return longer[contenders->count].configuration && ++contenders->count;
}

static bool take_row(const struct store_contender *row, void *context)
{
    struct reading *reading = context;
    struct size_point *point = size_point_parse(row->size);
    reading->failed = !point;
    if (point && row->fastest_ns > 0) {
        double slower = row->time_ns / row->fastest_ns - 1;
        double away = nearness_of_points(point, reading->asked);
        reading->failed = !add(reading->contenders, row->configuration, slower + octave * away);
    }
    free(point);
    return !reading->failed;
}

static bool take_tried(const struct store_online_row *row, void *context)
{
    struct reading *reading = context;
    const struct selection_request *request = reading->request;
    if (reading->contenders->tried || strcmp(row->size, request->size) != 0 ||
        strcmp(row->inputs, request->inputs) != 0)
        return true;
    reading->contenders->tried = strdup(row->online.tried);
    reading->failed = !reading->contenders->tried;
    return !reading->failed;
}

bool contenders_add(struct contenders *contenders, struct store *store, const struct selection_request *request,
                    struct error *error)
{
    struct reading reading = {contenders, request, size_point_parse(request->size), false};
    const struct store_filter filter = {.template_name = request->template_name,
                                        .template_hash = request->template_hash,
                                        .device_kind = request->device->kind,
                                        .device_name = request->device->name};
    bool done = (reading.asked || error_out_of_memory(error)) &&
                store_contenders(store, &filter, EACH_MOST, take_row, &reading, error) &&
                (reading.failed || store_onlines(store, &filter, take_tried, &reading, error));
    free(reading.asked);
    return done && (!reading.failed || error_out_of_memory(error));
}

/* ---- choosing */

static int compare(const void *a, const void *b)
{
    const struct contender *one = a, *other = b;
    const int order = (one->loss > other->loss) - (one->loss < other->loss);
    return order ? order : strcmp(one->configuration, other->configuration);
}

/* The list as texts; what is no such list names nothing. */
static bool was_tried(const json_t *tried, const char *configuration)
{
    bool found = false;
    for (size_t i = 0; i < json_array_size(tried) && !found; i++) {
        const char *one = json_string_value(json_array_get(tried, i));
        found = one && strcmp(one, configuration) == 0;
    }
    return found;
}

static bool is_wanted(const struct selection_request *request, const json_t *tried, const char *incumbent,
                      const char *configuration, bool *wanted, struct error *error)
{
    *wanted = strcmp(configuration, incumbent) != 0 && !was_tried(tried, configuration);
    return !*wanted || request->fits(configuration, wanted, request->context, error);
}

bool contenders_choose(struct contenders *contenders, const struct selection_request *request, const char *incumbent,
                       size_t most, struct error *error)
{
    json_t *tried = NULL;
    struct error damage = {0};
    size_t kept = 0;
    if (contenders->tried && !json_try(contenders->tried, 0, &tried, &damage) && damage.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    if (contenders->count > 0)
        qsort(contenders->list, contenders->count, sizeof *contenders->list, compare);
    bool done = true, wanted = false;
    for (size_t i = 0; i < contenders->count; i++) {
        struct contender one = contenders->list[i];
        done = done && (kept == most || is_wanted(request, tried, incumbent, one.configuration, &wanted, error));
        if (done && kept < most && wanted)
            contenders->list[kept++] = one;
        else
            free(one.configuration);
    }
    contenders->count = kept;
    json_decref(tried);
    return done;
}

void contenders_clear(struct contenders *contenders)
{
    for (size_t i = 0; i < contenders->count; i++)
        free(contenders->list[i].configuration);
    free(contenders->list);
    free(contenders->tried);
    *contenders = (struct contenders){0};
}
