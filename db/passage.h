/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passage.h - all rows of one database into another, inside a transaction of the latter.
 *
 * Numbers of rows mean something in their own database only: a row is known by what identifies it (SCHEMA.md), and
 * gets another number. What is there already stays, once; store_merge says which of two measurements of the same
 * configuration stays.
 */
#ifndef TUNE_DB_PASSAGE_H
#define TUNE_DB_PASSAGE_H

#include "db/connection.h"

/* The source is read only, and may be anyone's: a row that cannot be, because what it refers to is missing for
 * instance, is an error. */
bool passage_take(struct store *target, struct store *source, struct store_merge_count *counts, struct error *error);

#endif
