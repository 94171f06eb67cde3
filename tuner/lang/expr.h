/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expr.h - the one expression language of templates and spaces: names, evaluation, lists.
 *
 * Operators and meaning are Python's: `/` true division, `//` and `%` rounding towards minus infinity, `**`, chained
 * comparisons, `and or not in`, `a if c else b`, and the functions min max abs ceil floor round sqrt log2 ceil_div
 * round_up pow2 range list gamma sum_error int float, and list comprehensions. Integers have 64 bits and overflow is
 * an error, as are division by zero and a name without a value. The grammar is in GRAMMAR.md beside this file.
 *
 * A name stands for a slot: an index into an array of values. The scope that an expression was parsed in says which
 * name has which slot; to evaluate, hand in the array. Expressions belong to the document they were parsed from.
 */
#ifndef TUNE_LANG_EXPR_H
#define TUNE_LANG_EXPR_H

#include "tuner/error/error.h"
#include "tuner/lang/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr;
struct scope;

/*
 * NAME_LET: a let of the template or the space itself. NAME_LOOP: a name inside a block, a loop variable or a let
 * there; scope_find does not find it once its block has ended, and a later block that uses the name again shares its
 * slot.
 */
enum name_kind { NAME_DEVICE, NAME_SIZE, NAME_PARAMETER, NAME_LET, NAME_LOOP };

/* Number of slots; slots count from 0. */
size_t scope_count(const struct scope *scope);
const char *scope_name(const struct scope *scope, size_t slot);
enum name_kind scope_kind(const struct scope *scope, size_t slot);

/* Slot of a name (device fields as "device.sm_count"), or false. */
bool scope_find(const struct scope *scope, const char *name, size_t *slot);

/* Evaluate; `slots` has scope_count() values. Errors have the place of the operator or name at fault. */
bool expr_evaluate(const struct expr *expr, const struct value *slots, struct value *result, struct error *error);

/* The same, and an error unless the result is a whole number (16 or 16.0). */
bool expr_integer(const struct expr *expr, const struct value *slots, int64_t *result, struct error *error);

/* The same, and an error unless the result is a number. */
bool expr_number(const struct expr *expr, const struct value *slots, double *result, struct error *error);

/* The truth of the result. */
bool expr_truth(const struct expr *expr, const struct value *slots, bool *result, struct error *error);

/* Evaluate a list expression ([1, 2], range(1, 9), pow2(1, 8)); `*values` is allocated, the caller frees it. */
bool expr_list(const struct expr *expr, const struct value *slots, struct value **values, size_t *count,
               struct error *error);

/* Does the expression read this slot itself? (Not through a let, whose slot is the let's own.) */
bool expr_uses(const struct expr *expr, size_t slot);

/* Does the expression read any slot of this kind of `scope`? */
bool expr_uses_kind(const struct expr *expr, const struct scope *scope, enum name_kind kind);

/* Where it stands, and its text as written: for messages and for `tune show`. */
struct place expr_place(const struct expr *expr);

#endif
