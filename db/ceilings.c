/* SPDX-License-Identifier: Apache-2.0 */
/* What devices can do at best, from the view of that name. */
#include "db/ceilings.h"
#include "db/identity.h"
#include "db/objects.h"

#include "tuner/evaluation/ceilings.h"

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
    if (!query_open(&query, store, SELECT_CEILINGS "?", error)) {
        query_close(&query);
        return false;
    }
    query_bind_integer(&query, device);
    return read_ceilings(&query, ceilings, error);
}

bool store_device_ceilings(struct store *store, const struct device_description *device, struct ceilings *ceilings,
                           struct error *error)
{
    struct query query;
    *ceilings = ceilings_of_data_sheet(device);
    if (!query_open(&query, store, SELECT_CEILINGS DEVICE_ID " AND source = 'measured'", error)) {
        query_close(&query);
        return false;
    }
    bind_device(&query, device);
    return read_ceilings(&query, ceilings, error);
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
    return query_integer(&query, "such device", &id, error) &&
           rows_json(store, CEILINGS_SQL, id, SHAPE_OBJECTS, ceilings, error);
}
