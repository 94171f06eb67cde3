/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seen_rows.h - a visitor that keeps copies of the rows it is given.
 */
#ifndef TESTS_UNIT_DB_SEEN_ROWS_H
#define TESTS_UNIT_DB_SEEN_ROWS_H

#include "fixture.h"

#include <math.h>
#include <time.h>

enum { MOST = 32 };

/* Visited rows, with their strings copied, as the store owns the originals. */
struct seen {
    struct store_row rows[MOST];
    char texts[MOST][256]; /* template hash size configuration origin, separated by blanks */
    char messages[MOST][256];
    size_t count, limit;
};

static inline bool see(const struct store_row *row, void *context)
{
    struct seen *seen = context;
    assert_true(seen->count < MOST);
    seen->rows[seen->count] = *row;
    snprintf(seen->texts[seen->count], sizeof seen->texts[0], "%s %s %s %s %s %s", row->template_name,
             row->template_hash, row->device_name, row->size, row->configuration, row->origin);
    snprintf(seen->messages[seen->count], sizeof seen->messages[0], "%s", row->message);
    seen->count++;
    return seen->count != seen->limit;
}

static inline void see_finished(struct fixture *f, struct store *store, struct seen *seen)
{
    *seen = (struct seen){0};
    assert_true(store_finished(store, &f->problem, "time", NULL, see, seen, &f->error));
}

static inline void see_best(struct fixture *f, struct store *store, struct store_filter filter, struct seen *seen)
{
    *seen = (struct seen){0};
    assert_true(store_best(store, &filter, see, seen, &f->error));
}

/* Let a millisecond pass: two runs in the same one do not show which template version is the latest. */
static inline void let_the_clock_move(void)
{
    struct timespec pause = {0, 3000000};
    nanosleep(&pause, NULL);
}

#endif
