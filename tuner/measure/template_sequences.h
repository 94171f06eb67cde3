/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template_sequences.h - run a template's setup and reference on an instance, and verify that they behave.
 */
#ifndef TUNE_MEASURE_TEMPLATE_SEQUENCES_H
#define TUNE_MEASURE_TEMPLATE_SEQUENCES_H

#include "tuner/measure/instance.h"

/*
 * Run setup and reference on the instance's filled buffers. Keeps copies of the initial values that setup wrote, and
 * the checksum. ERROR_INPUT: one of the two fails, writes outside its buffers or into an input, or leaves elements
 * unwritten. What the reference computes is judged by expected.h.
 */
bool template_sequences_run(struct validation_kernels *validation, struct program_cache *programs,
                            const struct job *job, struct instance *instance, struct error *error);

/* Run the reference once more, and wait for it. */
bool template_sequences_reference(struct validation_kernels *validation, struct program_cache *programs,
                                  const struct job *job, const struct instance *instance, struct error *error);

/* The checksum of all references and magnitudes as they are now. Waits. */
bool template_sequences_checksum(struct validation_kernels *validation, const struct instance *instance,
                                 uint64_t *checksum, struct error *error);

#endif
