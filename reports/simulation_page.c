/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/simulation_page.h"

#include "reports/page.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

extern const char report_simulation[], report_style[], report_simulation_script[], report_simulation_policy[],
    report_charts[];

bool simulation_page_write(const json_t *document, const struct folder *folder, char **path, struct error *error)
{
    static const char name[] = "simulation.html";
    *path = NULL;
    char *data = page_json(document);
    if (!data || asprintf(path, "%s/%s", folder->path, name) < 0) {
        free(data);
        *path = NULL;
        return error_out_of_memory(error);
    }
    const struct page_filling fillings[PAGE_FILLINGS] = {
        {"policy", report_simulation_policy}, {"style", report_style}, {"charts", report_charts}, {"data", data},
        {"script", report_simulation_script},
    };
    bool written = page_write(folder, name, report_simulation, fillings, error);
    free(data);
    return written;
}
