/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_option.h - which files a compiler option makes the compiler read.
 *
 * The options are those of NVRTC, GCC and Clang. One that names files in a way not known here is OPTION_OPAQUE, so
 * whatever the list lacks errs on the safe side.
 */
#ifndef TUNE_SOURCE_FILE_OPTION_H
#define TUNE_SOURCE_FILE_OPTION_H

#include <stdbool.h>

enum file_option {
    OPTION_PLAIN,  /* reads no files */
    OPTION_FOLDER, /* adds a folder that is searched for included files: -Iparts */
    OPTION_FILE,   /* includes a file before the source: -include=parts/words.cuh */
    OPTION_OPAQUE, /* may read anything: -Lparts, @options, -fprofile-use=k.gcda */
};

/* `*path` is the part of a folder's or a file's option that names it; "" if the option lacks it. */
enum file_option file_option_classify(const char *option, const char **path);

/* The option with a relative path of OPTION_FOLDER or OPTION_FILE taken as one below `folder`, for the caller to
 * free. NULL: out of memory. */
char *file_option_in(const char *option, const char *folder);

#endif
