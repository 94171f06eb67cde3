/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draft.h - a first template, space and reference for somebody's kernel, guessed from its source (`tune new`).
 *
 * The guesses: pointers to const are inputs, what the body only assigns is an output, everything else is both; whole
 * numbers are problem sizes, and every buffer has as many elements as their product; macros with a default, words in
 * capitals that nothing defines, and whole template parameters are tunable, with values by their names. The texts say
 * what was guessed, so that whoever knows the kernel can correct it.
 *
 * The reference begins as the kernel itself in its default configuration, so that the first sweep runs at once;
 * beside it lies the frame of an independent one.
 */
#ifndef TUNE_FORMATS_DRAFT_H
#define TUNE_FORMATS_DRAFT_H

#include "tuner/error/error.h"

/* What is drafted. */
struct draft_subject {
    const char *name;        /* of the template and the space */
    const char *path;        /* of the source, for errors */
    const char *source_file; /* the source beside the template */
    const char *text;        /* its text */
    size_t length;
    const char *kernel; /* which one; NULL: the first that has a body */
    bool complete;      /* it includes nothing that could define macros */
};

struct draft {
    char *template, *space, *reference;
    char *notes; /* what could not be guessed, one line each */
};

/* Errors: no kernel in the source, none of that name, a name that no template can have. Free with draft_clear, also
 * after an error. */
bool draft_write(const struct draft_subject *subject, struct draft *draft, struct error *error);
void draft_clear(struct draft *draft);

#endif
