/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_write.h"

#include "tuner/error/text_stream.h"
#include "tuner/formats/t1_write_kernel.h"
#include "tuner/formats/t1_write_space.h"
#include "tuner/space/explain.h"

#include <stdlib.h>

/* Sizes and device fields take their values from the default configuration. */
static bool prepare(struct t1_writing *w, struct value **slots)
{
    size_t index;
    bool named;
    if (w->space->member_count > 0) {
        error_set(w->error, ERROR_INPUT, "T1 cannot express unions, and space %s is one", w->space->name);
        return error_hint(w->error, "choose a member with --space, for example %s", w->space->members[0]->name);
    }
    if (!problem_default(w->problem, &index, &named))
        return explain_empty(w->problem, w->error);
    *slots = calloc(scope_count(w->space->scope) + 1, sizeof **slots);
    if (!*slots)
        return error_out_of_memory(w->error);
    w->scope = (struct python_scope){w->template, w->space, *slots, w->lets, 0};
    return problem_slots(w->problem, index, false, *slots, w->error);
}

static bool write_document(struct t1_writing *w, json_t *document)
{
    struct value *slots = NULL;
    bool done = prepare(w, &slots) &&
                t1_set(w, document, "General",
                       json_pack("{s:s, s:s}", "BenchmarkName", w->template->name, "OutputFormat", "JSON")) &&
                t1_write_configuration_space(w, document) && t1_write_kernel(w, document);
    free(slots);
    return done;
}

bool t1_export(const struct problem *problem, json_t **document, char **notes, struct error *error)
{
    struct t1_writing writing = {
        .problem = problem, .template = problem_template(problem), .space = problem_space(problem), .error = error};
    struct text_stream stream;
    *document = NULL;
    *notes = NULL;
    if (!text_stream_open(&stream, error))
        return false;
    writing.notes = stream.out;
    *document = json_object();
    bool done = (*document || error_out_of_memory(error)) && write_document(&writing, *document);
    if (done)
        done = (*notes = text_stream_close(&stream, error)) != NULL;
    else
        text_stream_discard(&stream);
    if (!done) {
        json_decref(*document);
        *document = NULL;
    }
    return done;
}
