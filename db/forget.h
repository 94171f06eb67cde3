/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forget.h - dropping results, and the size of the database.
 *
 * The best row of each problem by each objective stays unless the caller says otherwise, and with it the finalists
 * that it was compared with: without them it would be less certain, or another row, which finals found to be worse,
 * would become best. Shipped rows always stay (their files are loaded only once), and so do rows of problems that a
 * sweep is at work on.
 */
#ifndef TUNE_DB_FORGET_H
#define TUNE_DB_FORGET_H

#include "db/store.h"

/* What all must hold for a row to be forgotten; NULL, 0 and false ask for nothing. */
struct forget_criteria {
    const char *template_name, *device_name, *device_kind;
    double older_than; /* seconds since it was measured */
    bool failed;       /* it is not valid */
    bool best_too;     /* the best rows, and finalists, as well */
};

/* What became, or would become, of the rows of a problem that meet the criteria. */
struct forget_row {
    const char *template_name, *device_name, *size;
    int64_t evaluations, failures; /* forgotten, and of these not valid */
    int64_t kept;                  /* the best, and finalists */
    int64_t in_use;                /* of a problem that is being swept */
};
typedef bool forget_visitor(const struct forget_row *row, void *context); /* false: give up, out of memory */

/* What has gone besides: runs without any row left; with the best rows, trees over sizes and what programs found
 * (dispatch and online in SCHEMA.md) for the templates and devices, also where these have no rows. */
struct forget_rest {
    int64_t runs, trees, online;
};

/*
 * Forget in one transaction, a problem after the other, ordered by template and device, and what no row refers to any
 * more: problems, templates, devices, toolchains and spaces. With `dry_run` nothing changes, and runs are not
 * counted. An error where nothing that may go is of the templates and devices.
 */
bool store_forget(struct store *store, const struct forget_criteria *criteria, bool dry_run, forget_visitor *visit,
                  void *context, struct forget_rest *rest, struct error *error);

/* Make the file as small as what it holds; needs as much room again on the disk meanwhile, and nobody may write. */
bool store_vacuum(struct store *store, struct error *error);

/* How many bytes the file has, without its journal, and how many of them are free for new rows. */
bool store_bytes(struct store *store, int64_t *bytes, int64_t *free_bytes, struct error *error);

/* Would store_vacuum be worth its time? More than a tenth of the file is free. */
static inline bool store_is_loose(int64_t bytes, int64_t free_bytes)
{
    enum { TENTH = 10 };
    return free_bytes > bytes / TENTH;
}

/* Visit the tables with their rows and their bytes, indices included; bytes are -1 where SQLite cannot tell. */
struct store_table {
    const char *name;
    int64_t rows, bytes;
};
typedef bool store_table_visitor(const struct store_table *table, void *context); /* false: stop */
bool store_tables(struct store *store, store_table_visitor *visit, void *context, struct error *error);

#endif
