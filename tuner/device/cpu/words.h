/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.h - the words of CUDA (cuda_words.hpp) as a precompiled header, which GCC reads in less than half the time.
 *
 * With it a small kernel is compiled in 0.12 instead of 0.145 s, and precompiling takes 0.2 s, so that is done with
 * the ninth kernel of a folder. GCC itself ignores a precompiled header that does not fit (other options, damaged),
 * and reads the header instead (GCC manual, "Precompiled Headers").
 */
#ifndef TUNE_DEVICE_CPU_WORDS_H
#define TUNE_DEVICE_CPU_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is there a header to -include? If so, its name is in `path`, of PATH_MAX bytes. The first eight calls for a
 * folder say no. `arguments` are the compiler and its options for a C++ header, with room for four more.
 */
bool words_prepare(const char *keep_folder, const char **arguments, size_t count, char *path);

#endif
