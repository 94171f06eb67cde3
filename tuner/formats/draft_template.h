/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draft_template.h - the text of a draft's template.
 */
#ifndef TUNE_FORMATS_DRAFT_TEMPLATE_H
#define TUNE_FORMATS_DRAFT_TEMPLATE_H

#include "tuner/formats/draft.h"
#include "tuner/formats/draft_plan.h"

/* Set draft->template; the notes are complete. */
bool draft_write_template(const struct draft_subject *subject, const struct draft_plan *plan, struct draft *draft,
                          struct error *error);

#endif
