/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/rehearsal.h"

#include "tuner/library/alike.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = BUFFER_GUARD_BYTES, GUARD_BYTE = 0xa5, ROUND = 256 };
static const uint8_t poisons[] = {0xff, 0x5a}; /* of outputs, in turn */

struct copies {
    uint64_t memory;   /* of both; 0: none */
    uint64_t own;      /* what the candidate is launched with, between guard bands */
    uint64_t expected; /* what the incumbent has left */
    uint64_t bytes;
    enum tune_role role;
};

struct rehearsal {
    const struct attached *attached;
    struct device *view; /* for the thread that judges */
    struct copies *list;
    struct tune_buffer *buffers;
    size_t count;
    size_t turn; /* of the poisons */
};

/* ---- what can be rehearsed */

static const char *results_obstacle(const struct variant *variant)
{
    const struct job_case *one = code_case(variant->code);
    bool *is_output = calloc(one->buffer_count + 1, sizeof *is_output);
    if (!is_output)
        return "memory ran out";
    for (size_t i = 0; i < variant->passed.count; i++)
        is_output[variant->passed.list[i].result] |= variant->passed.list[i].role != TUNE_IN;
    const char *why = alike_obstacle(one, is_output);
    free(is_output);
    return why;
}

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + ROUND - 1) / ROUND * ROUND;
}

/* Two copies and three guard bands: before, between and behind them. */
static uint64_t room_of(const struct passed_buffer *buffer)
{
    return 2 * rounded(buffer->bytes) + 3 * (uint64_t)GUARD;
}

const char *rehearsal_obstacle(const struct variant *variant)
{
    const struct job_case *one = code_case(variant->code);
    const struct passed *passed = &variant->passed;
    uint64_t room = 0;
    if (variant_steps(variant, VARIANT_PREPARE)->count > 0 || variant_steps(variant, VARIANT_FINISH)->count > 0)
        return "it prepares or finishes, so that values stay with it from call to call";
    if (!variant->plans[VARIANT_LAUNCH])
        return "its launches depend on data, or use textures or several streams";
    for (size_t i = 0; i < passed->count; i++) {
        if (job_is_hosted(one, passed->list[i].memory))
            return "the host's cores run a part of it";
        if (passed->list[i].bytes > REHEARSAL_BYTES_MOST)
            return "its buffers are too large to be copied";
        room += room_of(&passed->list[i]);
    }
    if (room > REHEARSAL_BYTES_MOST)
        return "its buffers are too large to be copied";
    return results_obstacle(variant);
}

const char *rehearsal_mismatch(const struct variant *incumbent, const struct variant *candidate)
{
    const struct passed *one = &incumbent->passed, *other = &candidate->passed;
    if (one->count != other->count)
        return "it takes other buffers";
    for (size_t i = 0; i < one->count; i++) {
        if (one->list[i].role != other->list[i].role || one->list[i].bytes != other->list[i].bytes)
            return "it takes other buffers";
    }
    /* A program may use a kernel without memory of its own in several streams at once. */
    if (variant_bytes(incumbent) == 0 && variant_bytes(candidate) > 0)
        return "it needs memory of its own";
    return rehearsal_obstacle(candidate);
}

/* ---- memory */

static bool allocate(struct rehearsal *rehearsal, const struct passed_buffer *buffer, struct copies *copies,
                     struct error *error)
{
    *copies = (struct copies){.bytes = buffer->bytes, .role = buffer->role};
    if (!rehearsal->attached->driver->allocate(rehearsal->view, (size_t)room_of(buffer), &copies->memory, error))
        return false;
    copies->own = copies->memory + GUARD;
    copies->expected = copies->own + rounded(buffer->bytes) + GUARD;
    return true;
}

static bool fill(struct rehearsal *rehearsal, const struct variant *incumbent, struct error *error)
{
    const struct device_guest *guest = incumbent->code->attached->driver->guest;
    const size_t count = incumbent->passed.count;
    rehearsal->list = calloc(count + 1, sizeof *rehearsal->list);
    rehearsal->buffers = calloc(count + 1, sizeof *rehearsal->buffers);
    if (!rehearsal->list || !rehearsal->buffers)
        return error_out_of_memory(error);
    if (!guest->view(incumbent->code->attached->device, &rehearsal->view, error) ||
        (guest->aside && !guest->aside(rehearsal->view, error)))
        return false;
    for (; rehearsal->count < count; rehearsal->count++) {
        struct copies *copies = &rehearsal->list[rehearsal->count];
        if (!allocate(rehearsal, &incumbent->passed.list[rehearsal->count], copies, error))
            return false;
        rehearsal->buffers[rehearsal->count] = (struct tune_buffer){(void *)(uintptr_t)copies->own, copies->bytes};
    }
    return true;
}

bool rehearsal_open(const struct variant *incumbent, struct rehearsal **result, struct error *error)
{
    struct rehearsal *rehearsal = calloc(1, sizeof *rehearsal);
    if (!rehearsal)
        return error_out_of_memory(error);
    rehearsal->attached = incumbent->code->attached;
    if (!fill(rehearsal, incumbent, error)) {
        rehearsal_close(rehearsal);
        return false;
    }
    *result = rehearsal;
    return true;
}

void rehearsal_close(struct rehearsal *rehearsal)
{
    if (!rehearsal)
        return;
    const struct device_driver *driver = rehearsal->attached->driver;
    for (size_t i = 0; i < rehearsal->count; i++)
        driver->release(rehearsal->view, rehearsal->list[i].memory);
    if (rehearsal->view)
        driver->close(rehearsal->view);
    free(rehearsal->list);
    free(rehearsal->buffers);
    free(rehearsal);
}

/* ---- queueing */

static uint64_t address_of(const struct tune_buffer *buffer)
{
    return (uint64_t)(uintptr_t)buffer->address;
}

static bool copy(const struct rehearsal *rehearsal, void *stream, uint64_t to, uint64_t from, uint64_t bytes,
                 struct error *error)
{
    const struct attached *attached = rehearsal->attached;
    return bytes == 0 || attached->driver->guest->copy(attached->device, stream, to, from, (size_t)bytes, error);
}

/* From the guard band before the copy to the end of the one behind it; what it begins with comes after. */
static bool blank(const struct rehearsal *rehearsal, void *stream, const struct copies *copies, struct error *error)
{
    const struct attached *attached = rehearsal->attached;
    const struct device_guest *guest = attached->driver->guest;
    return guest->fill(attached->device, stream, copies->memory, GUARD_BYTE,
                       (size_t)(copies->expected - copies->memory), error) &&
           (copies->bytes == 0 ||
            guest->fill(attached->device, stream, copies->own,
                        poisons[rehearsal->turn % (sizeof poisons / sizeof *poisons)], (size_t)copies->bytes, error));
}

bool rehearsal_before(struct rehearsal *rehearsal, void *stream, const struct tune_buffer *buffers,
                      struct error *error)
{
    rehearsal->turn++;
    for (size_t i = 0; i < rehearsal->count; i++) {
        const struct copies *copies = &rehearsal->list[i];
        if (!blank(rehearsal, stream, copies, error) ||
            (copies->role != TUNE_OUT &&
             !copy(rehearsal, stream, copies->own, address_of(&buffers[i]), copies->bytes, error)))
            return false;
    }
    return true;
}

bool rehearsal_after(struct rehearsal *rehearsal, void *stream, const struct tune_buffer *buffers,
                     struct error *error)
{
    for (size_t i = 0; i < rehearsal->count; i++) {
        const struct copies *copies = &rehearsal->list[i];
        if (!copy(rehearsal, stream, copies->expected, address_of(&buffers[i]), copies->bytes, error))
            return false;
    }
    return true;
}

const struct tune_buffer *rehearsal_buffers(const struct rehearsal *rehearsal)
{
    return rehearsal->buffers;
}

/* ---- judging */

static bool is_filled(const unsigned char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && bytes[i] == GUARD_BYTE)
        i++;
    return i == count;
}

/* What was downloaded: guard bands and copy, then what is expected. */
static bool is_right(const struct copies *copies, const unsigned char *bytes, const struct alike_case *expected,
                     const struct alike_case *actual)
{
    const size_t size = (size_t)copies->bytes, behind = (size_t)(copies->expected - copies->own);
    struct alike_case one = *expected, other = *actual;
    one.bytes = bytes + GUARD + behind;
    other.bytes = bytes + GUARD;
    return is_filled(bytes, GUARD) && is_filled(bytes + GUARD + size, behind - size) &&
           (copies->role == TUNE_IN ? memcmp(one.bytes, other.bytes, size) == 0 : alike(&one, &other));
}

static bool judge_buffer(struct rehearsal *rehearsal, size_t index, const struct variant *incumbent,
                         const struct variant *candidate, bool *right, struct error *error)
{
    const struct copies *copies = &rehearsal->list[index];
    const struct alike_case expected = {code_case(incumbent->code), incumbent->passed.list[index].result, NULL},
                            actual = {code_case(candidate->code), candidate->passed.list[index].result, NULL};
    const size_t bytes = (size_t)(copies->expected - copies->memory + copies->bytes);
    unsigned char *values = malloc(bytes);
    if (!values)
        return error_out_of_memory(error);
    bool done = rehearsal->attached->driver->download(rehearsal->view, values, copies->memory, bytes, error);
    *right = done && is_right(copies, values, &expected, &actual);
    free(values);
    return done;
}

bool rehearsal_judge(struct rehearsal *rehearsal, const struct variant *incumbent, const struct variant *candidate,
                     bool *right, struct error *error)
{
    *right = true;
    for (size_t i = 0; i < rehearsal->count && *right; i++) {
        if (!judge_buffer(rehearsal, i, incumbent, candidate, right, error))
            return false;
    }
    return true;
}
