/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/front.h"

#include "tuner/cli/json_output.h"
#include "tuner/cli/row_cost.h"
#include "tuner/json/json_text.h"
#include "tuner/space/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double beyond_worst = 1.1;

struct point {
    int64_t evaluation;
    bool beaten;
    double costs[FRONT_OBJECTIVES];
};

struct group {
    json_t *document;
    size_t first, count; /* of the points */
    size_t *members;     /* of the front: numbers of points, in order */
    size_t member_count;
};

/* The first visit finds the fronts, the second makes the documents of their rows. */
struct gathering {
    const struct aims *aims;
    const struct limits *limits;
    struct point *points;
    size_t count, capacity;
    struct group *groups;
    size_t group_count, group_capacity;
    int64_t *wanted; /* evaluations on fronts, in order of number */
    json_t **rows;   /* theirs */
    size_t wanted_count;
    bool failed; /* memory ran out */
};

static bool grow(void **array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t larger = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*array, larger * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = larger;
    return true;
}

/* ---- the first visit ---- */

static bool is_of(const struct group *group, const struct store_row *row)
{
    return strcmp(json_string_at(group->document, "template"), row->template_name) == 0 &&
           strcmp(json_string_at(group->document, "template_hash"), row->template_hash) == 0 &&
           json_integer_value(json_object_get(group->document, "device_id")) == row->device &&
           strcmp(json_string_at(group->document, "size"), row->size) == 0 &&
           strcmp(json_string_at(group->document, "inputs"), row->inputs) == 0;
}

static json_t *heading_of(const struct store_row *row)
{
    json_t *heading =
        json_pack("{s:o, s:o, s:o, s:o, s:I, s:o}", "template", json_string_of_bytes(row->template_name),
                  "template_hash", json_string_of_bytes(row->template_hash), "device",
                  json_string_of_bytes(row->device_name), "device_kind", json_string_of_bytes(row->device_kind),
                  "device_id", (json_int_t)row->device, "size", json_string_of_bytes(row->size));
    if (row->inputs[0]) {
        json_put(&heading, "inputs", json_string_of_bytes(row->inputs));
        json_put(&heading, "data", json_string_of_bytes(row->input_files));
    }
    return heading;
}

static bool turn_to(struct gathering *gathering, const struct store_row *row)
{
    if (gathering->group_count > 0 && is_of(&gathering->groups[gathering->group_count - 1], row))
        return true;
    if (!grow((void **)&gathering->groups, gathering->group_count, &gathering->group_capacity,
              sizeof *gathering->groups))
        return false;
    struct group *group = &gathering->groups[gathering->group_count++];
    *group = (struct group){.document = heading_of(row), .first = gathering->count};
    return group->document != NULL;
}

static bool find_costs(const struct gathering *gathering, const struct store_row *row, double *costs)
{
    struct evaluation evaluation;
    store_row_evaluation(row, &evaluation);
    bool all = !gathering->limits || limits_hold(gathering->limits, &evaluation, NULL);
    for (size_t k = 0; all && k < gathering->aims->count; k++) {
        costs[k] = row_cost(&gathering->aims->of[k], row);
        all = costs[k] > 0 && isfinite(costs[k]);
    }
    return all;
}

static bool add_point(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    struct point point = {row->id, row->verdict >= VERDICT_TIED, {0}};
    if (!find_costs(gathering, row, point.costs))
        return true;
    gathering->failed = !turn_to(gathering, row) || !grow((void **)&gathering->points, gathering->count,
                                                          &gathering->capacity, sizeof *gathering->points);
    if (gathering->failed)
        return false;
    gathering->points[gathering->count++] = point;
    gathering->groups[gathering->group_count - 1].count++;
    return true;
}

/* ---- the front of a group ---- */

static json_t *names_of(const struct aims *aims)
{
    json_t *names = json_array();
    for (size_t k = 0; k < aims->count; k++)
        json_append(&names, json_string(aims->of[k].name));
    return names;
}

static json_t *values_of(const struct aims *aims, const double *costs)
{
    json_t *values = json_object();
    for (size_t k = 0; k < aims->count; k++)
        json_put(&values, aims->of[k].name, json_finite(objective_value_of(&aims->of[k], costs[k])));
    return values;
}

/* The members, and the share of the box that they dominate. */
static void find_members(const struct gathering *gathering, struct group *group, double *costs, size_t *scratch)
{
    size_t objectives = gathering->aims->count, open = 0;
    const struct point *points = &gathering->points[group->first];
    double worst[FRONT_OBJECTIVES] = {0}, unit[FRONT_OBJECTIVES] = {1, 1, 1};
    for (size_t i = 0; i < group->count; i++) {
        for (size_t k = 0; k < objectives; k++)
            worst[k] = fmax(worst[k], beyond_worst * points[i].costs[k]);
        if (!points[i].beaten)
            scratch[open++] = i;
    }
    for (size_t i = 0; i < open * objectives; i++)
        costs[i] = points[scratch[i / objectives]].costs[i % objectives] / worst[i % objectives];
    group->member_count = front_find(costs, open, objectives, group->members);
    double volume = 0;
    if (group->member_count > 0) { /* only members: exact all the same, and quick */
        double *own = costs + open * objectives;
        for (size_t i = 0; i < group->member_count * objectives; i++)
            own[i] = costs[group->members[i / objectives] * objectives + i % objectives];
        volume = front_hypervolume(own, group->member_count, objectives, unit, scratch + open);
    }
    for (size_t i = 0; i < group->member_count; i++)
        group->members[i] = group->first + scratch[group->members[i]];
    json_put(&group->document, "objectives", names_of(gathering->aims));
    json_put(&group->document, "valid", json_integer((json_int_t)group->count));
    json_put(&group->document, "reference", values_of(gathering->aims, worst));
    json_put(&group->document, "hypervolume", json_finite(volume));
}

static bool find_front(const struct gathering *gathering, struct group *group)
{
    size_t room = group->count;
    double *costs = calloc(2 * room * gathering->aims->count + 1, sizeof *costs);
    size_t *scratch = calloc(3 * room + 1, sizeof *scratch);
    group->members = calloc(room + 1, sizeof *group->members);
    bool done = costs && scratch && group->members;
    if (done)
        find_members(gathering, group, costs, scratch);
    free(costs);
    free(scratch);
    return done && group->document;
}

/* ---- the second visit ---- */

static int compare(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static bool list_wanted(struct gathering *gathering)
{
    size_t count = 0;
    for (size_t i = 0; i < gathering->group_count; i++)
        count += gathering->groups[i].member_count;
    gathering->wanted = calloc(count + 1, sizeof *gathering->wanted);
    gathering->rows = calloc(count + 1, sizeof(json_t *));
    if (!gathering->wanted || !gathering->rows)
        return false;
    for (size_t i = 0; i < gathering->group_count; i++) {
        const struct group *group = &gathering->groups[i];
        for (size_t j = 0; j < group->member_count; j++)
            gathering->wanted[gathering->wanted_count++] = gathering->points[group->members[j]].evaluation;
    }
    qsort(gathering->wanted, count, sizeof *gathering->wanted, compare);
    return true;
}

static json_t **place_of(const struct gathering *gathering, int64_t evaluation)
{
    const int64_t *found =
        bsearch(&evaluation, gathering->wanted, gathering->wanted_count, sizeof *gathering->wanted, compare);
    return found ? &gathering->rows[found - gathering->wanted] : NULL;
}

static json_t *row_json(const struct aims *aims, const struct store_row *row)
{
    double costs[FRONT_OBJECTIVES];
    for (size_t k = 0; k < aims->count; k++)
        costs[k] = row_cost(&aims->of[k], row);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:b, s:o, s:o, s:I}", "configuration",
                     json_of_text(row->configuration), "values", values_of(aims, costs), "time_ns",
                     json_finite(row->time_ns), "low_ns", json_finite(row->time_low_ns), "high_ns",
                     json_finite(row->time_high_ns), "registers", (json_int_t)row->registers, "shared_bytes",
                     (json_int_t)row->shared_bytes, "finals", (int)row->was_final, "origin",
                     json_string_of_bytes(row->origin), "measured_at", json_string_of_bytes(row->measured_at),
                     "evaluation", (json_int_t)row->id);
}

static bool make_row(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    json_t **place = gathering->wanted_count > 0 ? place_of(gathering, row->id) : NULL;
    if (place && !*place) {
        *place = row_json(gathering->aims, row);
        gathering->failed = !*place;
    }
    return !gathering->failed;
}

/* ---- */

static json_t *collect(struct gathering *gathering)
{
    json_t *fronts = json_array();
    for (size_t i = 0; i < gathering->group_count; i++) {
        struct group *group = &gathering->groups[i];
        json_t *rows = json_array();
        for (size_t j = 0; j < group->member_count; j++) {
            json_t *row = *place_of(gathering, gathering->points[group->members[j]].evaluation);
            if (row) /* else it has been deleted meanwhile */
                json_append(&rows, json_incref(row));
        }
        json_put(&group->document, "front", rows);
        json_append(&fronts, json_incref(group->document));
    }
    return fronts;
}

static void clear(struct gathering *gathering)
{
    for (size_t i = 0; i < gathering->wanted_count; i++)
        json_decref(gathering->rows[i]);
    for (size_t i = 0; i < gathering->group_count; i++) {
        json_decref(gathering->groups[i].document);
        free(gathering->groups[i].members);
    }
    free(gathering->points);
    free(gathering->groups);
    free(gathering->wanted);
    free(gathering->rows);
}

json_t *fronts_find(const struct aims *aims, const struct limits *limits, front_source *source, const void *from,
                    struct error *error)
{
    struct gathering gathering = {.aims = aims, .limits = limits};
    json_t *fronts = NULL;
    bool visited = source(from, add_point, &gathering, error);
    bool done = visited && !gathering.failed;
    for (size_t i = 0; done && i < gathering.group_count; i++)
        done = find_front(&gathering, &gathering.groups[i]);
    done = done && list_wanted(&gathering);
    if (done) {
        visited = source(from, make_row, &gathering, error);
        fronts = visited && !gathering.failed ? collect(&gathering) : NULL;
    }
    if (!fronts && visited)
        error_out_of_memory(error);
    clear(&gathering);
    return fronts;
}
