/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/case.h"

#include "tuner/job/checks.h"
#include "tuner/job/data.h"
#include "tuner/job/late.h"
#include "tuner/job/layouts.h"
#include "tuner/job/scalar.h"
#include "tuner/job/step_host.h"
#include "tuner/job/steps.h"
#include "tuner/job/write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool set_size_text(const struct lowering *lowering, struct job_case *now)
{
    const struct template *template = lowering->template;
    struct size_setting *sizes = calloc(template->size_count + 1, sizeof *sizes);
    for (size_t i = 0; i < template->size_count && sizes; i++)
        sizes[i] = (struct size_setting){template->sizes[i].name, lowering->slots[template->sizes[i].slot].integer};
    now->size_text = sizes ? sizes_text(sizes, template->size_count) : NULL;
    free(sizes);
    return now->size_text || lowering_out_of_memory(lowering);
}

/* --- buffers --- */

/* Does a number fit the types of all leaves? An `exclusive` bound of integers is not one of them. */
static bool fits_leaves(const struct lowering *lowering, const struct layout *layout, const struct expr *expr,
                        bool exclusive, struct value value, double number)
{
    unsigned char ignored[8];
    for (size_t leaf = 0; leaf < layout->leaf_count;) {
        struct leaf_run run = layout_run(layout, leaf, layout->leaf_count);
        bool integer = !element_types[run.element].floating;
        if (!scalar_convert(exclusive && integer ? value_float(number - 1) : value, run.element, expr_place(expr),
                            ignored, lowering->error))
            return false;
        leaf += run.count;
    }
    return true;
}

/* An argument of an initial value; an `exclusive` one is an upper bound that the elements do not reach. */
static bool lower_initial(const struct lowering *lowering, const struct buffer_declaration *declaration,
                          const struct expr *expr, bool exclusive, double *result)
{
    struct value value;
    if (!lowering_value(lowering, expr, &value) || !lowering_number(lowering, expr, 0, result))
        return false;
    if (!isfinite(*result))
        return error_at(lowering->error, ERROR_INPUT, expr_place(expr),
                        "the initial value of buffer %s is not finite", declaration->name);
    return fits_leaves(lowering, declaration->type->layout, expr, exclusive, value, *result);
}

static bool lower_initials(const struct lowering *lowering, const struct buffer_declaration *declaration,
                           struct job_buffer *buffer)
{
    bool uniform = declaration->initial == INITIAL_UNIFORM;
    if (buffer->initial == INITIAL_FILE) /* it has been read */
        return true;
    buffer->initial = declaration->initial;
    if (declaration->initial == INITIAL_FILE)
        return error_at(lowering->error, ERROR_INPUT, declaration->file_place, "the file of %s has not been read",
                        declaration->name);
    if (!uniform && declaration->initial != INITIAL_CONSTANT)
        return true;
    if (!lower_initial(lowering, declaration, declaration->a, false, &buffer->a))
        return false;
    if (!uniform)
        return true;
    if (!lower_initial(lowering, declaration, declaration->b, true, &buffer->b))
        return false;
    if (buffer->a >= buffer->b)
        return error_at(lowering->error, ERROR_INPUT, expr_place(declaration->a),
                        "buffer %s: uniform(%g, %g) is an empty range", declaration->name, buffer->a, buffer->b);
    return true;
}

/* What the reference and other configurations see must have its extent before the launches. */
static bool check_late(const struct lowering *lowering, const struct buffer_declaration *declaration)
{
    bool own = declaration->role == BUFFER_TEMP || declaration->role == BUFFER_SCRATCH;
    if (!own) {
        error_at(lowering->error, ERROR_INPUT, expr_place(declaration->extent),
                 "the extent of %s depends on counts; only that of a temp or scratch buffer may", declaration->name);
        return error_hint(lowering->error, "let it have as many elements as it can have at most");
    }
    return declaration->initial != INITIAL_FILE ||
           error_at(lowering->error, ERROR_INPUT, declaration->file_place,
                    "%s is read from a file, but its extent depends on counts", declaration->name);
}

static bool lower_buffer(const struct lowering *lowering, struct job_case *now,
                         const struct buffer_declaration *declaration, struct job_buffer *buffer)
{
    int64_t extent, bytes;
    buffer->name = strdup(declaration->name);
    buffer->layout = layouts_add(lowering->job, declaration->type->layout);
    if (!buffer->name || !buffer->layout)
        return lowering_out_of_memory(lowering);
    buffer->role = declaration->role;
    size_t index = (size_t)(buffer - now->buffers);
    bool late;
    if (!late_extent(lowering, index, declaration, &late))
        return false;
    if (late) {
        now->late[index] = true;
        return check_late(lowering, declaration) && lower_initials(lowering, declaration, buffer);
    }
    if (!lowering_integer(lowering, declaration->extent, 0, &extent))
        return false;
    if (extent < 0)
        return error_at(lowering->error, ERROR_INPUT, expr_place(declaration->extent),
                        "buffer %s has a negative extent (%" PRId64 ")", declaration->name, extent);
    if (__builtin_mul_overflow(extent, (int64_t)buffer->layout->bytes, &bytes))
        return error_at(lowering->error, ERROR_INPUT, expr_place(declaration->extent),
                        "buffer %s has %" PRId64 " elements, too many to address", declaration->name, extent);
    buffer->extent = (uint64_t)extent;
    return data_lower_initial(lowering, now, index) && lower_initials(lowering, declaration, buffer);
}

static bool lower_buffers(const struct lowering *lowering, struct job_case *now)
{
    const struct template *template = lowering->template;
    now->buffers = calloc(template->buffer_count + 1, sizeof *now->buffers);
    now->late = calloc(template->buffer_count + 1, sizeof *now->late);
    if (!now->buffers || !now->late)
        return lowering_out_of_memory(lowering);
    for (size_t i = 0; i < template->buffer_count; i++) {
        if (!lower_buffer(lowering, now, &template->buffers[i], &now->buffers[now->buffer_count++]))
            return false;
    }
    return true;
}

/* --- memory --- */

/* "12.5 GiB" */
static const char *readable(double bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

static bool is_compared(const struct template *template, size_t buffer)
{
    for (size_t i = 0; i < template->check_count; i++) {
        if (template->checks[i].buffer == buffer && !template->checks[i].below)
            return true;
    }
    return false;
}

/* Compared buffers also need the reference's values and magnitudes, both in double. */
static bool check_memory(const struct lowering *lowering, const struct job_case *now)
{
    const struct template *template = lowering->template;
    double need = 0, largest = -1;
    size_t culprit = 0;
    for (size_t i = 0; i < now->buffer_count; i++) {
        const struct layout *layout = now->buffers[i].layout;
        assert(layout);
        size_t element = layout->bytes;
        if (now->buffers[i].initial == INITIAL_FILE)
            element *= 2; /* with a copy, to restore it from and to compare with */
        if (is_compared(template, i))
            element += 2 * sizeof(double) * layout->leaf_count;
        double bytes = (double)now->buffers[i].extent * (double)element + 2 * BUFFER_GUARD_BYTES;
        need += bytes;
        if (bytes > largest) {
            largest = bytes;
            culprit = i;
        }
    }
    double available = (double)lowering->device->memory_bytes;
    if (available <= 0 || need <= available)
        return true;
    char need_text[32], available_text[32], largest_text[32];
    error_at(lowering->error, ERROR_DOES_NOT_FIT, template->buffers[culprit].place,
             "size %s needs %s of memory, but the device has %s; the largest buffer, %s, takes %s with its reference",
             now->size_text, readable(need, need_text), readable(available, available_text),
             now->buffers[culprit].name, readable(largest, largest_text));
    return error_hint(lowering->error, "choose smaller sizes with --size");
}

/* --- sequences, work --- */

/*
 * The launches may leave buffers swapped. The results of y are then in another buffer, which is checked instead of y.
 * Roles follow, since outputs are the buffers with a check.
 */
static bool move_roles(const struct lowering *lowering, struct job_case *now, const size_t *swapped)
{
    for (size_t i = 0; i < now->buffer_count; i++) {
        if (swapped[i] != i && now->buffers[i].role == BUFFER_OUT)
            now->buffers[i].role = BUFFER_TEMP;
    }
    for (size_t i = 0; i < now->check_count; i++) {
        struct job_check *check = &now->checks[i];
        const size_t named = check->buffer;
        check->buffer = swapped[named];
        if (now->buffers[check->buffer].role == BUFFER_TEMP)
            now->buffers[check->buffer].role = BUFFER_OUT;
        if (check->buffer == named)
            continue;
        check->name = strdup(now->buffers[named].name);
        if (!check->name)
            return lowering_out_of_memory(lowering);
    }
    return true;
}

/*
 * In the order in which they run, so that each knows the counts that were read before it. The reference follows the
 * setup: it does not depend on the configuration. Only then is it known which buffers hold the results.
 */
static bool lower_blocks(const struct lowering *lowering, struct job_case *now, bool *early, size_t *swapped)
{
    const struct template *template = lowering->template;
    struct job *job = lowering->job;
    if (!steps_lower(lowering, &template->setup, now, swapped, &job->setup, NULL, &now->setup))
        return false;
    if (lowering->late)
        memcpy(early, lowering->late->known, scope_count(template->scope) * sizeof *early);
    if (!steps_lower(lowering, &template->prepare, now, swapped, &job->program, NULL, &now->prepare) ||
        !steps_lower(lowering, &template->launch, now, swapped, &job->program, swapped, &now->launch) ||
        !steps_lower(lowering, &template->finish, now, swapped, &job->program, NULL, &now->finish) ||
        !steps_lower(lowering, &template->verify, now, swapped, &job->verify, NULL, &now->verify))
        return false;
    late_restore(lowering, early);
    return steps_lower(lowering, &template->reference, now, swapped, &job->reference, NULL, &now->reference);
}

static bool is_swapped(const size_t *holders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (holders[i] != i)
            return true;
    }
    return false;
}

static bool lower_sequences(const struct lowering *lowering, struct job_case *now)
{
    size_t *swapped = calloc(now->buffer_count + 1, sizeof *swapped);
    bool *early = late_copy(lowering);
    if (!swapped || !early) {
        free(swapped);
        free(early);
        return lowering_out_of_memory(lowering);
    }
    for (size_t i = 0; i < now->buffer_count; i++)
        swapped[i] = i;
    bool done = lower_blocks(lowering, now, early, swapped) && checks_lower(lowering, now) &&
                move_roles(lowering, now, swapped) && step_host_place(lowering, now);
    if (done && is_swapped(swapped, now->buffer_count))
        now->holders = swapped;
    else
        free(swapped);
    free(early);
    return done;
}

static bool lower_work(const struct lowering *lowering, struct work *work)
{
    for (size_t i = 0; i < WORK_COUNT; i++) {
        const struct expr *expr = lowering->template->work[i];
        if (!lowering_number(lowering, expr, 0, &work->of[i]))
            return false;
        if (!isfinite(work->of[i]) || work->of[i] < 0)
            return error_at(lowering->error, ERROR_INPUT, expr_place(expr),
                            "work: %s is %g; it must be finite and not negative", work_kinds[i].name, work->of[i]);
    }
    return true;
}

static bool set_reference_key(const struct lowering *lowering, struct job_case *now)
{
    char *text = write_inputs(lowering->job, now, lowering->template->hash);
    if (!text)
        return lowering_out_of_memory(lowering);
    now->reference_key = XXH3_64bits(text, strlen(text));
    free(text);
    return true;
}

bool case_lower(const struct lowering *lowering, struct job_case *now)
{
    late_reset(lowering);
    memset(lowering->textured, 0, lowering->template->buffer_count * sizeof *lowering->textured);
    memset(lowering->moved, 0, lowering->template->buffer_count * sizeof *lowering->moved);
    memset(lowering->hosted, 0, lowering->template->buffer_count * sizeof *lowering->hosted);
    return set_size_text(lowering, now) && lower_buffers(lowering, now) && check_memory(lowering, now) &&
           lower_sequences(lowering, now) && lower_work(lowering, &now->work) && set_reference_key(lowering, now);
}
