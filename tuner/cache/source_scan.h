/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_scan.h - what a compilation reads, without a preprocessor: a source, the files that it includes, the words
 * in them.
 *
 * A file counts as included wherever a compiler could find it: beside the file that includes it, beside the source,
 * in the request's folder, whether the name is in quotes or in angles, in a branch that is compiled or in one that is
 * not. So the scan may read too much and never too little. What is found in none of these places belongs to the
 * compiler ("system").
 */
#ifndef TUNE_CACHE_SOURCE_SCAN_H
#define TUNE_CACHE_SOURCE_SCAN_H

#include "tuner/cache/key.h"
#include "tuner/device/device.h"

/* A line "#define NAME value" of the request. */
struct scanned_define {
    const char *line, *name, *value;
    size_t length, name_length, value_length;
    bool used; /* its name is a word of a source, or of the value of one that is used */
};

struct source_scan {
    struct scanned_define *defines;
    size_t define_count;
    uint64_t initials; /* a bit for the first letter of each name: most words are none of them */
    bool uncertain;    /* includes what the scan cannot know, or differs from one compilation to the next */
    bool system;       /* includes files that belong to the compiler */
    bool pastes;       /* makes words by ## */
};

/*
 * Scan the request's source and what it includes; all that is read goes into the key. False when there is no memory
 * left or there is more to read than a kernel has.
 */
bool source_scan_run(const struct compile_request *request, struct source_scan *scan, struct key_builder *key);
void source_scan_clear(struct source_scan *scan);

/* Can the compiler not tell whether this define is there? */
bool source_scan_can_drop(const struct source_scan *scan, const struct scanned_define *define);

#endif
