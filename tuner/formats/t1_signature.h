/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_signature.h - what the source of a T1 kernel says about it, where it is at hand: the names of its parameters,
 * which of them it only reads, and the words in it.
 */
#ifndef TUNE_FORMATS_T1_SIGNATURE_H
#define TUNE_FORMATS_T1_SIGNATURE_H

#include "tuner/error/input_file.h"
#include "tuner/source/kernel_scan.h"

struct t1_source {
    char *path; /* NULL: not found */
    struct input_file file;
    struct kernel_scan scan;
    const struct kernel_signature *kernel; /* NULL: not in the source */
};

/* Look for the kernel, whose template arguments count as no part of its name, in the file that has been read. False:
 * out of memory. */
bool t1_source_scan(struct t1_source *source, const char *kernel, struct error *error);
void t1_source_clear(struct t1_source *source);

/* The parameter that the `index`-th argument is passed to; NULL: not known. */
const struct kernel_parameter *t1_source_parameter(const struct t1_source *source, size_t index);

/* Does the text mention a word, outside of comments and literals? */
bool t1_source_mentions(const struct t1_source *source, const char *word);

#endif
