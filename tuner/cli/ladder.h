/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ladder.h - `tune best --ladder`: the best configuration of each variant of a kernel, from the simplest to the
 * tuned.
 *
 * A rung is a value of a parameter, or a combination of the values of several. The template gives the order: first
 * the values in the parameter's block, then those that its description names ("naive, tiled or padded"), then all
 * others: numbers by size, texts by name, and last what lacks the parameter.
 */
#ifndef TUNE_CLI_LADDER_H
#define TUNE_CLI_LADDER_H

#include "tuner/lang/template.h"

struct json_t;

enum { LADDER_PARAMETERS = 4 };

struct ladder {
    const struct parameter_declaration *parameters[LADDER_PARAMETERS];
    const char *names[LADDER_PARAMETERS]; /* theirs */
    size_t count;
};

/* The parameters of a list "VARIANT,TRIG"; "": the first one with a block, else VARIANT. Errors, each with a hint: a
 * name that the template does not know, too many, none to choose. */
bool ladder_choose(const struct template *template, const char *list, struct ladder *ladder, struct error *error);

/*
 * Rows of `tune best`, one a rung, as an array of ladders, one a device and size (a new reference, NULL: out of
 * memory):
 *
 *     [{"template", "device", "device_kind", "architecture", "size", "parameters": ["VARIANT"], "rungs": [{
 *         "rung": {"VARIANT": "tiled"}, "meaning": "...", "times_first": 3.2, "times_previous": 1.5,
 *         ... the members of the row
 *     }]}]
 *
 * `times_first` and `times_previous` say how many times as fast a rung is as the first one and the one before it, or
 * as good by another objective; the first rung has neither.
 */
struct json_t *ladder_arrange(const struct ladder *ladder, const struct json_t *rows);

/* A table for each ladder, to stdout. */
bool ladder_table(const struct json_t *ladders, struct error *error);

/* What a row is compared by: its "cost" by an objective, else its time. */
double ladder_cost(const struct json_t *row);

#endif
