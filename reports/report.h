/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - HTML reports: an index and one self-contained, offline page a device.
 *
 * The page is reports/page.html with style, script, charts (Apache ECharts) and the data set in; everything that came
 * from users is escaped on its way. The data is the document that store_device_json gives.
 */
#ifndef TUNE_REPORTS_REPORT_H
#define TUNE_REPORTS_REPORT_H

#include "db/store.h"

/* Write index.html and a page a device to `folder` (made if need be). `*index_path` gets the index's path, allocated.
 * An empty database still gives an index that says so. */
bool report_write(struct store *store, const char *folder, char **index_path, struct error *error);

#endif
