/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/mangled.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBSTITUTIONS = 128, MOST_TEMPLATE_ARGUMENTS = 16, DEEPEST = 24 };

/* A type, or a name that later parts may refer to, is described by what a parameter of it would be. */
typedef struct kernel_parameter described;

struct arguments {
    size_t count;
    described list[MOST_TEMPLATE_ARGUMENTS];
};

struct reader {
    const char *at;
    size_t depth;
    size_t substitution_count;
    described substitutions[MOST_SUBSTITUTIONS]; /* what S_, S0_, ... mean */
    struct arguments arguments;                  /* what T_, T0_, ... mean */
};

static const struct builtin {
    const char *code, *name;
    enum parameter_kind kind;
    size_t bytes;
    bool is_unsigned;
} builtins[] = {
    {"v", "void", PARAMETER_UNKNOWN, 0, false},        {"w", "wchar_t", PARAMETER_INTEGER, 4, false},
    {"b", "bool", PARAMETER_INTEGER, 1, true},         {"c", "char", PARAMETER_INTEGER, 1, false},
    {"a", "signed char", PARAMETER_INTEGER, 1, false}, {"h", "unsigned char", PARAMETER_INTEGER, 1, true},
    {"s", "short", PARAMETER_INTEGER, 2, false},       {"t", "unsigned short", PARAMETER_INTEGER, 2, true},
    {"i", "int", PARAMETER_INTEGER, 4, false},         {"j", "unsigned int", PARAMETER_INTEGER, 4, true},
    {"l", "long", PARAMETER_INTEGER, 8, false},        {"m", "unsigned long", PARAMETER_INTEGER, 8, true},
    {"x", "long long", PARAMETER_INTEGER, 8, false},   {"y", "unsigned long long", PARAMETER_INTEGER, 8, true},
    {"n", "__int128", PARAMETER_OTHER, 16, false},     {"o", "unsigned __int128", PARAMETER_OTHER, 16, true},
    {"f", "float", PARAMETER_REAL, 4, false},          {"d", "double", PARAMETER_REAL, 8, false},
    {"e", "long double", PARAMETER_OTHER, 0, false},   {"Di", "char32_t", PARAMETER_INTEGER, 4, true},
    {"Ds", "char16_t", PARAMETER_INTEGER, 2, true},    {"Dn", "std::nullptr_t", PARAMETER_OTHER, 8, false},
    {"Dh", "_Float16", PARAMETER_OTHER, 2, false},
};

static bool read_type(struct reader *r, described *result);
static bool read_name(struct reader *r, described *result, struct arguments *last);

static bool accept(struct reader *r, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

static bool remember(struct reader *r, const described *type)
{
    if (r->substitution_count == MOST_SUBSTITUTIONS)
        return false;
    r->substitutions[r->substitution_count++] = *type;
    return true;
}

/* Texts are for messages: one that does not fit is left out. */
static void write_text(described *type, const char *before, const char *text, const char *after)
{
    char whole[sizeof type->text];
    int length = snprintf(whole, sizeof whole, "%s%s%s", before, text, after);
    bool fits = *text && length > 0 && (size_t)length < sizeof whole;
    memcpy(type->text, fits ? whole : "", fits ? (size_t)length + 1 : 1);
}

/* A number in base 10 or 36, before `_`; none is 0, and otherwise one more than is written. */
static bool read_index(struct reader *r, int base, size_t *index)
{
    char *end;
    *index = 0;
    if (*r->at != '_') {
        if (!isdigit((unsigned char)*r->at) && !isupper((unsigned char)*r->at))
            return false;
        unsigned long number = strtoul(r->at, &end, base);
        if (end == r->at || number > MOST_SUBSTITUTIONS)
            return false;
        r->at = end;
        *index = number + 1;
    }
    return accept(r, "_");
}

/* ---- names ---- */

/* 5saxpy */
static bool read_source_name(struct reader *r, described *result)
{
    accept(r, "L"); /* of internal linkage */
    char *end;
    if (!isdigit((unsigned char)*r->at))
        return false;
    unsigned long length = strtoul(r->at, &end, 10);
    if (length == 0 || length > strlen(end))
        return false;
    char text[sizeof result->text] = "";
    if (length < sizeof text)
        snprintf(text, sizeof text, "%.*s", (int)length, end);
    *result = (described){.type = {PARAMETER_OTHER, 0, false}};
    write_text(result, "", text, "");
    r->at = end + length;
    return true;
}

/* Li64E: a value; its type may be an enumeration. */
static bool read_literal(struct reader *r, described *result)
{
    *result = (described){0};
    described type;
    if (accept(r, "_Z") || !read_type(r, &type))
        return false;
    while (isalnum((unsigned char)*r->at) && *r->at != 'E')
        r->at++;
    return accept(r, "E");
}

/* I...E */
static bool read_arguments(struct reader *r, struct arguments *arguments)
{
    arguments->count = 0;
    while (!accept(r, "E")) {
        if (arguments->count == MOST_TEMPLATE_ARGUMENTS)
            return false;
        described *argument = &arguments->list[arguments->count++];
        if (!(accept(r, "L") ? read_literal(r, argument) : read_type(r, argument)))
            return false;
    }
    return true;
}

/* S_, S1_, St (the namespace std); other abbreviations are not of kernels. */
static bool read_substitution(struct reader *r, described *result)
{
    size_t index;
    if (accept(r, "t")) {
        described name;
        if (!read_source_name(r, &name))
            return false;
        *result = name;
        write_text(result, "std::", name.text, "");
        return remember(r, result);
    }
    if (!read_index(r, 36, &index) || index >= r->substitution_count)
        return false;
    *result = r->substitutions[index];
    return true;
}

/* The arguments of a template whose name was read; `last` keeps them. */
static bool read_specialisation(struct reader *r, described *result, struct arguments *last)
{
    struct arguments arguments;
    if (!read_arguments(r, &arguments))
        return false;
    if (last)
        *last = arguments;
    write_text(result, "", result->text, "<...>"); /* the arguments are not spelt out */
    return true;
}

/* N...E: each prefix can be referred to, but the whole only if it is a type. */
static bool read_nested(struct reader *r, described *result, struct arguments *last, bool is_type)
{
    bool first = true;
    while (!accept(r, "E")) {
        bool is_new = true, done;
        if (first && accept(r, "S")) {
            done = read_substitution(r, result);
            is_new = false;
        } else if (!first && accept(r, "I")) {
            done = read_specialisation(r, result, last);
        } else {
            if (last)
                last->count = 0;
            done = read_source_name(r, result);
        }
        if (!done || (is_new && (is_type || *r->at != 'E') && !remember(r, result)))
            return false;
        first = false;
    }
    return !first;
}

/* A function's own name is never referred to, unless it is that of a template. */
static bool read_name(struct reader *r, described *result, struct arguments *last)
{
    last->count = 0;
    if (accept(r, "N"))
        return read_nested(r, result, last, false);
    bool known = accept(r, "S");
    if (!(known ? read_substitution(r, result) : read_source_name(r, result)))
        return false;
    if (*r->at != 'I')
        return true;
    return (known || remember(r, result)) && accept(r, "I") && read_specialisation(r, result, last);
}

/* ---- types ---- */

static bool read_builtin(struct reader *r, described *result)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const struct builtin *builtin = &builtins[i];
        if (accept(r, builtin->code)) {
            *result = (described){.type = {builtin->kind, builtin->bytes, builtin->is_unsigned}};
            write_text(result, "", builtin->name, "");
            return true;
        }
    }
    return false;
}

static bool read_pointer(struct reader *r, const char *sign, described *result)
{
    described target;
    if (!read_type(r, &target))
        return false;
    size_t length = strlen(target.text);
    bool pointer = length > 0 && target.text[length - 1] == '*';
    *result = (described){.type = {PARAMETER_POINTER, sizeof(uint64_t), false}, .target = target.type};
    write_text(result, "", target.text, "");
    write_text(result, "", result->text, pointer ? sign + 1 : sign);
    return remember(r, result);
}

/* All qualifiers of a type are one step; that a pointer is restrict is left out of its text. */
static bool read_qualified(struct reader *r, described *result)
{
    bool is_volatile = false, is_const = false;
    accept(r, "r");
    is_volatile = accept(r, "V");
    is_const = accept(r, "K");
    if (!read_type(r, result))
        return false;
    bool pointer = result->type.kind == PARAMETER_POINTER;
    if (is_volatile)
        write_text(result, pointer ? "" : "volatile ", result->text, pointer ? "volatile" : "");
    if (is_const)
        write_text(result, pointer ? "" : "const ", result->text, pointer ? "const" : "");
    return remember(r, result);
}

/* Class names. */
static bool read_class(struct reader *r, described *result)
{
    if (accept(r, "N"))
        return read_nested(r, result, NULL, true);
    if (!read_source_name(r, result) || !remember(r, result))
        return false;
    return !accept(r, "I") || (read_specialisation(r, result, NULL) && remember(r, result));
}

static bool read_template_parameter(struct reader *r, described *result)
{
    size_t index;
    if (!read_index(r, 10, &index) || index >= r->arguments.count)
        return false;
    *result = r->arguments.list[index];
    if (!remember(r, result))
        return false;
    return *r->at != 'I'; /* a template as an argument */
}

/* A4_f, behind a pointer only. */
static bool read_array(struct reader *r, described *result)
{
    while (isdigit((unsigned char)*r->at))
        r->at++;
    if (!accept(r, "_") || !read_type(r, result))
        return false;
    write_text(result, "", result->text, "[]");
    result->type = (struct parameter_type){PARAMETER_OTHER, 0, false};
    return remember(r, result);
}

/* FvifE, behind a pointer only. */
static bool read_function(struct reader *r, described *result)
{
    described part;
    while (!accept(r, "E")) {
        if (!read_type(r, &part))
            return false;
    }
    *result = (described){.type = {PARAMETER_OTHER, 0, false}};
    return remember(r, result);
}

static bool read_this_type(struct reader *r, described *result)
{
    if (strchr("rVK", *r->at) && *r->at)
        return read_qualified(r, result);
    if (accept(r, "P"))
        return read_pointer(r, " *", result);
    if (accept(r, "R"))
        return read_pointer(r, " &", result);
    if (accept(r, "T"))
        return read_template_parameter(r, result);
    if (accept(r, "A"))
        return read_array(r, result);
    if (accept(r, "F"))
        return read_function(r, result);
    if (accept(r, "S"))
        return read_substitution(r, result) &&
               (!accept(r, "I") || (read_specialisation(r, result, NULL) && remember(r, result)));
    if (isdigit((unsigned char)*r->at) || *r->at == 'N')
        return read_class(r, result);
    return read_builtin(r, result);
}

static bool read_type(struct reader *r, described *result)
{
    *result = (described){0};
    if (r->depth == DEEPEST)
        return false;
    r->depth++;
    bool done = read_this_type(r, result);
    r->depth--;
    return done;
}

/* A suffix such as ".constprop.0" may follow. */
static bool at_end(const struct reader *r)
{
    return *r->at == '\0' || *r->at == '.';
}

static bool read_parameters(struct reader *r, described *parameters, size_t count)
{
    described name, ignored;
    if (!accept(r, "_Z") || !read_name(r, &name, &r->arguments))
        return false;
    if (r->arguments.count > 0 && !read_type(r, &ignored)) /* what a template returns */
        return false;
    if (*r->at == 'v') {
        r->at++;
        return count == 0 && at_end(r);
    }
    size_t i = 0;
    for (; !at_end(r) && i < count; i++) {
        if (!read_type(r, &parameters[i]))
            return false;
    }
    return i == count && at_end(r);
}

bool mangled_parameters(const char *symbol, struct kernel_parameter *parameters, size_t count)
{
    struct reader reader = {.at = symbol};
    return read_parameters(&reader, parameters, count);
}
