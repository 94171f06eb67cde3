/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_body.h - what the tokens of a kernel's body tell about its pointers and its grid.
 */
#ifndef TUNE_SOURCE_KERNEL_BODY_H
#define TUNE_SOURCE_KERNEL_BODY_H

#include "tuner/source/cuda_token.h"
#include "tuner/source/kernel_scan.h"

/* Set the access of the kernel's pointers, and its dimensions. `open` is the body's brace. */
void kernel_body_read(const struct cuda_tokens *tokens, size_t open, struct kernel_signature *kernel);

#endif
