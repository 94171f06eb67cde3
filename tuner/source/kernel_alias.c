/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/kernel_alias.h"

#include "tuner/source/word.h"

#include <string.h>

/* Add a word behind a blank, or `::` and what follows it without one. False: there is no room. */
static bool add_word(char type[KERNEL_TYPE_MOST + 1], const char *start, size_t length)
{
    size_t used = strlen(type);
    bool scope = length == 2 && memcmp(start, "::", 2) == 0;
    bool joined = used == 0 || scope || type[used - 1] == ':';
    if (length == 5 && memcmp(start, "const", 5) == 0)
        return true;
    if (used + !joined + length > KERNEL_TYPE_MOST)
        return false;
    if (!joined)
        type[used++] = ' ';
    memcpy(type + used, start, length);
    type[used + length] = '\0';
    return true;
}

/* The words of tokens `first` to before `end`, if they are nothing else. */
static bool read_words(const struct cuda_tokens *tokens, size_t first, size_t end, char type[KERNEL_TYPE_MOST + 1])
{
    *type = '\0';
    for (size_t i = first; i < end; i++) {
        const struct cuda_token *token = &tokens->items[i];
        if (token->kind != CUDA_WORD && !cuda_token_is(token, "::"))
            return false;
        if (cuda_token_is(token, "struct") || !add_word(type, token->start, token->length))
            return false;
    }
    return *type;
}

/* `#define NAME words`, and perhaps a comment. */
static bool read_define(const struct cuda_token *directive, const char *name, char type[KERNEL_TYPE_MOST + 1])
{
    const char *at = directive->start + 1, *end = directive->start + directive->length, *before;
    size_t length;
    const char *word = word_next(&at, end, &length);
    if (!word || length != strlen("define") || memcmp(word, "define", length) != 0)
        return false;
    word = word_next(&at, end, &length);
    if (!word || length != strlen(name) || memcmp(word, name, length) != 0)
        return false;
    *type = '\0';
    for (before = at; (word = word_next(&at, end, &length)); before = at) {
        size_t blank = strspn(before, " \t");
        if (before[blank] == '/')
            break;
        if (before + blank != word || !add_word(type, word, length))
            return false;
    }
    return *type && strchr("abcdefghijklmnopqrstuvwxyz_", *type);
}

static size_t statement_end(const struct cuda_tokens *tokens, size_t first)
{
    while (first < tokens->count && !cuda_token_is(&tokens->items[first], ";"))
        first++;
    return first;
}

bool kernel_alias_find(const struct cuda_tokens *tokens, const char *name, char type[KERNEL_TYPE_MOST + 1])
{
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        const struct cuda_token *token = &tokens->items[i];
        if (token->kind == CUDA_DIRECTIVE && read_define(token, name, type))
            return true;
        size_t end = 0;
        if (cuda_token_is(token, "typedef") || cuda_token_is(token, "using"))
            end = statement_end(tokens, i);
        bool named = end > i + 2 && end < tokens->count;
        if (named && cuda_token_is(token, "typedef") && cuda_token_is(&tokens->items[end - 1], name) &&
            read_words(tokens, i + 1, end - 1, type))
            return true;
        if (named && cuda_token_is(token, "using") && cuda_token_is(token + 1, name) &&
            cuda_token_is(token + 2, "=") && read_words(tokens, i + 3, end, type))
            return true;
    }
    return false;
}
