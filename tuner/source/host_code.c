/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/host_code.h"

#include "tuner/source/word.h"

#include <ctype.h>
#include <string.h>

/* The depth of #if at which the source keeps host code to itself; 0: it does not. */
struct guard {
    unsigned depth, kept;
};

/* Where in functions for kernels the text is, which may launch kernels as well. */
struct function {
    bool for_kernels; /* the next body is theirs */
    unsigned braces;  /* open ones of the body; 0: outside */
};

static void enter(struct guard *guard, const struct cuda_token *directive)
{
    static const char rtc[] = "__CUDACC_RTC__";
    const char *at = directive->start + 1;
    size_t length = 0;
    const char *word = word_next(&at, directive->start + directive->length, &length);
    if (word && length >= 2 && memcmp(word, "if", 2) == 0) {
        guard->depth++;
        if (!guard->kept && memmem(directive->start, directive->length, rtc, sizeof rtc - 1))
            guard->kept = guard->depth;
    } else if (word && length == 5 && memcmp(word, "endif", 5) == 0 && guard->depth > 0) {
        if (guard->kept == guard->depth)
            guard->kept = 0;
        guard->depth--;
    }
}

static void follow(struct function *function, const struct cuda_token *token)
{
    bool opens = cuda_token_is(token, "{"), closes = cuda_token_is(token, "}");
    if (function->braces > 0) {
        function->braces += opens;
        function->braces -= closes;
    } else if (cuda_token_is(token, "__global__") || cuda_token_is(token, "__device__")) {
        function->for_kernels = true;
    } else if (opens || cuda_token_is(token, ";")) {
        function->braces = opens && function->for_kernels;
        function->for_kernels = false;
    }
}

/* cudaMalloc, but not cudaTextureObject_t, and no word of the user's own such as cuda_index. */
static bool is_runtime_call(const struct cuda_token *word)
{
    return word->kind == CUDA_WORD && word->length > 4 && memcmp(word->start, "cuda", 4) == 0 &&
           isupper((unsigned char)word->start[4]);
}

const struct cuda_token *host_code_find(const struct cuda_tokens *tokens)
{
    struct guard guard = {0};
    struct function function = {0};
    for (size_t i = 0; i < tokens->count; i++) {
        const struct cuda_token *token = &tokens->items[i];
        if (token->kind == CUDA_DIRECTIVE)
            enter(&guard, token);
        follow(&function, token);
        if (guard.kept || function.braces > 0 || i + 2 >= tokens->count || token->kind == CUDA_DIRECTIVE)
            continue;
        bool called = cuda_token_is(token + 1, "(");
        bool launch = cuda_token_is(token, "<") && cuda_token_is(token + 1, "<") && cuda_token_is(token + 2, "<");
        if (launch || (called && (is_runtime_call(token) || cuda_token_is(token, "main"))))
            return token;
    }
    return NULL;
}
