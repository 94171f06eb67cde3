/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draft_plan.h - the decisions of a draft: which parameters, sizes and buffers a kernel gets, and how it is launched.
 */
#ifndef TUNE_FORMATS_DRAFT_PLAN_H
#define TUNE_FORMATS_DRAFT_PLAN_H

#include "tuner/error/text_stream.h"
#include "tuner/formats/draft_types.h"
#include "tuner/formats/draft_values.h"
#include "tuner/lang/arena.h"
#include "tuner/source/cuda_token.h"
#include "tuner/source/kernel_macros.h"
#include "tuner/source/kernel_scan.h"

enum { DRAFT_AXES = 3 };

struct draft_parameter {
    const char *name;
    const char *values; /* in the language */
    long long first;    /* the value to begin with */
    enum draft_purpose purpose;
    enum draft_axis axis;
    const struct kernel_template_parameter *generic; /* that it is the argument for; NULL: none */
    bool macro;    /* the source has it as a macro; else the launch alone, or a template argument */
    unsigned line; /* where the source has its default; 0: nowhere */
};

enum draft_role { DRAFT_SIZE, DRAFT_VALUE, DRAFT_BUFFER };

/* A parameter of the kernel. */
struct draft_argument {
    const char *name; /* one that the language allows */
    const char *type; /* as the source has it */
    enum draft_role role;
    struct draft_type element;
    bool known;   /* the type is */
    bool flag;    /* it is a bool */
    bool texture; /* made from the buffer */
    enum kernel_access access;
};

struct draft_plan {
    struct arena arena;
    const struct kernel_signature *kernel;
    struct draft_parameter *parameters;
    size_t parameter_count;
    struct draft_argument *arguments; /* one for each of the kernel's parameters */
    size_t size_count;                /* of them that are sizes */
    const char *size;                 /* the name of the only size where the kernel has none; NULL: it has some */
    struct text_stream notes;
};

/* `tokens` are the source's, whose names of types they explain. Clear the plan also after an error. */
bool draft_plan_make(const struct kernel_signature *kernel, const struct kernel_macros *macros,
                     const struct cuda_tokens *tokens, struct draft_plan *plan, struct error *error);
void draft_plan_clear(struct draft_plan *plan);

/* The parameter that says the block's extent along an axis; NULL: it is `*fixed`. */
const struct draft_parameter *draft_plan_block(const struct draft_plan *plan, unsigned axis, long long *fixed);

/* Is it a factor of the elements that a block covers along the axis, beside the block's extent? */
bool draft_plan_multiplies(const struct draft_plan *plan, const struct draft_parameter *parameter, unsigned axis);

/* The name of the size along an axis. */
const char *draft_plan_size(const struct draft_plan *plan, unsigned axis);

#endif
