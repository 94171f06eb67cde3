/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/checks.h"

#include "tuner/job/data.h"
#include "tuner/job/late.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A worker has no template at hand; it names its lines nevertheless. */
static bool set_place(const struct lowering *lowering, const struct check *check, struct job_check *result)
{
    struct error located;
    error_at(&located, ERROR_INPUT, check->place, "%s", "");
    if (!located.file[0])
        return true;
    result->file = strdup(located.file);
    result->line = located.line;
    result->column = located.column;
    return result->file || lowering_out_of_memory(lowering);
}

static bool add_end(const struct lowering *lowering, const struct check *check, struct job_step *holder,
                    enum formula_use use, const struct expr *end, uint64_t absent)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, absent);
    char *formula = end ? late_text(lowering, end, NULL) : strdup(text);
    if (!formula && !end)
        return lowering_out_of_memory(lowering);
    return late_add(lowering, check->place, holder, (struct job_formula){.use = use}, formula);
}

/* If one of the ends depends on counts, both are found once the reference has run. */
static bool lower_late_range(const struct lowering *lowering, const struct check *check,
                             const struct job_buffer *buffer, struct job_check *result)
{
    struct job_step holder = {0};
    bool done = add_end(lowering, check, &holder, FORMULA_FIRST, check->first, 0) &&
                add_end(lowering, check, &holder, FORMULA_LAST, check->last, buffer->extent);
    result->late = holder.late;
    return done;
}

/* The elements of the check's buffer that are compared, as in copies. */
static bool lower_range(const struct lowering *lowering, const struct check *check, const struct job_buffer *buffer,
                        struct job_check *result)
{
    int64_t first, last;
    result->partial = check->partial;
    if (!check->partial)
        return true;
    if (late_is(lowering, check->first) || late_is(lowering, check->last))
        return lower_late_range(lowering, check, buffer, result);
    if (!lowering_integer(lowering, check->first, 0, &first) ||
        !lowering_integer(lowering, check->last, (int64_t)buffer->extent, &last))
        return false;
    if (first < 0 || last < first || (uint64_t)last > buffer->extent)
        return error_at(lowering->error, ERROR_INPUT, check->place,
                        "%s[%" PRId64 " : %" PRId64 "] is not a range of the buffer, which has %" PRIu64 " elements",
                        buffer->name, first, last, buffer->extent);
    result->first = (uint64_t)first;
    result->count = (uint64_t)(last - first);
    return true;
}

/* Ranges that depend on counts are compared with none. */
static bool overlap(const struct job_check *check, const struct job_check *other, const struct layout *layout)
{
    if (check->late || other->late)
        return false;
    const size_t leaves = job_check_leaves(check, layout), others = job_check_leaves(other, layout);
    return check->first_leaf < other->first_leaf + others && other->first_leaf < check->first_leaf + leaves &&
           check->count && other->count && check->first < other->first + other->count &&
           other->first < check->first + check->count;
}

static bool refuse_overlap(const struct lowering *lowering, struct place place, const char *buffer,
                           const struct job_check *check, const struct job_check *other)
{
    return error_at(
        lowering->error, ERROR_INPUT, place,
        "%s[%" PRIu64 " : %" PRIu64 "] overlaps with %s[%" PRIu64 " : %" PRIu64 "], which is checked, too", buffer,
        check->first, check->first + check->count, buffer, other->first, other->first + other->count);
}

/* The checks of a buffer must not overlap, and not all of them be empty. */
static bool check_ranges(const struct lowering *lowering, const struct job_case *now)
{
    for (size_t i = 0; i < now->check_count; i++) {
        const struct job_check *check = &now->checks[i];
        const struct job_buffer *buffer = &now->buffers[check->buffer];
        struct place place = lowering->template->checks[i].place;
        uint64_t compared = 0;
        assert(buffer->layout);
        for (size_t j = 0; j < now->check_count; j++) {
            const struct job_check *other = &now->checks[j];
            if (other->buffer != check->buffer)
                continue;
            compared += other->late ? 1 : job_check_count(other, buffer->extent);
            if (j < i && overlap(check, other, buffer->layout))
                return refuse_overlap(lowering, place, buffer->name, check, other);
        }
        if (compared == 0 && buffer->extent > 0)
            return error_at(lowering->error, ERROR_INPUT, place, "no element of %s is checked: the range is empty",
                            buffer->name);
    }
    return true;
}

/* A part of the tolerance; NULL: 0. */
static bool lower_bound(const struct lowering *lowering, const char *name, const struct expr *expr, double *bound)
{
    if (!lowering_number(lowering, expr, 0, bound))
        return false;
    return (isfinite(*bound) && *bound >= 0) ||
           error_at(lowering->error, ERROR_INPUT, expr_place(expr),
                    "check %s: the bound is %g; it must be finite and not negative", name, *bound);
}

static bool lower_tolerance(const struct lowering *lowering, const struct check *check, const char *name,
                            struct job_check *result)
{
    result->below = check->below;
    result->exact = !check->below && !check->bound && !check->absolute;
    if (!lower_bound(lowering, name, check->bound, &result->bound) ||
        !lower_bound(lowering, name, check->below ? check->below : check->absolute, &result->absolute))
        return false;
    return !check->unordered || result->bound <= 1 ||
           error_at(lowering->error, ERROR_INPUT, expr_place(check->bound),
                    "check %s: the bound is %g; that of an unordered check must not exceed 1", name, result->bound);
}

bool checks_lower(const struct lowering *lowering, struct job_case *now)
{
    const struct template *template = lowering->template;
    now->checks = calloc(template->check_count + 1, sizeof *now->checks);
    if (!now->checks)
        return lowering_out_of_memory(lowering);
    for (size_t i = 0; i < template->check_count; i++) {
        const struct check *check = &template->checks[i];
        const struct job_buffer *buffer = &now->buffers[check->buffer];
        struct job_check *result = &now->checks[now->check_count++];
        assert(buffer->layout);
        result->buffer = check->buffer;
        result->first_leaf = check->first_leaf;
        result->leaf_count = check->leaf_count == buffer->layout->leaf_count ? 0 : check->leaf_count;
        result->nonfinite = check->nonfinite;
        result->unordered = check->unordered;
        if (!set_place(lowering, check, result) ||
            (!check->below && !data_lower_expected(lowering, now, check->buffer, result)) ||
            !lower_range(lowering, check, buffer, result) || !lower_tolerance(lowering, check, buffer->name, result))
            return false;
    }
    return check_ranges(lowering, now);
}
