/* SPDX-License-Identifier: Apache-2.0 */
/*
 * learnt.h - what calls of a program have taught: the answer for a configuration that they try, and the row that the
 * next run begins with.
 */
#ifndef TUNE_LIBRARY_LEARNT_H
#define TUNE_LIBRARY_LEARNT_H

#include "tuner/library/answer.h"
#include "tuner/library/trials.h"
#include "tuner/select/contenders.h"

struct learnt {
    const struct tune_answer *began_with, *now;
    const struct contenders *contenders;
    const struct trials *trials;
    const char *compiler;
};

/* An answer for the same problem with another configuration. */
bool learnt_answer(const struct tune_answer *answer, const char *configuration, struct tune_answer **result,
                   struct error *error);

/* Store it (store_online_put) in the database, which is created if it is not there. */
bool learnt_store(const char *database, const struct learnt *learnt, struct error *error);

#endif
