/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feature.h - what a dispatch tree asks about a problem's sizes.
 *
 * A size itself; the ratio or the product of two; and a size's unit, the largest power of two up to 1024 that divides
 * it, because vectors, tiles and edges depend on that. Logarithms would order sizes as sizes do. Each is computed in
 * one operation on doubles, so that the C code made from a tree gives the same answers.
 */
#ifndef TUNE_DISPATCH_FEATURE_H
#define TUNE_DISPATCH_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum feature_kind { FEATURE_SIZE, FEATURE_RATIO, FEATURE_PRODUCT, FEATURE_UNIT, FEATURE_KINDS };

enum { FEATURE_UNIT_MOST = 1024 };

struct feature {
    enum feature_kind kind;
    size_t a, b; /* which sizes; b: of ratios and products */
};

/* "size", "ratio", "product", "unit" */
const char *feature_kind_name(enum feature_kind kind);
bool feature_kind_of(const char *name, enum feature_kind *kind);

/* Does it read a second size? */
bool feature_has_two(enum feature_kind kind);

/* How many features so many sizes have, and feature number `index`: the sizes first. */
size_t feature_count(size_t dimensions);
struct feature feature_number(size_t dimensions, size_t index);

/* Its value for sizes above 0. */
double feature_value(const struct feature *feature, const int64_t *sizes);

/* "M", "M / N", "M * N", "power of two in M": for people. Cut off at `length`. */
void feature_text(const struct feature *feature, const char *const *names, char *text, size_t length);

#endif
