/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inclusion.h - a source with those of the user's included files in it that have to be rewritten as well (rewrite.h).
 *
 * A file that launches kernels, declares dynamic shared memory or asks for clusters, or includes one that does, takes
 * the place of its #include, between #line directives. All others are left to the compiler. No condition is
 * evaluated: what stands in a branch that is left out stays in it. A file with #pragma once is taken once.
 */
#ifndef TUNE_DEVICE_CPU_INCLUSION_H
#define TUNE_DEVICE_CPU_INCLUSION_H

#include "tuner/device/device.h"

/* The request's text, expanded; the caller frees it. NULL: out of memory. */
char *inclusion_expand(const struct compile_request *request, size_t *length, struct error *error);

#endif
