/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.h - the databases and files that a handle asks: the user's, the site's, and what came with tune.
 *
 * They are opened when something is asked that is not known yet, and closed at once: so the host program keeps no
 * files open and may fork, and what others store meanwhile is seen by the next question. They are only read; the
 * user's database is not created, not even brought up to date.
 */
#ifndef TUNE_LIBRARY_SOURCES_H
#define TUNE_LIBRARY_SOURCES_H

#include "tuner/library/handle.h"

typedef bool source_visitor(struct store *store, bool of_site, void *context, struct error *error);

/* Show the user's database and what the site knows, or the file that alone is asked. What cannot be read, or not by
 * the visitor, is noted in the handle. False: out of memory. Under the handle's lock. */
bool sources_visit(struct tune *tune, source_visitor *visit, void *context, struct error *error);

/* Show what came with tune for this version of a template, which `tune` may have put into the user's database as
 * well: it answers the same from either. Likewise. */
bool sources_visit_shipped(struct tune *tune, const char *template_hash, source_visitor *visit, void *context,
                           struct error *error);

#endif
