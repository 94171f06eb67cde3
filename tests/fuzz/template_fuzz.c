/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a template. If it parses, it is walked and every expression is evaluated. */
#include "tests/fuzz/fuzz.h"
#include "tuner/lang/template.h"

#include <stdlib.h>

static void evaluate(const struct expr *expr, const struct value *slots)
{
    struct error error;
    struct value *values;
    size_t count;
    double number;
    if (!expr)
        return;
    expr_number(expr, slots, &number, &error);
    if (expr_list(expr, slots, &values, &count, &error))
        free(values);
}

static void walk(const struct block *block, const struct value *slots)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *s = &block->statements[i];
        const struct expr *parts[] = {s->value,    s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
                                      s->block[2], s->shared,  s->at,      s->first,   s->last};
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
            evaluate(parts[j], slots);
        for (size_t j = 0; j < s->argument_count; j++) {
            evaluate(s->arguments[j].offset, slots);
            evaluate(s->arguments[j].value, slots);
        }
        walk(&s->body, slots);
        walk(&s->otherwise, slots);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct template *template;
    struct error error;
    if (!template_parse("fuzz.template", ".", (const char *)data, size, &template, &error))
        return 0;
    struct value *slots = calloc(scope_count(template->scope), sizeof *slots);
    if (!slots)
        abort();
    for (size_t i = 0; i < scope_count(template->scope); i += 2)
        slots[i] = value_integer((int64_t)i);
    for (size_t i = 0; i < template->let_count; i++)
        evaluate(template->lets[i].value, slots);
    walk(&template->setup.body, slots);
    walk(&template->prepare.body, slots);
    walk(&template->launch.body, slots);
    walk(&template->reference.body, slots);
    free(slots);
    template_free(template);
    return 0;
}
