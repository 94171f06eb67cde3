/* SPDX-License-Identifier: Apache-2.0 */
/* tune show TEMPLATE [--space SPACE]: what a template computes; what a space varies and what its constraints remove.
 */
#include "tuner/cli/command.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/show.h"

/* About a second's work: nobody who only looks wants to wait longer. */
static bool make_problem(struct subject *subject, const struct options *options, struct error *error)
{
    const size_t effort = 5000000;
    struct problem_request request;
    if (!subject_request(subject, options, &request, error))
        return false;
    request.effort = effort;
    return problem_make(&request, &subject->problem, error);
}

static bool show(const struct subject *subject, const struct options *options, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    json_t *document = options->space ? show_space_json(subject) : show_template_json(subject);
    if (options->json || !document)
        return json_output(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
    bool shown = (options->space ? show_space_text : show_template_text)(document, &out, error);
    json_decref(document);
    return shown;
}

bool command_show(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct subject subject = {0};
    bool shown = subject_template(&subject, options->subject, error) &&
                 (!options->space || subject_space(&subject, options->space, error)) &&
                 device_choose(options->device, options->quiet, &subject.device, error) &&
                 make_problem(&subject, options, error) && show(&subject, options, error);
    subject_clear(&subject);
    return shown;
}
