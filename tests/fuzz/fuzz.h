/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - the entry of a fuzz target: libFuzzer calls it, and so does replay.c with the files of a corpus.
 */
#ifndef TUNE_FUZZ_H
#define TUNE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
