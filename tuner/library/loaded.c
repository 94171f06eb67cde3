/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/loaded.h"

#include "tuner/library/failure.h"

void loaded_clear(struct version *version)
{
    if (version->variant) {
        struct attached *attached = attached_share(version->variant->code->attached);
        bool entered;
        if (attached_enter(attached, true, &entered, NULL)) {
            variant_free(version->variant);
            attached_leave(attached, entered);
        }
        attached_release(attached);
    }
    tune_answer_free(version->answer);
    *version = (struct version){0};
}

/* In the context of `attached`. */
static enum tune_code load_variant(const struct code_request *request, struct variant **result,
                                   struct tune_error *error)
{
    struct code *code;
    enum tune_code loaded = code_load(request, &code, error);
    return loaded == TUNE_OK ? variant_create(code, problem_template(request->problem), result, error) : loaded;
}

/* Files may be edited while the program runs, but what is launched must be what the answer is about. */
static bool is_untouched(const struct tune_answer *answer, bool since, struct error *error)
{
    struct own_template *own = answer->topic->own;
    bool touched;
    if (!own_template_is_current(own, &touched, error))
        return false;
    return !touched || !since ||
           error_set(error, ERROR_SYSTEM, "the sources of template %s were written while they were compiled",
                     own->template->name);
}

enum tune_code loaded_make(struct attached *attached, const char *cache, const struct tune_answer *answer,
                           struct version *version, struct tune_error *error)
{
    struct code_request request = {.attached = attached, .cache = cache};
    struct error own;
    bool entered;
    if (!is_untouched(answer, false, &own) || !answer_problem(answer, &request.problem, &own) ||
        !attached_enter(attached, false, &entered, &own))
        return failure_of(&own, error);
    enum tune_code result = load_variant(&request, &version->variant, error);
    if (result == TUNE_OK && !is_untouched(answer, true, &own)) {
        variant_free(version->variant);
        version->variant = NULL;
        result = failure_of(&own, error);
    }
    attached_leave(attached, entered);
    if (result == TUNE_OK)
        version->answer = answer_keep(answer);
    return result;
}
