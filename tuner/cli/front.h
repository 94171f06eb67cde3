/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front.h - Pareto fronts of stored results: as a document, as a table, and how much they dominate.
 *
 * A front is that of a template on a device at a size with its data:
 *
 *     {"template": "heat", "device": "...", "size": "n=20000", "data": "..." where there is any,
 *      "objectives": ["time", "energy"],
 *      "valid": 120,                         configurations with a cost by each
 *      "reference": {"time": 3.4e6, ...},    a tenth worse than the worst of these, by each
 *      "hypervolume": 0.83,                  the share of the box up to the reference that the front dominates
 *      "front": [{"configuration": {...}, "values": {"time": 1.2e6, ...}, "finals": true, ...}]}
 *
 * The hypervolume (tuner/evaluation/front.h) is that of costs: of what is to be large, the reciprocals.
 */
#ifndef TUNE_CLI_FRONT_H
#define TUNE_CLI_FRONT_H

#include "db/store.h"
#include "tuner/cli/terminal.h"
#include "tuner/space/aims.h"

struct json_t;

/* Visits valid rows, those of a front together, with their verdicts by the name of the aims; twice the same. */
typedef bool front_source(const void *from, store_visitor *visit, void *context, struct error *error);

/* Of the rows within the limits (NULL: all). A new array, in the order of the rows; NULL: the rows could not be
 * visited, or memory ran out. A row that was beaten in finals by all of the objectives is on no front. */
struct json_t *fronts_find(const struct aims *aims, const struct limits *limits, front_source *source,
                           const void *from, struct error *error);

/* A row a configuration; `named`: with the template, device, size and data of each. */
bool fronts_table(const struct json_t *fronts, bool named, const struct terminal *out, struct error *error);

/* "3 of 120 valid configurations are on the front; hypervolume 0.83 of the box up to time 3.4 ms, energy 40 mJ". Not
 * ended. */
void front_print_volume(const struct json_t *front, FILE *out);

#endif
