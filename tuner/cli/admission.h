/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admission.h - is a configuration from elsewhere one of the template's spaces, with our sizes and device? What is
 * not need not even compile, or may not be what the kernel's author meant.
 */
#ifndef TUNE_CLI_ADMISSION_H
#define TUNE_CLI_ADMISSION_H

#include "tuner/cli/subject.h"
#include "tuner/select/selection.h"

struct admission;

/* The spaces beside the template are read when they are needed. `subject` and `options` must outlive it. */
bool admission_create(const struct subject *subject, const struct options *options, struct admission **result,
                      struct error *error);
void admission_free(struct admission *admission);

/* For a selection; `context` is the admission. A space with an error admits nothing: who uses it is told. */
selection_fits admission_fits;

#endif
