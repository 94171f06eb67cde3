/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expressions.h - a space whose constraints are expressions of every kind, to compare what is said of their terms
 * with what the evaluator gives.
 */
#ifndef TUNE_TESTS_EXPRESSIONS_H
#define TUNE_TESTS_EXPRESSIONS_H

#include "tests/unit/space/space_fixture.h"

#include "tuner/space/slots.h"

#define EXPRESSIONS                                                                                                  \
    "param A = [1, 2, 3, 8, 0, -5]\nparam B = [0, 1, 2, 7]\nparam C = [0.5, 2.0, -3.0]\n"                            \
    "param D = [\"x\", \"yx\", 3, true]\nparam E = [9223372036854775807, 4294967296, -1]\n"                          \
    "let quotient = A // B\nlet list_sum = max([A, B, half])\n"                                                      \
    "where A + B\nwhere A - B * A\nwhere A / B\nwhere A // B\nwhere A % B\nwhere -A % 3\nwhere A ** B\nwhere B ** "  \
    "A\n"                                                                                                            \
    "where A & B\nwhere A | 6\nwhere A ^ B\nwhere A << B\nwhere A >> B\nwhere ~A\nwhere -C\nwhere +D\n"              \
    "where E + A\nwhere E * E\nwhere E - B\nwhere E // A\nwhere E % A\nwhere -E\n"                                   \
    "where C * A\nwhere C // B\nwhere C % 2\nwhere C + D\n"                                                          \
    "where A < B\nwhere A <= C\nwhere C == A\nwhere A != D\nwhere D < 2\nwhere 0 < A <= B < 8\nwhere A < B > C\n"    \
    "where A and B\nwhere A or B\nwhere not A\nwhere A and C\nwhere C or D\nwhere not (A > 1 and B > 1)\n"           \
    "where A > 1 or B < 2 or quotient > 3\nwhere quotient > 3 and B > 0\nwhere B > 0 and quotient > 1\n"             \
    "where A in [1, 2, B]\nwhere A not in (3, 8)\nwhere A in range(1, 9, 2)\nwhere A in range(8, -6, -3)\n"          \
    "where D in \"yxz\"\nwhere \"x\" in D\nwhere C in [0.5, A]\nwhere quotient in [1, 2]\n"                          \
    "where A if B else C\nwhere (A if C > 0 else D) == 8\nwhere 1 if quotient else 0\n"                              \
    "where min(A, B)\nwhere max(A, B, C) > 2\nwhere min(A, B, 5) >= 1\nwhere max(A, B) <= 7\nwhere 3 > max(A, B)\n"  \
    "where min(A, D) > 0\nwhere abs(A) > 4\nwhere ceil(C)\nwhere floor(C)\nwhere round(C)\nwhere sqrt(A)\nwhere "    \
    "log2(A)\n"                                                                                                      \
    "where int(C)\nwhere float(A)\nwhere ceil_div(A, B)\nwhere round_up(A, B)\nwhere list_sum > 2\n"                 \
    "where sum_error(A) > 0\nwhere gamma(B) > 0\n"                                                                   \
    "where A in [i * i for i in range(B)]\nwhere A in [B, 2] + [8]\nwhere A in pow2(1, 8)\n"                         \
    "where max([i % 3 for i in range(B + 1)]) == 2\nwhere A in range(B)\n"                                           \
    "where 1 // 0 == A\nwhere A * 0 == 0\nwhere half * A == 9\nwhere True\nwhere 2 > 3 + 0 * n\n"

/* The slots of a point, lets included. */
static inline struct value *expressions_slots(const struct terms_fixture *fixture, const uint16_t *point)
{
    const struct domain *domain = &fixture->space.domain;
    struct value *slots = calloc(domain->slot_count, sizeof *slots);
    domain_slots(domain, point, SIZES_TUNED, slots);
    slots_set_lets(domain->template, domain->space, slots);
    return slots;
}

/* What the evaluator gives for condition `i`; VALUE_UNSET if it fails. */
static inline struct value expressions_value(const struct terms_fixture *fixture, size_t i, const struct value *slots)
{
    struct value value;
    const struct expr *condition = fixture->space.domain.space->constraints[i].condition;
    return expr_evaluate(condition, slots, &value, NULL) ? value : (struct value){.kind = VALUE_UNSET};
}

/* The same kind, and the same value. */
static inline bool expressions_same(struct value a, struct value b)
{
    if (a.kind != b.kind)
        return false;
    return a.kind == VALUE_UNSET || (a.kind == VALUE_FLOAT ? a.real == b.real : value_equal(a, b));
}

static inline void expressions_fail(const struct terms_fixture *fixture, size_t i, const uint16_t *point,
                                    const char *what)
{
    struct place place = expr_place(fixture->space.domain.space->constraints[i].condition);
    fail_msg("%.*s at %u %u %u %u %u: %s", (int)place.length, place.text + place.offset, point[0], point[1], point[2],
             point[3], point[4], what);
}

#endif
