/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a space of a small template. Unions find no members: their folder does not exist. */
#include "tests/fuzz/fuzz.h"
#include "tuner/lang/space.h"

#include <stdlib.h>
#include <string.h>

static const char gemm[] = "template gemm\nsize M = 64\nparameter TILE_M\nparameter TILE_N\nparameter VARIANT\n"
                           "let area = TILE_M * TILE_N\nsource \"gemm.cu\"\nlaunch { gemm<<<1, 1>>>() }\n";

static void evaluate(const struct space *space, const struct value *slots)
{
    struct error error;
    for (size_t i = 0; i < space->constraint_count; i++) {
        bool holds;
        expr_truth(space->constraints[i].condition, slots, &holds, &error);
    }
    for (size_t i = 0; i < space->parameter_count; i++) {
        struct value *values;
        size_t count;
        if (expr_list(space->parameters[i].values, slots, &values, &count, &error))
            free(values);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct template *template;
    struct space *space;
    struct error error;
    if (!template_parse("gemm.template", ".", gemm, strlen(gemm), &template, &error))
        abort();
    if (space_parse("/nonexistent/fuzz.space", (const char *)data, size, template, &space, &error)) {
        struct value *slots = calloc(scope_count(space->scope), sizeof *slots);
        if (!slots)
            abort();
        evaluate(space, slots);
        for (size_t i = 0; i < scope_count(space->scope); i++)
            slots[i] = i % 5 ? value_integer((int64_t)i) : value_string("joint");
        evaluate(space, slots);
        free(slots);
        space_free(space);
    }
    template_free(template);
    return 0;
}
