/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity.h - what the database calls a problem.
 */
#ifndef TUNE_ENGINE_IDENTITY_H
#define TUNE_ENGINE_IDENTITY_H

#include "db/store.h"
#include "tuner/space/problem.h"

/* The strings belong to the problem and what it was made of. Reads the data files, if there are any. */
bool problem_identity(const struct problem *problem, struct store_problem *identity, struct error *error);

#endif
