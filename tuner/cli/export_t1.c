/* SPDX-License-Identifier: Apache-2.0 */
/* tune export --t1: a template and its space as T1. */
#include "tuner/cli/exchange.h"

#include "tuner/cli/export_output.h"
#include "tuner/cli/subject.h"
#include "tuner/error/visible.h"
#include "tuner/formats/t1_write.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool print_document(const struct options *options, const json_t *document, struct error *error)
{
    struct output_file file;
    if (!export_open(options, &file, error))
        return false;
    char *text = json_print(document, JSON_INDENT(4) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    bool done = text || error_out_of_memory(error);
    if (text)
        visible_write_json(file.stream, text);
    fputc('\n', file.stream);
    free(text);
    return export_close(&file, done, error);
}

bool export_t1(const struct options *options, struct error *error)
{
    struct subject subject = {0};
    json_t *document = NULL;
    char *notes = NULL;
    bool done =
        subject_template(&subject, options->subject, error) && subject_space(&subject, options->space, error) &&
        device_choose(options->device, true, &subject.device, error) && subject_problem(&subject, options, error) &&
        t1_export(subject.problem, &document, &notes, error) && print_document(options, document, error);
    for (const char *note = notes; done && *note; note += strcspn(note, "\n") + 1)
        visible_printf(stderr, "tune: %.*s\n", (int)strcspn(note, "\n"), note);
    json_decref(document);
    free(notes);
    subject_clear(&subject);
    return done;
}
