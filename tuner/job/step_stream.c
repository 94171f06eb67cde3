/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_stream.h"

#include <inttypes.h>

static bool lower_stream(const struct unrolling *unrolling, const struct expr *expr, unsigned *stream)
{
    int64_t number;
    if (!lowering_integer(unrolling->lowering, expr, 0, &number))
        return false;
    if (number < 0 || number >= DEVICE_STREAMS)
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(expr),
                        "there is no stream %" PRId64 "; streams are numbered from 0, the main stream, to %d", number,
                        DEVICE_STREAMS - 1);
    *stream = (unsigned)number;
    return true;
}

bool step_stream_lower(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    return lower_stream(unrolling, statement->attributes.stream, &step->stream);
}

bool step_wait_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = unrolling_append(unrolling, list, STEP_WAIT);
    if (!step || !lower_stream(unrolling, statement->value, &step->stream) ||
        !lower_stream(unrolling, statement->awaited, &step->awaited))
        return false;
    return step->stream != step->awaited ||
           error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                    "stream %u waits for itself; what is queued in one stream is in order anyway", step->stream);
}
