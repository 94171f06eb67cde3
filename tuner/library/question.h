/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.h - an answer that was not given before: what is known, what of it is valid here, or the default.
 */
#ifndef TUNE_LIBRARY_QUESTION_H
#define TUNE_LIBRARY_QUESTION_H

#include "tuner/library/answer.h"
#include "tuner/library/handle.h"

/* `device` is the problem's, or the one that stands in for none. */
bool question_answer(struct tune *tune, const struct tune_problem *problem, const char *device,
                     struct tune_answer **answer, struct error *error);

/* The default for the problem of an answer: what nothing is known of would be answered with. */
bool question_default(struct tune *tune, const struct tune_answer *answer, struct tune_answer **result,
                      struct error *error);

#endif
