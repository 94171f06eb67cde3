/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_files.h - the headers of one's own that a kernel's source includes, so that they can be copied beside it.
 *
 * A header belongs to the kernel if it lies in the source's folder or below, also when links are followed; it keeps
 * its place relative to the source. Others are named in the notes. What the compiler brings is left alone.
 */
#ifndef TUNE_FORMATS_KERNEL_FILES_H
#define TUNE_FORMATS_KERNEL_FILES_H

#include "tuner/error/error.h"

enum { KERNEL_FILES_MOST = 256 };

struct kernel_file {
    char *name; /* relative to the source's folder */
    char *bytes;
    size_t length;
};

struct kernel_files {
    struct kernel_file *items;
    size_t count;
    char *notes; /* headers that are left behind, one line each; "" if none */
    bool closed; /* no name of a header is made by macros */
};

/*
 * The headers of the source `path`, whose bytes the caller has read, and theirs. `options` are the compiler's; paths
 * of -I among them begin at the source's folder. Errors: more than KERNEL_FILES_MOST. Clear also after an error.
 */
bool kernel_files_find(const char *path, const char *bytes, size_t length, const char *const *options,
                       size_t option_count, struct kernel_files *files, struct error *error);
void kernel_files_clear(struct kernel_files *files);

#endif
