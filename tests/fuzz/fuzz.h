/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - the entry point of a fuzz target, called by libFuzzer or, with the files of a corpus, by replay.c.
 */
#ifndef TUNE_FUZZ_H
#define TUNE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
