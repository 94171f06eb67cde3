/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rehearsal.h - a candidate's run beside the incumbent's, on copies of what the program passes, and the comparison of
 * what the two leave.
 *
 * Of each buffer there are two copies in memory of the library's own. One is what the candidate is launched with:
 * inputs are copied before, outputs filled with bytes that differ from rehearsal to rehearsal, and guard bands lie on
 * both sides. The other is what the incumbent has left. The candidate is right if its inputs are still the program's,
 * its outputs are alike (alike.h) and its guard bands are whole.
 *
 * All that is in the program's stream is queued; what waits is done in a thread of the library's own.
 */
#ifndef TUNE_LIBRARY_REHEARSAL_H
#define TUNE_LIBRARY_REHEARSAL_H

#include "tuner/library/variant.h"

#define REHEARSAL_BYTES_MOST (UINT64_C(1) << 30) /* of all copies */

struct rehearsal;

/* Why a variant's results cannot be compared with another's, so that nothing can be tried; NULL: they can. */
const char *rehearsal_obstacle(const struct variant *variant);

/* Why this one cannot stand in for the other, what it computes apart; NULL: it can. */
const char *rehearsal_mismatch(const struct variant *incumbent, const struct variant *candidate);

/* Allocate the copies: in the device's context, as all that follows, and in the thread that judges. False: also if
 * there is no memory for them. */
bool rehearsal_open(const struct variant *incumbent, struct rehearsal **result, struct error *error);
void rehearsal_close(struct rehearsal *rehearsal);

/* Queue what comes before the incumbent's launch, and after it; `buffers` are the program's. */
bool rehearsal_before(struct rehearsal *rehearsal, void *stream, const struct tune_buffer *buffers,
                      struct error *error);
bool rehearsal_after(struct rehearsal *rehearsal, void *stream, const struct tune_buffer *buffers,
                     struct error *error);
/* What the candidate is launched with. */
const struct tune_buffer *rehearsal_buffers(const struct rehearsal *rehearsal);

/* When all that was reached: is it right? False: the device, or memory of the host, fails. */
bool rehearsal_judge(struct rehearsal *rehearsal, const struct variant *incumbent, const struct variant *candidate,
                     bool *right, struct error *error);

#endif
