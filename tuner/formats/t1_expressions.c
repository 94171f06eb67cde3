/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_expressions.h"

#include "tuner/formats/names.h"
#include "tuner/lang/expression.h"

#include <ctype.h>
#include <string.h>

/* ---- names ---- */

bool t1_is_plain_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *text && !isdigit((unsigned char)*text) && strspn(text, letters) == strlen(text);
}

char *t1_identifier(struct t1 *t1, const char *name, struct error *error)
{
    bool bad_start = !isalpha((unsigned char)*name) && *name != '_';
    char *text = t1_format(t1, error, "%s%.100s", bad_start ? "_" : "", name);
    for (char *c = text; c && *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '_';
    }
    return text;
}

bool t1_name_is_free(struct t1 *t1, const char *name, bool *is_free, struct error *error)
{
    if (!name_is_allowed(name, is_free, error))
        return false;
    for (size_t i = 0; *is_free && i < t1->parameter_count; i++)
        *is_free = strcmp(t1->parameters[i].name, name) != 0;
    for (size_t i = 0; *is_free && i < t1->size_count; i++)
        *is_free = !t1->sizes[i] || strcmp(t1->sizes[i], name) != 0;
    for (size_t i = 0; *is_free && i < t1->macro_count; i++)
        *is_free = strcmp(t1->macros[i].name, name) != 0;
    for (size_t i = 0; *is_free && i < t1->argument_count; i++)
        *is_free = !t1->arguments[i].name || strcmp(t1->arguments[i].name, name) != 0;
    return true;
}

const char *t1_free_name(struct t1 *t1, const char *wanted, struct error *error)
{
    bool is_free = false;
    char *name = t1_identifier(t1, wanted, error);
    while (name) {
        if (!t1_name_is_free(t1, name, &is_free, error))
            return NULL;
        if (is_free)
            return name;
        name = t1_format(t1, error, "%s_", name);
    }
    return NULL;
}

bool t1_names(struct t1 *t1, const struct value *fixed, struct python_names *names, struct error *error)
{
    struct python_parameter *list = arena_allocate(&t1->arena, (t1->parameter_count + 1) * sizeof *list);
    if (!list)
        return error_out_of_memory(error);
    for (size_t i = 0; i < t1->parameter_count; i++) {
        const struct t1_parameter *parameter = &t1->parameters[i];
        list[i] = (struct python_parameter){parameter->name, parameter->values, parameter->count,
                                            fixed ? fixed[i] : (struct value){.kind = VALUE_UNSET}};
    }
    *names = (struct python_names){
        .parameters = list,
        .parameter_count = t1->parameter_count,
        .sizes = t1->sizes,
        .size_count = t1->size_count,
    };
    return true;
}

/* ---- expressions ---- */

/* The names that expressions may read: the parameters and sizes known so far. */
static struct scope *scope_of(struct t1 *t1, struct error *error)
{
    size_t slot, count = t1->parameter_count + t1->size_count;
    if (t1->scope && scope_count(t1->scope) == count)
        return t1->scope;
    struct scope *scope = scope_create(&t1->arena);
    for (size_t i = 0; scope && i < count; i++) {
        bool is_size = i >= t1->parameter_count;
        const char *name = is_size ? t1->sizes[i - t1->parameter_count] : t1->parameters[i].name;
        if (!scope_add_value(scope, name, strlen(name), is_size ? NAME_SIZE : NAME_PARAMETER, NULL, 0, &slot))
            scope = NULL;
    }
    t1->scope = scope;
    if (!scope)
        error_out_of_memory(error);
    return scope;
}

static bool parse(struct t1 *t1, const char *expression, const char *where, struct scope *scope,
                  const struct expr **expr, struct error *error)
{
    struct text *text = arena_allocate(&t1->arena, sizeof *text); /* the expression refers to it */
    const char *file = t1_format(t1, error, "%s, %s", t1->path, where);
    if (!text || !file)
        return error_out_of_memory(error);
    return text_copy(text, &t1->arena, file, expression, strlen(expression), error) &&
           expression_parse(text, &t1->arena, scope, expr, error);
}

bool t1_expression(struct t1 *t1, const char *text, const struct python_names *names, const char *where,
                   const char **result, struct error *error)
{
    const struct expr *expr;
    struct scope *scope = scope_of(t1, error);
    *result = scope ? python_text(&t1->arena, text, names, where, error) : NULL;
    if (!*result || !parse(t1, *result, where, scope, &expr, error))
        return false;
    if (expr->root->is_list)
        return error_at(error, ERROR_INPUT, expr_place(expr), "expected a single value, not a list");
    return true;
}

bool t1_list(struct t1 *t1, const char *text, const char *where, const char **result, struct value **values,
             size_t *count, struct error *error)
{
    const struct expr *expr;
    struct error bracketed_error;
    struct python_names names = {.sizes = t1->sizes, .size_count = t1->size_count};
    struct scope *scope = scope_create(&t1->arena); /* empty: values of one parameter cannot read others */
    if (!scope)
        return error_out_of_memory(error);
    const char *list = python_text(&t1->arena, text, &names, where, error);
    const char *bracketed = list ? t1_format(t1, error, "[%s]", list) : NULL;
    if (!bracketed)
        return false;
    bool parsed = parse(t1, list, where, scope, &expr, error);
    if (!parsed && error->code == ERROR_OUT_OF_MEMORY)
        return false;
    if (!parsed || !expr->root->is_list) {
        const struct expr *inside;
        if (!parse(t1, bracketed, where, scope, &inside, &bracketed_error)) {
            if (bracketed_error.code == ERROR_OUT_OF_MEMORY)
                return error_out_of_memory(error);
            return parsed && error_at(error, ERROR_INPUT, expr_place(expr), "expected a list of values");
        }
        expr = inside;
        list = bracketed;
    }
    *result = list;
    return expr_list(expr, (struct value[1]){{.kind = VALUE_UNSET}}, values, count, error);
}
