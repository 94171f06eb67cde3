/* SPDX-License-Identifier: Apache-2.0 */
/*
 * first_row.h - the row found by a lookup, or the first of the best rows.
 */
#ifndef TESTS_UNIT_DB_FIRST_ROW_H
#define TESTS_UNIT_DB_FIRST_ROW_H

#include "fixture.h"

/* A row with its strings copied, as the store owns the originals. */
struct seen {
    struct store_row row;
    char configuration[64];
    size_t count;
};

static inline bool see(const struct store_row *row, void *context)
{
    struct seen *seen = context;
    if (seen->count++ == 0) {
        seen->row = *row;
        snprintf(seen->configuration, sizeof seen->configuration, "%s", row->configuration);
    }
    return true;
}

static inline void expect_best(struct fixture *f, struct store *store, const char *objective,
                               const char *configuration)
{
    struct seen seen = {0};
    const struct store_filter filter = {.objective = objective};
    if (!store_best(store, &filter, see, &seen, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(seen.count, configuration ? 1 : 0);
    assert_string_equal(seen.configuration, configuration ? configuration : "");
}

static inline struct store_row look_up(struct fixture *f, struct store *store, int64_t run, const char *configuration)
{
    struct seen seen = {0};
    assert_true(store_lookup(store, run, configuration, see, &seen, &f->error));
    assert_int_equal(seen.count, 1);
    return seen.row;
}

#endif
