/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/late.h"

#include "tuner/error/text_stream.h"
#include "tuner/job/formula.h"
#include "tuner/job/formula_text.h"
#include "tuner/lang/node.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static size_t slot_count(const struct lowering *lowering)
{
    return scope_count(lowering->template->scope);
}

static bool name_counts(const struct lowering *lowering)
{
    const struct template *template = lowering->template;
    for (size_t i = 0; i < template->count_count; i++) {
        size_t slot;
        if (!formula_name(lowering->job, template->counts[i].name, NAME_COUNT, &slot, lowering->error))
            return false;
    }
    lowering->job->count_count = template->count_count;
    return true;
}

bool late_begin(struct lowering *lowering)
{
    const struct template *template = lowering->template;
    if (template->count_count == 0 && !template->numbered)
        return true;
    struct late *late = lowering->late = calloc(1, sizeof *late);
    if (!late)
        return lowering_out_of_memory(lowering);
    late->known = calloc(slot_count(lowering) + 1, sizeof *late->known);
    late->fixed = calloc(slot_count(lowering) + 1, sizeof *late->fixed);
    late->extents = calloc(template->buffer_count + 1, sizeof *late->extents);
    late->made = calloc(template->buffer_count + 1, sizeof *late->made);
    late->marked = calloc(slot_count(lowering) + 1, sizeof *late->marked);
    if (!late->known || !late->fixed || !late->marked || !late->extents || !late->made)
        return lowering_out_of_memory(lowering);
    return name_counts(lowering);
}

static void clear_extents(const struct lowering *lowering)
{
    for (size_t i = 0; lowering->late->extents && i < lowering->template->buffer_count; i++) {
        free(lowering->late->extents[i]);
        lowering->late->extents[i] = NULL;
    }
}

void late_end(struct lowering *lowering)
{
    struct late *late = lowering->late;
    if (!late)
        return;
    clear_extents(lowering);
    free(late->extents);
    free(late->made);
    free(late->known);
    free(late->fixed);
    free(late->marked);
    free(late->trials);
    free(late);
    lowering->late = NULL;
}

void late_reset(const struct lowering *lowering)
{
    struct late *late = lowering->late;
    if (!late)
        return;
    clear_extents(lowering);
    memset(late->known, 0, slot_count(lowering) * sizeof *late->known);
    memset(late->fixed, 0, slot_count(lowering) * sizeof *late->fixed);
    memset(late->made, 0, lowering->template->buffer_count * sizeof *late->made);
}

bool *late_copy(const struct lowering *lowering)
{
    size_t bytes = lowering->late ? slot_count(lowering) * sizeof(bool) : 0;
    bool *copy = malloc(bytes + 1);
    if (!copy)
        lowering_out_of_memory(lowering);
    else if (bytes > 0)
        memcpy(copy, lowering->late->known, bytes);
    return copy;
}

void late_restore(const struct lowering *lowering, const bool *known)
{
    if (lowering->late)
        memcpy(lowering->late->known, known, slot_count(lowering) * sizeof *known);
}

void late_intersect(const struct lowering *lowering, const bool *known)
{
    for (size_t i = 0; lowering->late && i < slot_count(lowering); i++)
        lowering->late->known[i] = lowering->late->known[i] && known[i];
}

/* ---- what expressions depend on ---- */

static bool evaluates(const struct lowering *lowering, const struct expr *expr)
{
    struct value value, *values = NULL;
    size_t count;
    if (!expr->root->is_list)
        return expr_evaluate(expr, lowering->slots, &value, NULL);
    bool done = expr_list(expr, lowering->slots, &values, &count, NULL);
    free(values);
    return done;
}

/* The names without a value that it reads, directly or through lets without one. */
static const bool *mark(const struct lowering *lowering, const struct expr *expr)
{
    const struct template *template = lowering->template;
    bool *marked = lowering->late->marked;
    memset(marked, 0, slot_count(lowering) * sizeof *marked);
    expr_mark(expr, marked);
    for (size_t i = template->let_count; i-- > 0;) { /* a let reads only earlier ones */
        const struct let_declaration *let = &template->lets[i];
        if (marked[let->slot] && lowering->slots[let->slot].kind == VALUE_UNSET)
            expr_mark(let->value, marked);
    }
    for (size_t i = 0; i < slot_count(lowering); i++)
        marked[i] = marked[i] && lowering->slots[i].kind == VALUE_UNSET;
    return marked;
}

/* The first name that is known late, and the first count that is not known; slot_count: none. */
static void find(const struct lowering *lowering, const struct expr *expr, size_t *known, size_t *unknown)
{
    const struct scope *scope = lowering->template->scope;
    const bool *marked = mark(lowering, expr);
    *known = *unknown = slot_count(lowering);
    for (size_t i = slot_count(lowering); i-- > 0;) {
        if (marked[i] && lowering->late->known[i])
            *known = i;
        else if (marked[i] && scope_kind(scope, i) == NAME_COUNT)
            *unknown = i;
    }
}

bool late_is(const struct lowering *lowering, const struct expr *expr)
{
    size_t known, unknown;
    if (!lowering->late || !expr || evaluates(lowering, expr))
        return false;
    find(lowering, expr, &known, &unknown);
    return known < slot_count(lowering) && unknown == slot_count(lowering);
}

bool late_blame(const struct lowering *lowering, const struct expr *expr)
{
    const struct scope *scope = lowering->template->scope;
    size_t known, unknown;
    if (!lowering->late)
        return false;
    find(lowering, expr, &known, &unknown);
    if (unknown < slot_count(lowering)) {
        const char *name = scope_name(scope, unknown);
        error_at(lowering->error, ERROR_INPUT, expr_place(expr), "this depends on %s, which has not been read here",
                 name);
        return error_hint(lowering->error,
                          "`read %s = ...` must stand before it, in this block or in one that runs earlier", name);
    }
    if (known < slot_count(lowering)) {
        error_at(lowering->error, ERROR_INPUT, expr_place(expr),
                 "this cannot depend on %s, which is known only when the launches run", scope_name(scope, known));
        return error_hint(lowering->error, "grids, shared memory, arguments, offsets, ranges and conditions may");
    }
    return false;
}

/* ---- formulas ---- */

char *late_text(const struct lowering *lowering, const struct expr *expr, const struct node *item)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, lowering->error))
        return NULL;
    if (formula_text_write(lowering, expr, item, stream.out))
        return text_stream_close(&stream, lowering->error);
    text_stream_discard(&stream);
    return NULL;
}

static struct job_late *late_of(const struct lowering *lowering, struct place place, struct job_step *step)
{
    if (step->late)
        return step->late;
    step->late = calloc(1, sizeof *step->late);
    if (!step->late || (place.file && !(step->late->file = strdup(place.file))) ||
        !lowering_place(place, 0, &step->late->place)) {
        lowering_out_of_memory(lowering);
        return NULL;
    }
    return step->late;
}

bool late_add(const struct lowering *lowering, struct place place, struct job_step *step, struct job_formula formula,
              char *text)
{
    struct job_late *late = text ? late_of(lowering, place, step) : NULL;
    struct job_formula *longer = late ? realloc(late->formulas, (late->formula_count + 1) * sizeof *longer) : NULL;
    if (!longer) {
        free(text);
        return text && late ? lowering_out_of_memory(lowering) : false;
    }
    late->formulas = longer;
    formula.text = text;
    longer[late->formula_count] = formula;
    struct job_formula *added = &longer[late->formula_count++];
    struct error cause = {0};
    if (formula_parse(lowering->job, added, &cause))
        return true;
    if (cause.code != ERROR_INPUT)
        return error_out_of_memory(lowering->error);
    error_at(lowering->error, ERROR_INPUT, place, "with the values of its names, an expression cannot be read: %s",
             cause.text);
    return error_hint(lowering->error, "the variable of a comprehension may have the name of another one in a let");
}

/* Every name has a trial, if only an unknown one. */
static bool grow_trials(const struct lowering *lowering)
{
    struct late *late = lowering->late;
    size_t count = lowering->job->name_count;
    if (count <= late->trial_count)
        return true;
    struct value *longer = realloc(late->trials, count * sizeof *longer);
    if (!longer)
        return lowering_out_of_memory(lowering);
    memset(longer + late->trial_count, 0, (count - late->trial_count) * sizeof *longer);
    late->trials = longer;
    late->trial_count = count;
    return true;
}

bool late_trial(const struct lowering *lowering, const struct job_step *step, struct value *value)
{
    const struct job_late *late = step->late;
    if (!grow_trials(lowering))
        return false;
    if (!expr_evaluate(late->formulas[late->formula_count - 1].expr, lowering->late->trials, value, NULL))
        value->kind = VALUE_UNSET;
    return true;
}

bool late_set(const struct lowering *lowering, struct place place, struct job_step *step, size_t slot,
              struct value trial)
{
    const struct scope *scope = lowering->template->scope;
    const char *name = scope_name(scope, slot);
    if (!late_name(lowering, place, step, name) ||
        !formula_name(lowering->job, name, scope_kind(scope, slot), &step->late->slot, lowering->error))
        return false;
    lowering->late->known[slot] = true;
    lowering->slots[slot] = (struct value){.kind = VALUE_UNSET};
    if (!grow_trials(lowering))
        return false;
    lowering->late->trials[step->late->slot] = trial;
    return true;
}

bool late_name(const struct lowering *lowering, struct place place, struct job_step *step, const char *name)
{
    struct job_late *late = late_of(lowering, place, step);
    if (!late)
        return false;
    if (name && !late->name)
        late->name = strdup(name);
    return !name || late->name || lowering_out_of_memory(lowering);
}

/* ---- extents ---- */

/* The product of its dimensions. */
static char *extent_text(const struct lowering *lowering, const struct buffer_declaration *declaration)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, lowering->error))
        return NULL;
    for (size_t i = 0; i < declaration->dimension_count; i++) {
        fputs(i ? " * " : "", stream.out);
        if (!formula_text_write(lowering, declaration->dimensions[i], NULL, stream.out)) {
            text_stream_discard(&stream);
            return NULL;
        }
    }
    return text_stream_close(&stream, lowering->error);
}

bool late_extent(const struct lowering *lowering, size_t buffer, const struct buffer_declaration *declaration,
                 bool *is_late)
{
    struct late *late = lowering->late;
    *is_late = false;
    if (!late)
        return true;
    bool *before = late_copy(lowering);
    if (!before)
        return false;
    for (size_t i = 0; i < lowering->template->count_count; i++)
        late->known[lowering->template->counts[i].slot] = true;
    *is_late = late_is(lowering, declaration->extent);
    if (*is_late)
        late->extents[buffer] = extent_text(lowering, declaration);
    late_restore(lowering, before);
    free(before);
    return !*is_late || late->extents[buffer];
}

bool late_extent_reads(const struct lowering *lowering, size_t buffer, size_t slot)
{
    return lowering->late->extents[buffer] && mark(lowering, lowering->template->buffers[buffer].extent)[slot];
}
