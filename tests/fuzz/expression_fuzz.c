/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an expression, evaluated with and without values for the names. */
#include "tests/fuzz/fuzz.h"
#include "tuner/lang/expression.h"

#include <stdlib.h>

static void evaluate(const struct expr *expr, const struct value *slots)
{
    struct error error;
    struct value value, *values;
    size_t count;
    char text[16];
    if (expr_evaluate(expr, slots, &value, &error))
        value_text(value, text, sizeof text);
    if (expr_list(expr, slots, &values, &count, &error))
        free(values);
    (void)expr_uses(expr, 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct text text;
    struct error error;
    const struct expr *expr;
    size_t slot;
    struct scope *scope = scope_create(&arena);
    if (!scope || !scope_add_device(scope) || !scope_add_value(scope, "n", 1, NAME_SIZE, NULL, 0, &slot) ||
        !scope_add_value(scope, "s", 1, NAME_PARAMETER, NULL, 0, &slot))
        abort();
    if (text_copy(&text, &arena, "fuzz", (const char *)data, size, &error) &&
        expression_parse(&text, &arena, scope, &expr, &error)) {
        struct value slots[64] = {{.kind = VALUE_UNSET}};
        evaluate(expr, slots);
        for (size_t i = 0; i < scope_count(scope); i++)
            slots[i] = i % 3 ? value_integer((int64_t)i) : value_float(0.5 * (double)i);
        slots[slot] = value_string("joint");
        evaluate(expr, slots);
    }
    arena_free(&arena);
    return 0;
}
