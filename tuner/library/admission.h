/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admission.h - is a configuration from elsewhere one of the template's spaces, with our sizes and device? What is
 * not need not even compile, or may not be what the kernel's author meant.
 */
#ifndef TUNE_LIBRARY_ADMISSION_H
#define TUNE_LIBRARY_ADMISSION_H

#include "tuner/library/spaces.h"
#include "tuner/select/selection.h"
#include "tuner/space/fitting.h"
#include "tuner/space/problem.h"

struct admission {
    const struct spaces *spaces;
    struct fitting *fitting;
};

/* `sizes` are all of the template's, in its order. What is passed must outlive the result. Clear it in any case. */
bool admission_open(const struct spaces *spaces, const struct device_description *device,
                    const struct size_setting *sizes, struct admission *admission, struct error *error);
void admission_clear(struct admission *admission);

/* For a selection; `context` is the admission. A space with an error admits nothing: who uses it is told. */
selection_fits admission_fits;

#endif
