/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_alias.h - what a CUDA source's own names of types stand for.
 *
 *     typedef float4 vector;      using vector = float4;      #define vector float4
 *
 * Found by tokens, without a preprocessor: of several definitions, as in the branches of an #if, the first counts.
 * Names of structs, pointers, functions and templates are not told.
 */
#ifndef TUNE_SOURCE_KERNEL_ALIAS_H
#define TUNE_SOURCE_KERNEL_ALIAS_H

#include "tuner/source/cuda_token.h"
#include "tuner/source/kernel_scan.h"

/* The type that `name` stands for in these tokens, its words between single spaces and without const; names of names
 * are not followed. False: there is none. */
bool kernel_alias_find(const struct cuda_tokens *tokens, const char *name, char type[KERNEL_TYPE_MOST + 1]);

#endif
