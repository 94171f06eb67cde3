/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of sizes. What is accepted is different sizes that the template takes, with weights. */
#include "tests/fuzz/fuzz.h"
#include "tests/unit/h100.h"
#include "tuner/dispatch/size_set.h"

static const char text[] = "template t\nsize M = 64\nsize N = 2 * M\nparameter A\nsource \"k.cu\"\n"
                           "buffer y : float[M * N] temp\nlaunch { k<<<1, 1>>>(y) }\n";

static void examine(const struct size_set *set)
{
    fuzz_require(set->count > 0 && set->count <= SIZE_SET_MOST && set->dimensions == 2);
    for (size_t i = 0; i < set->count; i++) {
        fuzz_require(set->weights[i] > 0 && set->values[2 * i].value > 0 && set->values[2 * i + 1].value > 0);
        for (size_t j = 0; j < i && j < 8; j++)
            fuzz_require(strcmp(set->texts[i], set->texts[j]) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct template *template;
    struct size_set set;
    struct error error = {0};
    char *copy = fuzz_text(data, size);
    fuzz_require(template_parse("t.template", ".", text, strlen(text), &template, &error));
    if (size_set_parse("fuzz", copy, size, template, &h100, &set, &error))
        examine(&set);
    else
        fuzz_refused(&error);
    size_set_clear(&set);
    template_free(template);
    free(copy);
    return 0;
}
