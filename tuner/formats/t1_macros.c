/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_macros.h"

#include "tuner/formats/draft_values.h"
#include "tuner/formats/t1_expressions.h"
#include "tuner/source/kernel_macros.h"
#include "tuner/source/macro_guard.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 32 }; /* smaller numbers are equal by chance too often */

static bool has_value(const struct t1 *t1, size_t size, long long value)
{
    char *end;
    long long extent = strtoll(t1->size_values[size], &end, 10);
    return !*end && extent == value;
}

/* The extent that a name speaks of, or T1_DIMENSIONS. */
static size_t axis_of(const char *name)
{
    static const struct {
        const char *word;
        size_t axis;
    } words[] = {{"width", 0}, {"col", 0}, {"height", 1}, {"row", 1}, {"depth", 2}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasestr(name, words[i].word))
            return words[i].axis;
    }
    enum draft_axis axis = draft_axis_of(name);
    return axis == DRAFT_NO_AXIS ? T1_DIMENSIONS : (size_t)axis;
}

static bool is_taken(const struct t1 *t1, size_t size)
{
    for (size_t i = 0; i < t1->macro_count; i++) {
        if (t1->macros[i].size == size)
            return true;
    }
    return false;
}

/* The size that a macro stands for: the one that its name speaks of, else the first that no other stands for, else
 * the first. T1_DIMENSIONS: none has its value. */
static size_t size_of(const struct t1 *t1, const struct kernel_macro *macro)
{
    size_t first = T1_DIMENSIONS, left = T1_DIMENSIONS, spoken = axis_of(macro->name);
    for (size_t i = 0; i < t1->size_count; i++) {
        if (!has_value(t1, i, macro->value))
            continue;
        if (i == spoken)
            return i;
        first = first == T1_DIMENSIONS ? i : first;
        left = left == T1_DIMENSIONS && !is_taken(t1, i) ? i : left;
    }
    return left < T1_DIMENSIONS ? left : first;
}

/* `*guarded`: the source may be told another value now. */
static bool guard(struct t1 *t1, const char *name, bool *guarded, struct error *error)
{
    struct guarded_source source;
    if (!macro_guard(t1->source.file.bytes, t1->source.file.length, name, &source))
        return error_out_of_memory(error);
    *guarded = source.text;
    if (!source.text)
        return true;
    free(t1->source.file.bytes);
    t1->source.file.bytes = source.text;
    t1->source.file.length = source.length;
    return true;
}

static bool read_macro(struct t1 *t1, const struct kernel_macro *macro, size_t size, struct error *error)
{
    bool usable;
    if (!t1_name_is_free(t1, macro->name, &usable, error))
        return false;
    usable = usable && t1->macro_count < T1_MACROS_MOST && draft_purpose_of(macro->name) == DRAFT_OTHER;
    if (usable && !guard(t1, macro->name, &usable, error))
        return false;
    const char *does =
        usable ? "it is a size here, with that value unless told otherwise" : "for another change it there, too";
    fprintf(t1->notes.out, "line %u of the source fixes %s to %s = %lld: %s\n", macro->line, macro->name,
            t1->sizes[size], macro->value, does);
    if (!usable)
        return true;
    t1->macros[t1->macro_count].name = t1_format(t1, error, "%s", macro->name);
    t1->macros[t1->macro_count].size = size;
    return t1->macros[t1->macro_count++].name;
}

bool t1_read_macros(struct t1 *t1, struct error *error)
{
    struct kernel_macros macros;
    if (!t1->source.file.bytes || t1->foreign)
        return true;
    if (!kernel_macros_scan(t1->source.file.bytes, t1->source.file.length, false, &macros))
        return error_out_of_memory(error);
    bool done = true;
    for (size_t i = 0; done && i < macros.count; i++) {
        const struct kernel_macro *macro = &macros.items[i];
        size_t size = size_of(t1, macro);
        if (macro->kind == KERNEL_MACRO_FIXED && macro->value >= LEAST && size < T1_DIMENSIONS)
            done = read_macro(t1, macro, size, error);
    }
    free(macros.items);
    return done;
}
