/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term_make.h - simplified terms: constants folded, conjunctions flattened, comparisons with min and max split up.
 *
 * Every simplification keeps the value for all assignments, including whether evaluation fails: `a and b` stops at
 * the first operand that is false or fails, so operands are never reordered.
 */
#ifndef TUNE_SPACE_TERM_MAKE_H
#define TUNE_SPACE_TERM_MAKE_H

#include "tuner/space/term.h"

/*
 * A term of this kind and operation, simplified; it may be a constant or a term that exists already. TERM_AND and
 * TERM_OR take any number of truths, in Python's order of evaluation.
 */
term_id term_make(struct terms *terms, enum term_kind kind, unsigned operation, const term_id *operands,
                  size_t count);

/* bool(a) */
term_id term_truth(struct terms *terms, term_id id);

/* The negation of a truth. */
term_id term_not(struct terms *terms, term_id id);

/* An expression left to the evaluator; takes ownership of `foreign` even on failure. */
term_id term_foreign(struct terms *terms, const struct foreign *foreign, const term_id *operands, size_t count);

#endif
