/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/macro_guard.h"

#include "tuner/source/cuda_token.h"
#include "tuner/source/word.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *word, size_t length, const char *text)
{
    return word && strlen(text) == length && memcmp(word, text, length) == 0;
}

/* #define NAME or #undef NAME; `*defines`: the former. */
static bool is_about(const struct cuda_token *token, const char *name, bool *defines)
{
    const char *at = token->start + 1, *end = token->start + token->length;
    size_t length;
    if (token->kind != CUDA_DIRECTIVE)
        return false;
    const char *word = word_next(&at, end, &length);
    *defines = is(word, length, "define");
    if (!*defines && !is(word, length, "undef"))
        return false;
    word = word_next(&at, end, &length);
    return is(word, length, name);
}

/* The only directive that is about the macro, if that defines it; else NULL. */
static const struct cuda_token *find(const struct cuda_tokens *tokens, const char *name)
{
    const struct cuda_token *found = NULL;
    bool defines;
    for (size_t i = 0; i < tokens->count; i++) {
        if (!is_about(&tokens->items[i], name, &defines))
            continue;
        if (found || !defines)
            return NULL;
        found = &tokens->items[i];
    }
    return found;
}

static bool put_around(const char *text, size_t length, const char *name, const struct cuda_token *directive,
                       struct guarded_source *guarded)
{
    size_t before = (size_t)(directive->start - text), behind = before + directive->length;
    while (behind > before && text[behind - 1] == '\r')
        behind--;
    FILE *out = open_memstream(&guarded->text, &guarded->length);
    if (!out)
        return false;
    fwrite(text, 1, before, out);
    fprintf(out, "#ifndef %s\n", name);
    fwrite(text + before, 1, behind - before, out);
    fputs("\n#endif", out);
    fwrite(text + behind, 1, length - behind, out);
    bool failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return true;
    free(guarded->text);
    guarded->text = NULL;
    return false;
}

bool macro_guard(const char *text, size_t length, const char *name, struct guarded_source *guarded)
{
    struct cuda_tokens tokens;
    *guarded = (struct guarded_source){0};
    if (!cuda_tokens_scan(text, length, &tokens))
        return false;
    const struct cuda_token *directive = find(&tokens, name);
    bool done = !directive || put_around(text, length, name, directive, guarded);
    free(tokens.items);
    return done;
}
