/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_scan.h - what a compilation depends on, for its key: the source and all that it includes (source/closure.h),
 * and which of the request's defines their words use.
 */
#ifndef TUNE_CACHE_SOURCE_SCAN_H
#define TUNE_CACHE_SOURCE_SCAN_H

#include "tuner/cache/key.h"
#include "tuner/device/device.h"

/* A line "#define NAME value" of the request. */
struct scanned_define {
    const char *line, *name, *value;
    size_t length, name_length, value_length;
    bool used; /* its name occurs in a source, or in the value of a used define */
};

struct source_scan {
    struct scanned_define *defines;
    size_t define_count;
    uint64_t initials; /* a bit for the first letter of each name, to skip most words quickly */
    uint64_t stamp;    /* of the files' metadata: another one means that one of them may have changed since */
    bool uncertain;    /* it depends on something that the scan cannot see, or that changes (__DATE__) */
    bool system;       /* it includes files of the compiler */
    bool pastes;       /* it makes words with ## */
};

/*
 * Scan the request's source and everything it includes; all that is read goes into the key. False: out of memory.
 */
bool source_scan_run(const struct compile_request *request, struct source_scan *scan, struct key_builder *key);
void source_scan_clear(struct source_scan *scan);

/* Does leaving the define out make no difference to the compiler? */
bool source_scan_can_drop(const struct source_scan *scan, const struct scanned_define *define);

#endif
