/* SPDX-License-Identifier: Apache-2.0 */
/* Visitors that count what they are shown; the context is a size_t. */
#ifndef TESTS_UNIT_DB_COUNTING_H
#define TESTS_UNIT_DB_COUNTING_H

#include "db/store.h"

static inline bool count_row(const struct store_row *row, void *context)
{
    (void)row;
    ++*(size_t *)context;
    return true;
}

static inline bool count_recorded(const struct store_recorded_row *row, void *context)
{
    (void)row;
    ++*(size_t *)context;
    return true;
}

static inline bool count_run(const struct store_run_row *row, void *context)
{
    (void)row;
    ++*(size_t *)context;
    return true;
}

#endif
