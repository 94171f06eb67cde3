/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refused.h - texts of sizes that are no sets for the template below, and where they say why.
 */
#ifndef TUNE_TESTS_DISPATCH_REFUSED_H
#define TUNE_TESTS_DISPATCH_REFUSED_H

#include "tests/unit/fixture.h"
#include "tuner/dispatch/size_set.h"

#define TEMPLATE                                                                                                     \
    "template t\nsize M = 64\nsize N = 2 * M\nparameter A\nsource \"k.cu\"\nbuffer y : float[M * N] out\n"           \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

struct refusal {
    const char *text, *message; /* the error mentions it */
    unsigned line, column;
};

static inline void assert_refused(const struct refusal *cases, size_t count,
                                  bool (*parse)(struct fixture *f, const char *text, struct size_set *set))
{
    struct fixture f;
    fixture_parse(&f, TEMPLATE, NULL);
    for (size_t i = 0; i < count; i++) {
        struct size_set set;
        f.error = (struct error){0};
        if (parse(&f, cases[i].text, &set))
            fail_msg("<%s> is accepted", cases[i].text);
        assert_int_equal(f.error.code, ERROR_INPUT);
        assert_mentions(f.error.text, cases[i].message);
        if (f.error.line != cases[i].line || f.error.column != cases[i].column)
            fail_msg("<%s>: %u:%u", cases[i].text, f.error.line, f.error.column);
        size_set_clear(&set);
    }
    fixture_free(&f);
}

#endif
