/* SPDX-License-Identifier: Apache-2.0 */
/* Was a configuration ever valid? */
#include "db/connection.h"

bool store_was_valid(struct store *store, const char *template_name, const char *template_hash,
                     const char *configuration, bool *valid, struct error *error)
{
    static const char sql[] =
        "SELECT count(*) FROM (SELECT 1 FROM template CROSS JOIN problem ON problem.template = template.id "
        "CROSS JOIN evaluation ON evaluation.problem = problem.id AND evaluation.configuration = ? "
        "WHERE template.name = ? AND template.hash = ? AND evaluation.outcome = 'ok' LIMIT 1)";
    struct query query;
    int64_t count = 0;
    *valid = false;
    if (!query_open(&query, store, sql, error))
        return false;
    query_bind_text(&query, configuration);
    query_bind_text(&query, template_name);
    query_bind_text(&query, template_hash);
    bool done = query_integer(&query, "count", &count, error);
    *valid = count > 0;
    return done;
}
