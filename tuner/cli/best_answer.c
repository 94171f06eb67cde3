/* SPDX-License-Identifier: Apache-2.0 */
/* The line ahead of `tune best TEMPLATE`: what answers for the device at hand. */
#include "tuner/cli/best.h"
#include "tuner/cli/choice.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/row_filter.h"
#include "tuner/error/visible.h"

#include <stdlib.h>
#include <string.h>

/* "answer: BLOCK=48 at n=640 on AMD EPYC (rule size: database at n=480, 0.4 octaves from here, measured ...)" */
static bool print_line(const struct subject *subject, const struct choice *choice, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    char *configuration = parameters_text_of(choice->configuration, NULL), *text = NULL;
    if (!configuration ||
        asprintf(&text, "%s at %s on %s (rule %s: %s)", configuration, problem_size_text(subject->problem),
                 subject->device.description.name, selection_rule_name(choice->selection.rule), choice->origin) < 0)
        text = NULL;
    char *shown = text ? visible_text(text, VISIBLE_ONE_LINE) : NULL;
    if (shown) {
        terminal_print_folded("answer: ", shown, STYLE_PLAIN, &out);
        if (out.width) /* in a pipe every line says something */
            fputc('\n', out.stream);
    }
    free(shown);
    free(text);
    free(configuration);
    return shown || error_out_of_memory(error);
}

/* Is `text` (NULL: the first that is found) a device here, rather than the name of one in the database? */
static bool is_at_hand(const char *text, struct device_choice *device)
{
    struct error absent;
    return !row_filter_is_name(text) && device_choose(text, true, device, &absent);
}

bool best_answer(const struct options *options, struct store *store, bool *known, struct error *error)
{
    struct subject subject = {.own_matrices = true};
    struct choice choice = {0};
    *known = false;
    bool done = !is_at_hand(options->device, &subject.device);
    if (!done && subject_template(&subject, options->subject, error) &&
        objective_choose(subject.template, options->objective, &subject.objective, error) &&
        choice_make(&subject, options, store, &choice, error)) {
        *known = choice.selection.rule != SELECTION_NONE;
        done = print_line(&subject, &choice, error);
    }
    choice_clear(&choice);
    subject_clear(&subject);
    return done;
}
