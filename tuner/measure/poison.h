/* SPDX-License-Identifier: Apache-2.0 */
/*
 * poison.h - does a result depend on what was in an out or temp buffer before, or on what lies outside of a buffer?
 *
 * A kernel that reads such a buffer before it writes it can be right by luck: for the poison in it, and never again.
 * The same goes for one that reads out of bounds, and where a buffer is too small the reference may well read the
 * same guard band. So what was right once is run again with other poison and other guard bands, and must be right
 * again.
 */
#ifndef TUNE_MEASURE_POISON_H
#define TUNE_MEASURE_POISON_H

#include "tuner/measure/validate.h"

/*
 * Prepare and launch again, with other poison and guard bands, and validate the result. A failure sets the
 * evaluation's outcome and message, which names the buffer; if it comes as well with the values as before, it is
 * reported as what it is. False only if the device fails. Waits.
 */
bool poison_check(struct validation_kernels *validation, const struct validated_run *run, const char *when,
                  struct evaluation *evaluation, struct error *error);

#endif
