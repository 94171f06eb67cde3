/* SPDX-License-Identifier: Apache-2.0 */
/* What devices can do at best. */
#include "db/ceilings.h"
#include "db/distrust.h"
#include "db/identity.h"
#include "db/objects.h"

#include "tuner/evaluation/ceilings.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* ---- rates alone: what the view says, by a query that SQLite need not plan for as long as it takes to answer ----
 */

#define DEVICE_ID                                                                                                    \
    "(SELECT id FROM device WHERE kind = ? AND name = ? AND architecture = ? AND sm_count = ? AND memory_gib = ?)"

#define PROBE_FIGURE(with, NAME, name, column, unit, pipe, peak) ", evaluation." #column
#define PROBES_OF(device)                                                                                            \
    "SELECT template.id, evaluation.time_ns" WORK_FIGURES(                                                           \
        PROBE_FIGURE, ) " FROM template "                                                                            \
                        "CROSS JOIN problem ON problem.template = template.id "                                      \
                        "CROSS JOIN evaluation ON evaluation.problem = problem.id "                                  \
                        "WHERE template.name = '" STORE_PROBES "' AND problem.device = " device                      \
                        " AND evaluation.outcome = 'ok' "                                                            \
                        "AND evaluation.time_ns > 0 ORDER BY template.used_at DESC, template.id DESC"

/* Of the probes' versions the latest that measured a figure counts, and of its rows the fastest. */
static void take_probe(struct query *query, int64_t versions[WORK_COUNT], struct ceilings *ceilings)
{
    int64_t version = query_known(query, 0);
    double time_ns = query_real(query, 1, 0);
    for (int i = 0; i < WORK_COUNT; i++) {
        struct ceiling *ceiling = &ceilings->of[i];
        double rate = query_real(query, 2 + i, 0) / time_ns * 1e9;
        bool counts = !ceiling->measured || (version == versions[i] && rate > ceiling->rate);
        if (!(rate > 0) || !isfinite(rate) || !counts)
            continue;
        *ceiling = (struct ceiling){rate, true};
        versions[i] = version;
    }
}

/* They take the place of what is there. */
static bool read_probes(struct query *query, struct ceilings *ceilings, struct error *error)
{
    enum query_step step;
    int64_t versions[WORK_COUNT] = {0};
    while ((step = query_step(query, error)) == QUERY_ROW)
        take_probe(query, versions, ceilings);
    query_close(query);
    return step != QUERY_FAILED;
}

#define SHEET_FIGURE(with, NAME, name, column, unit, pipe, peak) #peak ", "

static bool read_sheet(struct store *store, int64_t device, struct ceilings *ceilings, struct error *error)
{
    struct query query;
    *ceilings = (struct ceilings){0};
    if (!query_open_kept(&query, store, "SELECT " WORK_FIGURES(SHEET_FIGURE, ) "id FROM device WHERE id = ?", error))
        return false;
    query_bind_integer(&query, device);
    enum query_step step = query_step(&query, error);
    for (int i = 0; i < WORK_COUNT && step == QUERY_ROW; i++)
        ceilings->of[i].rate = fmax(query_real(&query, i, 0), 0);
    query_close(&query);
    return step != QUERY_FAILED;
}

bool store_ceilings(struct store *store, int64_t device, struct ceilings *ceilings, struct error *error)
{
    struct query query;
    if (!read_sheet(store, device, ceilings, error) || !query_open_kept(&query, store, PROBES_OF("?"), error))
        return false;
    query_bind_integer(&query, device);
    return read_probes(&query, ceilings, error);
}

bool store_device_ceilings(struct store *store, const struct device_description *device, struct ceilings *ceilings,
                           struct error *error)
{
    struct query query;
    *ceilings = ceilings_of_data_sheet(device);
    if (!query_open_kept(&query, store, PROBES_OF(DEVICE_ID), error))
        return false;
    bind_device(&query, device);
    return read_probes(&query, ceilings, error);
}

/* ---- all that is known of them ---- */

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
