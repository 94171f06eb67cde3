/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.h - the words of CUDA (cuda_words.hpp) as a precompiled header, which GCC reads in less than half the time.
 *
 * Reading them takes a fifth of the time to compile a small kernel, precompiling them about as long as one kernel, so
 * that is done with the second kernel. GCC itself ignores a precompiled header that does not fit (other options,
 * damaged), and reads the header instead (GCC manual, "Precompiled Headers").
 */
#ifndef TUNE_DEVICE_CPU_WORDS_H
#define TUNE_DEVICE_CPU_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is there a header to -include? If so, its name is in `path`, of PATH_MAX bytes. The first call for a folder says
 * no. `arguments` are the compiler and its options for a C++ header, with room for four more.
 */
bool words_prepare(const char *keep_folder, const char **arguments, size_t count, char *path);

#endif
