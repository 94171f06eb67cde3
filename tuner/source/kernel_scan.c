/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/kernel_scan.h"

#include "tuner/source/cuda_token.h"
#include "tuner/source/kernel_body.h"
#include "tuner/source/word.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SCOPES_MOST = 16 };

struct scanning {
    const char *text;
    struct cuda_tokens tokens;
    struct kernel_scan *scan;
    size_t capacity;
    struct {
        size_t name;       /* its token; SIZE_MAX: an unnamed namespace, or extern "C" */
        size_t closing;    /* the token of its closing brace */
    } scopes[SCOPES_MOST]; /* open ones */
    size_t scope_count;
};

/* The tokens from `first` to before `end`. */
struct range {
    size_t first, end;
};

static const struct cuda_token *token_at(const struct scanning *s, size_t index)
{
    return &s->tokens.items[index];
}

static bool is(const struct scanning *s, size_t index, const char *text)
{
    return index < s->tokens.count && cuda_token_is(token_at(s, index), text);
}

static bool is_any(const struct scanning *s, size_t index, const char *const *list)
{
    while (*list && !is(s, index, *list))
        list++;
    return *list;
}

/* Append a token to a text of words between spaces; one that does not fit makes the text empty for good. */
static void append(char *text, size_t most, const struct cuda_token *token, bool *overflown)
{
    size_t length = strlen(text);
    bool tight = token->kind == CUDA_MARK || (length && !word_has(text[length - 1]));
    if (*overflown || length + token->length + 1 > most) {
        *overflown = true;
        *text = '\0';
        return;
    }
    if (length && !tight)
        text[length++] = ' ';
    memcpy(text + length, token->start, token->length);
    text[length + token->length] = '\0';
}

static void copy_name(char *name, const struct cuda_token *token)
{
    size_t length = token->length > KERNEL_NAME_MOST ? 0 : token->length;
    memcpy(name, token->start, length);
    name[length] = '\0';
}

/* ---- parameters ---- */

/* Split at commas outside brackets and angles; `*part` moves from part to part. False: no more. */
static bool next_part(const struct scanning *s, struct range *rest, struct range *part)
{
    if (rest->first >= rest->end)
        return false;
    part->first = rest->first;
    size_t i = rest->first;
    while (i < rest->end && !is(s, i, ",")) {
        bool opens = is(s, i, "(") || is(s, i, "[") || is(s, i, "{") || is(s, i, "<");
        size_t close = opens ? cuda_tokens_close(&s->tokens, i, true) : i;
        i = close < rest->end ? close + 1 : rest->end;
    }
    part->end = i;
    rest->first = i < rest->end ? i + 1 : i;
    return true;
}

/* The part before its default value. */
static struct range before_default(const struct scanning *s, struct range part, struct range *value)
{
    *value = (struct range){part.end, part.end};
    for (size_t i = part.first; i < part.end; i++) {
        if (is(s, i, "=")) {
            *value = (struct range){i + 1, part.end};
            part.end = i;
        }
    }
    return part;
}

static bool is_word(const struct scanning *s, size_t index)
{
    return token_at(s, index)->kind == CUDA_WORD;
}

/* Words that say nothing about the size and kind of a value. */
static const char *const ignored[] = {"__restrict__", "__restrict", "restrict", "volatile", "__grid_constant__",
                                      "register",     "struct",     "typename", "class",    NULL};
/* Words that can only be part of a type, never a parameter's name. */
static const char *const type_words[] = {"unsigned", "signed", "char",   "short", "int",
                                         "long",     "float",  "double", "bool",  NULL};

/* The name is the last word outside brackets, unless it is all that the type has. */
static size_t find_name(const struct scanning *s, struct range part)
{
    size_t name = part.end, words = 0;
    for (size_t i = part.first; i < part.end; i++) {
        if (is(s, i, "<") || is(s, i, "[")) {
            i = cuda_tokens_close(&s->tokens, i, true);
        } else if (is_word(s, i) && !is(s, i, "const") && !is_any(s, i, ignored)) {
            bool qualified = i > part.first && is(s, i - 1, "::");
            words += !qualified;
            name = i;
        }
    }
    return words > 1 && !is_any(s, name, type_words) ? name : part.end;
}

static bool read_parameter(const struct scanning *s, struct range part, struct kernel_parameter *parameter)
{
    struct range value;
    bool overflown = false;
    *parameter = (struct kernel_parameter){.access = KERNEL_READ_WRITE};
    part = before_default(s, part, &value);
    size_t name = find_name(s, part);
    for (size_t i = part.first; i < part.end; i++) {
        if (is_any(s, i, ignored) || token_at(s, i)->kind == CUDA_DIRECTIVE)
            continue;
        if (i == name) {
            copy_name(parameter->name, token_at(s, i));
        } else if (is(s, i, "const")) {
            parameter->constant = parameter->constant || parameter->pointers == 0;
        } else if (is(s, i, "*")) {
            parameter->pointers++;
        } else if (is(s, i, "&")) {
            parameter->reference = true;
        } else if (is(s, i, "[")) {
            parameter->pointers++;
            i = cuda_tokens_close(&s->tokens, i, false);
        } else {
            append(parameter->type, KERNEL_TYPE_MOST, token_at(s, i), &overflown);
        }
    }
    return strcmp(parameter->type, "void") != 0 || parameter->pointers > 0; /* f(void) */
}

static bool read_parameters(struct scanning *s, struct range list, struct kernel_signature *kernel)
{
    struct range part;
    kernel->parameters = calloc(KERNEL_PARAMETERS_MOST, sizeof *kernel->parameters);
    if (!kernel->parameters)
        return false;
    while (kernel->parameter_count < KERNEL_PARAMETERS_MOST && next_part(s, &list, &part)) {
        if (read_parameter(s, part, &kernel->parameters[kernel->parameter_count]))
            kernel->parameter_count++;
    }
    struct kernel_parameter *fitting =
        reallocarray(kernel->parameters, kernel->parameter_count + 1, sizeof *kernel->parameters);
    if (fitting)
        kernel->parameters = fitting;
    return true;
}

static bool read_generic(struct scanning *s, struct range list, struct kernel_signature *kernel)
{
    struct range part, value;
    kernel->generic = calloc(KERNEL_PARAMETERS_MOST, sizeof *kernel->generic);
    if (!kernel->generic)
        return false;
    while (kernel->generic_count < KERNEL_PARAMETERS_MOST && next_part(s, &list, &part)) {
        struct kernel_template_parameter *generic = &kernel->generic[kernel->generic_count++];
        bool overflown = false;
        part = before_default(s, part, &value);
        for (size_t i = part.first; i < part.end; i++) {
            if (i + 1 == part.end && i > part.first && is_word(s, i))
                copy_name(generic->name, token_at(s, i));
            else if (!is(s, i, "const"))
                append(generic->kind, KERNEL_TYPE_MOST, token_at(s, i), &overflown);
        }
        overflown = false;
        for (size_t i = value.first; i < value.end; i++)
            append(generic->value, KERNEL_TYPE_MOST, token_at(s, i), &overflown);
    }
    struct kernel_template_parameter *fitting =
        reallocarray(kernel->generic, kernel->generic_count + 1, sizeof *kernel->generic);
    if (fitting)
        kernel->generic = fitting;
    return true;
}

/* ---- kernels ---- */

/* The parameter list is the last ( ) before the body or the end, behind a word: attributes come before it. */
static bool find_list(const struct scanning *s, size_t from, struct range *list, size_t *body)
{
    static const char *const attributes[] = {"__launch_bounds__", "__attribute__",  "__maxnreg__",
                                             "__cluster_dims__",  "__block_size__", NULL};
    bool found = false;
    size_t i = from;
    while (i < s->tokens.count && !is(s, i, "{") && !is(s, i, ";") && !is(s, i, "}") && !is(s, i, "__global__")) {
        if (!is(s, i, "(") && !is(s, i, "[")) {
            i++;
            continue;
        }
        size_t close = cuda_tokens_close(&s->tokens, i, false);
        if (is(s, i, "(") && i > from && is_word(s, i - 1) && !is_any(s, i - 1, attributes)) {
            *list = (struct range){i + 1, close};
            found = close < s->tokens.count;
        }
        i = close < s->tokens.count ? close + 1 : s->tokens.count;
    }
    *body = i;
    return found && (is(s, i, "{") || is(s, i, ";"));
}

/* template < ... > before __global__, which `static`, `inline`, `extern "C"` and attributes may separate from it. */
static bool find_generic(const struct scanning *s, size_t global, struct range *list)
{
    enum { DISTANCE_MOST = 256 };
    size_t first = global;
    while (first > 0 && global - first < DISTANCE_MOST && !is(s, first - 1, ";") && !is(s, first - 1, "}") &&
           !is(s, first - 1, "{"))
        first--;
    for (size_t i = first; i + 1 < global; i++) {
        size_t close =
            is(s, i, "template") && is(s, i + 1, "<") ? cuda_tokens_close(&s->tokens, i + 1, true) : global;
        if (close < global) {
            *list = (struct range){i + 2, close};
            return true;
        }
    }
    return false;
}

/* The name with the namespaces around it. */
static bool write_name(const struct scanning *s, size_t name, char *text)
{
    bool overflown = false;
    *text = '\0';
    for (size_t i = 0; i < s->scope_count; i++) {
        if (s->scopes[i].name == SIZE_MAX)
            continue;
        append(text, KERNEL_NAME_MOST, token_at(s, s->scopes[i].name), &overflown);
        append(text, KERNEL_NAME_MOST, &(struct cuda_token){CUDA_MARK, "::", 2, 0}, &overflown);
    }
    append(text, KERNEL_NAME_MOST, token_at(s, name), &overflown);
    return !overflown;
}

static struct kernel_signature *find_kernel(const struct scanning *s, const char *name)
{
    for (size_t i = 0; i < s->scan->count; i++) {
        if (strcmp(s->scan->kernels[i].name, name) == 0)
            return &s->scan->kernels[i];
    }
    return NULL;
}

static void kernel_clear(struct kernel_signature *kernel)
{
    free(kernel->generic);
    free(kernel->parameters);
}

/* A place for the kernel: that of its declaration, or a new one. */
static struct kernel_signature *place_for(struct scanning *s, const struct kernel_signature *kernel)
{
    struct kernel_signature *known = find_kernel(s, kernel->name);
    if (known && !known->defined && known->parameter_count == kernel->parameter_count) {
        kernel_clear(known);
        return known;
    }
    if (s->scan->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 8;
        struct kernel_signature *kernels = reallocarray(s->scan->kernels, capacity, sizeof *kernels);
        if (!kernels)
            return NULL;
        s->scan->kernels = kernels;
        s->capacity = capacity;
    }
    return &s->scan->kernels[s->scan->count++];
}

static bool read_kernel(struct scanning *s, size_t global)
{
    struct range list, generic;
    size_t body;
    struct kernel_signature kernel = {.line = token_at(s, global)->line, .dimensions = 1};
    if (!find_list(s, global + 1, &list, &body) || !write_name(s, list.first - 2, kernel.name))
        return true;
    kernel.defined = is(s, body, "{");
    size_t last = kernel.defined ? cuda_tokens_close(&s->tokens, body, false) : body;
    const struct cuda_token *end = token_at(s, last < s->tokens.count ? last : s->tokens.count - 1);
    kernel.start = (size_t)(token_at(s, global)->start - s->text);
    kernel.end = (size_t)(end->start - s->text) + end->length;
    bool done = read_parameters(s, list, &kernel) &&
                (!find_generic(s, global, &generic) || read_generic(s, generic, &kernel));
    if (done && kernel.defined)
        kernel_body_read(&s->tokens, body, &kernel);
    struct kernel_signature *place = done ? place_for(s, &kernel) : NULL;
    if (place)
        *place = kernel;
    else
        kernel_clear(&kernel);
    return place;
}

/* ---- scopes ---- */

/* At the word `namespace`, or at `extern "C" {`: what is in its braces belongs to the text around it. */
static void open_scope(struct scanning *s, size_t at)
{
    bool is_namespace = is(s, at, "namespace");
    bool is_extern = is(s, at, "extern") && at + 1 < s->tokens.count && token_at(s, at + 1)->kind == CUDA_TEXT;
    if ((!is_namespace && !is_extern) || s->scope_count == SCOPES_MOST)
        return;
    bool named = is_namespace && at + 1 < s->tokens.count && is_word(s, at + 1);
    size_t brace = at + (named || is_extern ? 2 : 1);
    for (; named && is(s, brace, "::") && s->scope_count + 1 < SCOPES_MOST; brace += 2) { /* a::b */
        s->scopes[s->scope_count].name = brace - 1;
        s->scopes[s->scope_count++].closing = s->tokens.count;
    }
    if (!is(s, brace, "{"))
        return;
    size_t closing = cuda_tokens_close(&s->tokens, brace, false);
    s->scopes[s->scope_count].name = named ? brace - 1 : SIZE_MAX;
    s->scopes[s->scope_count++].closing = closing;
    for (size_t i = s->scope_count - 1; i > 0 && s->scopes[i - 1].closing == s->tokens.count; i--)
        s->scopes[i - 1].closing = closing;
}

bool kernel_scan(const char *text, size_t length, struct kernel_scan *scan)
{
    *scan = (struct kernel_scan){0};
    struct scanning s = {.text = text, .scan = scan};
    if (!cuda_tokens_scan(text, length, &s.tokens))
        return false;
    bool done = true;
    for (size_t i = 0; done && i < s.tokens.count; i++) {
        while (s.scope_count && s.scopes[s.scope_count - 1].closing <= i)
            s.scope_count--;
        open_scope(&s, i);
        if (is(&s, i, "__global__"))
            done = read_kernel(&s, i);
    }
    free(s.tokens.items);
    return done;
}

void kernel_scan_clear(struct kernel_scan *scan)
{
    for (size_t i = 0; i < scan->count; i++)
        kernel_clear(&scan->kernels[i]);
    free(scan->kernels);
    *scan = (struct kernel_scan){0};
}
