/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.h - the words of CUDA as a precompiled header, which GCC reads in less than half of the time.
 *
 * Reading them is a fifth of what it takes to compile a small kernel, and to precompile them takes about as long as
 * one kernel. So that is done when a second kernel is compiled. GCC itself sees to it that a precompiled header that
 * does not fit (other options, damaged) is not used, and reads the header as it stands (GCC manual, "Precompiled
 * Headers").
 */
#ifndef TUNE_DEVICE_CPU_WORDS_H
#define TUNE_DEVICE_CPU_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is there a header to be given to the compiler by -include? If so its name is in `path`, of PATH_MAX bytes. The
 * first call for a folder says no. `arguments` are the compiler and its options for a header in C++, with room for
 * three more.
 */
bool words_prepare(const char *keep_folder, const char **arguments, size_t count, char *path);

#endif
