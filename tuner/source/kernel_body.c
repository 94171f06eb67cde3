/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/kernel_body.h"

#include <string.h>

struct body {
    const struct cuda_tokens *tokens;
    size_t first, end;
};

static bool is(const struct body *body, size_t index, const char *text)
{
    return index < body->end && cuda_token_is(&body->tokens->items[index], text);
}

/* The token behind the bracket that closes the one at `open`, or the end; indices are short. */
static size_t behind_index(const struct body *body, size_t open)
{
    enum { INDEX_MOST = 4096 };
    struct cuda_tokens window = {body->tokens->items, body->end - open < INDEX_MOST ? body->end : open + INDEX_MOST};
    size_t close = cuda_tokens_close(&window, open, false);
    return close < window.count ? close + 1 : body->end;
}

/* Is there an operator such as +=, ++ or <<= ? */
static bool is_change(const struct body *body, size_t at)
{
    if (at + 1 >= body->end || body->tokens->items[at].kind != CUDA_MARK)
        return false;
    char c = *body->tokens->items[at].start;
    bool twice = *body->tokens->items[at + 1].start == c;
    return (strchr("+-*/%&|^", c) && is(body, at + 1, "=")) || (strchr("+-", c) && twice) ||
           (strchr("<>", c) && twice && is(body, at + 2, "="));
}

/* What one use of a pointer, at token `at`, does: `x[i] = ...` or `*x = ...` writes, everything else reads, and what
 * may do both counts as both. */
static enum kernel_access use_at(const struct body *body, size_t at)
{
    size_t behind = at + 1;
    bool begins = at < body->first + 2 || is(body, at - 2, ";") || is(body, at - 2, "{") || is(body, at - 2, "}") ||
                  is(body, at - 2, ")");
    bool star = at > body->first && is(body, at - 1, "*") && begins;
    bool address = at > body->first && is(body, at - 1, "&");
    bool element = is(body, behind, "[");
    while (is(body, behind, "["))
        behind = behind_index(body, behind);
    while (is(body, behind, ".") && behind + 1 < body->end) /* x[i].re = ... */
        behind += 2;
    bool assigned = is(body, behind, "=") && !is(body, behind + 1, "=");
    if (assigned && (element || star))
        return KERNEL_WRITES;
    if (address || !element || is_change(body, behind))
        return KERNEL_READ_WRITE;
    return KERNEL_READS;
}

static enum kernel_access both(enum kernel_access one, enum kernel_access other)
{
    return one == KERNEL_UNUSED || one == other ? other : other == KERNEL_UNUSED ? one : KERNEL_READ_WRITE;
}

static enum kernel_access access_of(const struct body *body, const struct kernel_parameter *parameter)
{
    enum kernel_access access = KERNEL_UNUSED;
    for (size_t i = body->first; i < body->end; i++) {
        bool member = i > body->first && (is(body, i - 1, ".") || is(body, i - 1, "::"));
        if (!member && body->tokens->items[i].kind == CUDA_WORD && is(body, i, parameter->name))
            access = both(access, use_at(body, i));
    }
    if (parameter->constant)
        return access == KERNEL_UNUSED ? access : KERNEL_READS;
    return access;
}

static unsigned dimensions_of(const struct body *body)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    unsigned dimensions = 1;
    for (size_t i = body->first; i + 2 < body->end; i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (!is(body, i, names[k]) || !is(body, i + 1, "."))
                continue;
            unsigned used = is(body, i + 2, "z") ? 3 : is(body, i + 2, "y") ? 2 : 1;
            dimensions = used > dimensions ? used : dimensions;
        }
    }
    return dimensions;
}

void kernel_body_read(const struct cuda_tokens *tokens, size_t open, struct kernel_signature *kernel)
{
    size_t close = cuda_tokens_close(tokens, open, false);
    struct body body = {tokens, open + 1, close};
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        struct kernel_parameter *parameter = &kernel->parameters[i];
        if (parameter->pointers > 0 && *parameter->name)
            parameter->access = access_of(&body, parameter);
    }
    kernel->dimensions = dimensions_of(&body);
}
