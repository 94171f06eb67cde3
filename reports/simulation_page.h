/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulation_page.h - the HTML page of a simulation: how strategies compare, overall and on each recording.
 *
 * A self-contained file like those of report.h; its data is the document of `tune simulate --json`.
 */
#ifndef TUNE_REPORTS_SIMULATION_PAGE_H
#define TUNE_REPORTS_SIMULATION_PAGE_H

#include "reports/folder.h"

struct json_t;

/* Write simulation.html to the folder. `*path` gets the page's path, allocated. */
bool simulation_page_write(const struct json_t *document, const struct folder *folder, char **path,
                           struct error *error);

#endif
