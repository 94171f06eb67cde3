/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spaces.h - the spaces that lie beside a template, parsed once for any number of problems.
 */
#ifndef TUNE_LIBRARY_SPACES_H
#define TUNE_LIBRARY_SPACES_H

#include "tuner/lang/space.h"

struct spaces {
    const struct template *template;
    struct space **list; /* in the order in which they are asked: the largest ones first, which are the likeliest */
    size_t count;
};

/* Is it a member of one before it, which has all its configurations? */
bool spaces_is_covered(const struct spaces *spaces, size_t index);

/* A space with an error is left out. The template must outlive them. Clear them in any case. */
bool spaces_read(const struct template *template, struct spaces *spaces, struct error *error);
void spaces_clear(struct spaces *spaces);

#endif
