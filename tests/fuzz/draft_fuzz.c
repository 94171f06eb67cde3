/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a kernel's source, from which a first template and space are drafted: they read back without error. */
#include "tests/fuzz/fuzz.h"
#include "tuner/formats/draft.h"
#include "tuner/lang/space.h"
#include "tuner/lang/template.h"

/* Names in templates are those of the source, and what the language does not have is a kernel's matter. */
static void read_back(const struct draft *draft)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct error error = {0};
    if (!template_parse("template", ".", draft->template, strlen(draft->template), &template, &error))
        fuzz_refused(&error);
    else
        fuzz_require(space_parse("space", draft->space, strlen(draft->space), template, &space, &error));
    space_free(space);
    template_free(template);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct draft draft;
    struct error error = {0};
    char *text = fuzz_copy(data, size);
    struct draft_subject subject = {"mine", "fuzz.cu", "fuzz.cu", text, size, NULL, true};
    if (draft_write(&subject, &draft, &error))
        read_back(&draft);
    else
        fuzz_refused(&error);
    draft_clear(&draft);
    free(text);
    return 0;
}
