/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_signature.h"

#include "tuner/source/cuda_token.h"
#include "tuner/source/word.h"

#include <stdlib.h>
#include <string.h>

bool t1_source_scan(struct t1_source *source, const char *kernel, struct error *error)
{
    size_t length = strcspn(kernel, "<");
    if (!source->file.bytes)
        return true;
    if (!kernel_scan(source->file.bytes, source->file.length, &source->scan))
        return error_out_of_memory(error);
    for (size_t i = 0; i < source->scan.count; i++) {
        const struct kernel_signature *found = &source->scan.kernels[i];
        if (!source->kernel && strlen(found->name) == length && memcmp(found->name, kernel, length) == 0)
            source->kernel = found;
    }
    return true;
}

void t1_source_clear(struct t1_source *source)
{
    free(source->path);
    free(source->file.bytes);
    kernel_scan_clear(&source->scan);
    *source = (struct t1_source){0};
}

const struct kernel_parameter *t1_source_parameter(const struct t1_source *source, size_t index)
{
    return source->kernel && index < source->kernel->parameter_count ? &source->kernel->parameters[index] : NULL;
}

bool t1_source_mentions(const struct t1_source *source, const char *word)
{
    struct cuda_tokens tokens;
    bool found = false;
    if (!source->file.bytes || !cuda_tokens_scan(source->file.bytes, source->file.length, &tokens))
        return false;
    for (size_t i = 0; i < tokens.count && !found; i++) {
        const struct cuda_token *token = &tokens.items[i];
        const char *at = token->start, *end = at + token->length, *next;
        size_t length;
        while (!found && token->kind != CUDA_TEXT && (next = word_next(&at, end, &length)))
            found = strlen(word) == length && memcmp(word, next, length) == 0;
    }
    free(tokens.items);
    return found;
}
