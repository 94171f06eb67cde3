/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/python_text.h"

#include "tuner/error/text_stream.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct span {
    const char *start;
    size_t length;
};

struct rewriting {
    const struct python_names *names;
    const char *at;
    struct span dictionary; /* the lambda's argument, indexed by parameters' names; length 0: none */
    const char *where;
    FILE *out;
    struct error *error;
};

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || ((unsigned char)c & 0x80);
}

static struct span name_at(const char *text)
{
    size_t length = 0;
    while (is_name_start(text[length]) || (length && isdigit((unsigned char)text[length])))
        length++;
    return (struct span){text, length};
}

static bool span_is(struct span span, const char *word)
{
    return strlen(word) == span.length && memcmp(span.start, word, span.length) == 0;
}

static const char *skip_space(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* A string literal, or the rest of the text if it is not closed. */
static struct span string_at(const char *text)
{
    const char *c = text + 1;
    while (*c && *c != *text)
        c += *c == '\\' && c[1] ? 2 : 1;
    return (struct span){text, (size_t)(c - text) + (*c ? 1 : 0)};
}

static const struct python_parameter *find_parameter(const struct rewriting *r, struct span name)
{
    for (size_t i = 0; i < r->names->parameter_count; i++) {
        if (span_is(name, r->names->parameters[i].name))
            return &r->names->parameters[i];
    }
    return NULL;
}

static bool put_value(const struct rewriting *r, struct value value)
{
    char small[64];
    size_t length = value_text(value, small, sizeof small);
    char *large = length < sizeof small ? NULL : malloc(length + 1);
    if (length >= sizeof small && !large)
        return error_out_of_memory(r->error);
    if (large)
        value_text(value, large, length + 1);
    fprintf(r->out, small[0] == '-' ? "(%s)" : "%s", large ? large : small);
    free(large);
    return true;
}

static bool put_parameter(const struct rewriting *r, const struct python_parameter *parameter)
{
    if (parameter->fixed.kind != VALUE_UNSET)
        return put_value(r, parameter->fixed);
    fputs(parameter->name, r->out);
    return true;
}

/* ---- names and what follows them ---- */

/* Was it this form, and could it be written? */
enum put { PUT_OTHER, PUT_DONE, PUT_FAILED };

static enum put put_result(bool done)
{
    return done ? PUT_DONE : PUT_FAILED;
}

static bool is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT || value.kind == VALUE_BOOLEAN;
}

static double number_of(struct value value)
{
    return value.kind == VALUE_FLOAT     ? value.real
           : value.kind == VALUE_BOOLEAN ? value.boolean
                                         : (double)value.integer;
}

/* max(NAME) */
static enum put put_extreme(struct rewriting *r, struct span function)
{
    bool largest = span_is(function, "max");
    const char *c = skip_space(function.start + function.length);
    if (!r->names->extremes || (!largest && !span_is(function, "min")) || *c != '(')
        return PUT_OTHER;
    struct span name = name_at(skip_space(c + 1));
    const char *end = skip_space(name.start + name.length);
    const struct python_parameter *parameter = find_parameter(r, name);
    if (!parameter || *end != ')' || parameter->count == 0)
        return PUT_OTHER;
    struct value best = parameter->values[0];
    for (size_t i = 1; i < parameter->count; i++) {
        struct value value = parameter->values[i];
        if (is_number(value) && is_number(best) && (number_of(value) > number_of(best)) == largest)
            best = value;
    }
    r->at = end + 1;
    return put_result(put_value(r, best));
}

/* A name that may be a parameter's. */
static bool put_named(const struct rewriting *r, const struct python_parameter *parameter, struct span name)
{
    if (parameter)
        return put_parameter(r, parameter);
    fwrite(name.start, 1, name.length, r->out);
    return true;
}

/* p["NAME"] */
static enum put put_member(struct rewriting *r, struct span dictionary)
{
    const char *c = skip_space(dictionary.start + dictionary.length);
    if (!r->dictionary.start || r->dictionary.length != dictionary.length ||
        memcmp(r->dictionary.start, dictionary.start, dictionary.length) != 0 || *c != '[')
        return PUT_OTHER;
    c = skip_space(c + 1);
    if (*c != '"' && *c != '\'')
        return PUT_OTHER;
    struct span quoted = string_at(c);
    const char *end = skip_space(quoted.start + quoted.length);
    if (quoted.length < 3 || *end != ']')
        return PUT_OTHER;
    struct span name = {quoted.start + 1, quoted.length - 2};
    const struct python_parameter *parameter = find_parameter(r, name);
    r->at = end + 1;
    return put_result(put_named(r, parameter, name));
}

/* ProblemSize[0], and ProblemSize where it is a single number */
static enum put put_size(struct rewriting *r, struct span name)
{
    char *end;
    const char *c = skip_space(name.start + name.length);
    if (!span_is(name, "ProblemSize") && !span_is(name, "problem_size"))
        return PUT_OTHER;
    bool whole = *c != '[' && r->names->size_count == 1;
    unsigned long index = 0;
    if (!whole) {
        if (*c != '[' || !isdigit((unsigned char)*skip_space(c + 1)))
            return PUT_OTHER;
        index = strtoul(skip_space(c + 1), &end, 10);
        c = skip_space(end);
        if (*c != ']')
            return PUT_OTHER;
    }
    size_t count = r->names->size_count;
    if (index >= count)
        return put_result(error_set(r->error, ERROR_INPUT,
                                    "%s: ProblemSize[%lu] is out of range: ProblemSize has %zu extent%s", r->where,
                                    index, count, count == 1 ? "" : "s"));
    fputs(r->names->sizes[index], r->out);
    r->at = whole ? name.start + name.length : c + 1;
    return PUT_DONE;
}

/* math. in front of a function */
static enum put drop_module(struct rewriting *r, struct span name)
{
    static const char *const modules[] = {"math", "np", "numpy"};
    const char *c = skip_space(name.start + name.length);
    for (size_t i = 0; *c == '.' && i < sizeof modules / sizeof *modules; i++) {
        if (span_is(name, modules[i])) {
            r->at = skip_space(c + 1);
            return PUT_DONE;
        }
    }
    return PUT_OTHER;
}

static bool put_name(struct rewriting *r)
{
    typedef enum put form(struct rewriting *, struct span);
    static form *const forms[] = {put_extreme, put_member, drop_module, put_size};
    struct span name = name_at(r->at);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        enum put put = forms[i](r, name);
        if (put != PUT_OTHER)
            return put == PUT_DONE;
    }
    r->at = name.start + name.length;
    return put_named(r, find_parameter(r, name), name);
}

static bool put_next(struct rewriting *r)
{
    struct span span = {r->at, 1};
    if (is_name_start(*r->at))
        return put_name(r);
    if (*r->at == '"' || *r->at == '\'')
        span = string_at(r->at);
    else if (isdigit((unsigned char)*r->at)) /* 0x1f, 1e3: the letters are not a name */
        while (isalnum((unsigned char)r->at[span.length]) || r->at[span.length] == '_' || r->at[span.length] == '.')
            span.length++;
    for (size_t i = 0; i < span.length; i++)
        fputc(strchr("\r\n", r->at[i]) ? ' ' : r->at[i], r->out);
    r->at += span.length;
    return true;
}

/* `lambda p:` or `lambda block_size_x, block_size_y:` at the beginning */
static bool skip_lambda(struct rewriting *r)
{
    struct span word = name_at(r->at), name = {0};
    size_t unknown = 0, count = 0;
    if (!span_is(word, "lambda"))
        return true;
    const char *c = skip_space(word.start + word.length);
    for (bool more = true; more; count++) {
        name = name_at(c);
        unknown += !find_parameter(r, name);
        c = skip_space(name.start + name.length);
        more = name.length && *c == ',';
        c = more ? skip_space(c + 1) : c;
    }
    if (*c != ':' || name.length == 0 || (unknown && count > 1)) {
        error_set(r->error, ERROR_INPUT, "%s: this lambda cannot be converted to a constraint: %.100s", r->where,
                  r->at);
        return error_hint(r->error, "write an expression of parameter names, or lambda p: ... p[\"name\"]");
    }
    if (unknown)
        r->dictionary = name;
    r->at = skip_space(c + 1);
    return true;
}

char *python_text(struct arena *arena, const char *text, const struct python_names *names, const char *where,
                  struct error *error)
{
    char *copy = NULL;
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return NULL;
    struct rewriting r = {.names = names, .at = skip_space(text), .where = where, .out = stream.out, .error = error};
    bool done = skip_lambda(&r);
    while (done && *r.at)
        done = put_next(&r);
    if (!done) {
        text_stream_discard(&stream);
        return NULL;
    }
    char *written = text_stream_close(&stream, error);
    if (written) {
        size_t length = stream.length;
        while (length && strchr(" \t", written[length - 1]))
            length--;
        copy = arena_string(arena, written, length);
        if (!copy)
            error_out_of_memory(error);
    }
    free(written);
    return copy;
}
