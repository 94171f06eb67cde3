/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - HTML reports: an index, and one self-contained page for each device.
 *
 * A page is device.html with its style, its script (the modules in scripts/, joined), charts (Apache ECharts) and
 * data filled in. The data is the document of store_device_json; text from users is escaped on its way into the page.
 */
#ifndef TUNE_REPORTS_REPORT_H
#define TUNE_REPORTS_REPORT_H

#include "db/store.h"

/* Write index.html and a page for each device to the folder at `path`, which must be tune's own (see folder.h);
 * `named`: the user named it. `*index_path` gets the index's path, allocated. The index of an empty database says
 * that nothing has been measured yet. */
bool report_write(struct store *store, const char *path, bool named, char **index_path, struct error *error);

#endif
