/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expr.h - the one expression language of templates and spaces: names, evaluation, lists.
 *
 * Operators mean what they mean in Python, but integers have 64 bits and floats must be finite; overflow, division by
 * zero and the use of a name without a value are errors. GRAMMAR.md documents the language.
 *
 * A name is resolved to a slot, an index into an array of values that the caller of the evaluation provides; the
 * scope maps names to slots. Expressions belong to the document they were parsed from.
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
 * NAME_LET: a let at the top level of a template or a space. NAME_LOOP: a loop variable or a let inside a block; it
 * is not found once its block has ended, and a later block that declares the name again shares its slot.
 * NAME_MEASURED: what was measured of a configuration, in metrics and objectives only.
 * NAME_COUNT: what the launches find out, read back by `read`.
 */
enum name_kind { NAME_DEVICE, NAME_SIZE, NAME_PARAMETER, NAME_LET, NAME_LOOP, NAME_MEASURED, NAME_COUNT };

/* Before the names of the scope that stand for what was measured: "measured.time". */
#define MEASURED_PREFIX "measured."

/* Number of slots; slots count from 0. */
size_t scope_count(const struct scope *scope);
const char *scope_name(const struct scope *scope, size_t slot);
enum name_kind scope_kind(const struct scope *scope, size_t slot);

/* The slot of a name (device fields as "device.sm_count"); false if there is none. */
bool scope_find(const struct scope *scope, const char *name, size_t *slot);

/* Evaluate with scope_count() values in `slots`. Errors point at the operator or name at fault. */
bool expr_evaluate(const struct expr *expr, const struct value *slots, struct value *result, struct error *error);

/* The same; the result must be a whole number (16 or 16.0). */
bool expr_integer(const struct expr *expr, const struct value *slots, int64_t *result, struct error *error);

/* The same; the result must be a number. */
bool expr_number(const struct expr *expr, const struct value *slots, double *result, struct error *error);

/* The same; the result's truth value. */
bool expr_truth(const struct expr *expr, const struct value *slots, bool *result, struct error *error);

/* Evaluate a list expression ([1, 2], range(1, 9), pow2(1, 8)). The caller frees `*values`. */
bool expr_list(const struct expr *expr, const struct value *slots, struct value **values, size_t *count,
               struct error *error);

/* Does the expression itself use this slot? What a let stands for does not count. */
bool expr_uses(const struct expr *expr, size_t slot);

/* Set `marked` of each slot that the expression itself uses; it has scope_count() entries. */
void expr_mark(const struct expr *expr, bool *marked);

/* Does it use any slot of this kind? */
bool expr_uses_kind(const struct expr *expr, const struct scope *scope, enum name_kind kind);

/* Is it a name and nothing else? Then `*slot` is the name's. */
bool expr_is_name(const struct expr *expr, size_t *slot);

/* Its place and, with that, its text as written. */
struct place expr_place(const struct expr *expr);

#endif
