/* SPDX-License-Identifier: Apache-2.0 */
/* What devices can do at best, from the view of that name. */
#include "db/ceilings.h"
#include "db/distrust.h"
#include "db/identity.h"
#include "db/objects.h"

#include "tuner/evaluation/ceilings.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void take(struct query *query, struct ceilings *ceilings)
{
    const char *figure = query_text(query, 0);
    double rate = query_real(query, 1, 0);
    for (size_t i = 0; i < WORK_COUNT && rate > 0; i++) {
        if (strcmp(figure, work_kinds[i].column) == 0)
            ceilings->of[i] = (struct ceiling){rate, query_known(query, 2) == 1};
    }
}

static bool open_view(struct query *query, struct store *store, const char *select, struct error *error)
{
    char *sql = distrust_view("ceilings", select);
    bool done = sql ? query_open_kept(query, store, sql, error) : error_out_of_memory(error);
    free(sql);
    return done;
}

static bool read_ceilings(struct query *query, struct ceilings *ceilings, struct error *error)
{
    enum query_step step;
    while ((step = query_step(query, error)) == QUERY_ROW)
        take(query, ceilings);
    query_close(query);
    return step != QUERY_FAILED;
}

#define SELECT_CEILINGS "SELECT figure, rate, source = 'measured' FROM ceilings WHERE device_id = "
#define DEVICE_ID                                                                                                    \
    "(SELECT id FROM device WHERE kind = ? AND name = ? AND architecture = ? AND sm_count = ? AND memory_gib = ?)"

bool store_ceilings(struct store *store, int64_t device, struct ceilings *ceilings, struct error *error)
{
    struct query query;
    *ceilings = (struct ceilings){0};
    if (!open_view(&query, store, SELECT_CEILINGS "?", error))
        return false;
    query_bind_integer(&query, device);
    return read_ceilings(&query, ceilings, error);
}

bool store_device_ceilings(struct store *store, const struct device_description *device, struct ceilings *ceilings,
                           struct error *error)
{
    struct query query;
    *ceilings = ceilings_of_data_sheet(device);
    if (!open_view(&query, store, SELECT_CEILINGS DEVICE_ID " AND source = 'measured'", error))
        return false;
    bind_device(&query, device);
    return read_ceilings(&query, ceilings, error);
}

bool ceilings_json(struct store *store, int64_t device, json_t **array, struct error *error)
{
    char *sql =
        distrust_view("ceilings", "SELECT figure, limit_name AS \"limit\", rate, unit, source, data_sheet_rate, "
                                  "probe AS configuration, origin, measured_at, driver, compiler "
                                  "FROM ceilings WHERE device_id = ?");
    *array = NULL;
    bool done = sql ? rows_json(store, sql, device, SHAPE_OBJECTS, array, error) : error_out_of_memory(error);
    free(sql);
    return done;
}

bool store_ceilings_json(struct store *store, const struct device_description *device, struct json_t **ceilings,
                         struct error *error)
{
    struct query query;
    int64_t id;
    *ceilings = NULL;
    if (!query_open(&query, store, "SELECT id FROM device WHERE id = " DEVICE_ID, error)) {
        query_close(&query);
        return false;
    }
    bind_device(&query, device);
    return query_integer(&query, "such device", &id, error) && ceilings_json(store, id, ceilings, error);
}
