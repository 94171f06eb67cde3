/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/python_write.h"

#include "tuner/lang/function.h"
#include "tuner/lang/node.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 }; /* of nested lets */

struct python_writing {
    FILE *out;
    const struct python_scope *scope;
    const struct text *text;
    struct error *error;
    unsigned depth;
};

static bool write_node(const struct python_writing *w, const struct node *node);

/* ---- what an expression reads ---- */

static const struct expr *find_let(const struct python_scope *scope, size_t slot)
{
    for (size_t i = 0; i < scope->extra_count; i++) {
        if (scope->extra[i]->slot == slot)
            return scope->extra[i]->value;
    }
    for (size_t i = 0; i < scope->template->let_count; i++) {
        if (scope->template->lets[i].slot == slot)
            return scope->template->lets[i].value;
    }
    for (size_t i = 0; i < scope->space->let_count; i++) {
        if (scope->space->lets[i].slot == slot)
            return scope->space->lets[i].value;
    }
    return NULL;
}

/* Does the value differ between configurations, or is it unknown? Comprehensions are only looked at as a whole, so
 * that their own names never occur here. */
static bool varies(const struct node *node, const void *context)
{
    const struct python_scope *scope = context;
    if (node->kind != NODE_NAME)
        return false;
    if (node->operation == NAME_DEVICE || node->operation == NAME_SIZE)
        return false;
    const struct expr *let = node->operation == NAME_PARAMETER ? NULL : find_let(scope, node->slot);
    return !let || node_find(let->root, varies, scope);
}

static bool is_python_function(enum function function)
{
    switch (function) {
    case FUNCTION_CEIL_DIV:
    case FUNCTION_ROUND_UP:
    case FUNCTION_GAMMA:
    case FUNCTION_SUM_ERROR:
    case FUNCTION_POW2:
        return false;
    default:
        return true;
    }
}

/* Not Python over parameters. */
static bool is_foreign(const struct node *node, const void *context)
{
    (void)context;
    return (node->kind == NODE_NAME && node->operation != NAME_PARAMETER) ||
           (node->kind == NODE_CALL && !is_python_function((enum function)node->operation)) ||
           (node->kind == NODE_CONSTANT && node->constant.kind == VALUE_BOOLEAN);
}

/* ---- writing ---- */

static bool write_value(const struct python_writing *w, struct value value)
{
    char text[1024];
    if (value.kind == VALUE_BOOLEAN)
        fputs(value.boolean ? "True" : "False", w->out);
    else if (value_text(value, text, sizeof text) < sizeof text)
        fputs(text, w->out);
    else
        return error_set(w->error, ERROR_INPUT, "a string of more than %zu bytes cannot be exported", sizeof text);
    return true;
}

static bool constant_value(const struct python_writing *w, const struct node *node, struct value *value)
{
    struct expr expr = {.root = node, .text = w->text};
    return !node->is_list && !node_find(node, varies, w->scope) && expr_evaluate(&expr, w->scope->slots, value, NULL);
}

static bool write_items(const struct python_writing *w, const struct node *node, const char *separator)
{
    for (uint32_t i = 0; i < node->count; i++) {
        if (i)
            fputs(separator, w->out);
        if (!write_node(w, node->items[i]))
            return false;
    }
    return true;
}

/* The token itself: an operator or a name. */
static void write_token(const struct python_writing *w, const struct node *node)
{
    fwrite(w->text->data + node->offset, 1, node->length, w->out);
}

static bool write_let(const struct python_writing *w, const struct node *node)
{
    const struct expr *let = find_let(w->scope, node->slot);
    struct python_writing inner = *w;
    if (!let || w->depth == DEPTH_LIMIT)
        return error_at(w->error, ERROR_INPUT, text_place(w->text, node->offset, node->length),
                        "T1 cannot express %.*s", (int)node->length, w->text->data + node->offset);
    inner.text = let->text;
    inner.depth++;
    return write_node(&inner, let->root);
}

/* -(-a // b): a / b rounded up. */
static bool write_ceil_div(const struct python_writing *w, const struct node *node)
{
    fputs("(-(-", w->out);
    if (!write_node(w, node->items[0]))
        return false;
    fputs(" // ", w->out);
    if (!write_node(w, node->items[1]))
        return false;
    fputs("))", w->out);
    return true;
}

static bool write_call(const struct python_writing *w, const struct node *node)
{
    enum function function = (enum function)node->operation;
    if (function == FUNCTION_CEIL_DIV)
        return write_ceil_div(w, node);
    if (function == FUNCTION_ROUND_UP) {
        fputc('(', w->out);
        if (!write_ceil_div(w, node))
            return false;
        fputs(" * ", w->out);
        if (!write_node(w, node->items[1]))
            return false;
        fputc(')', w->out);
        return true;
    }
    if (!is_python_function(function))
        return error_at(w->error, ERROR_INPUT, text_place(w->text, node->offset, node->length),
                        "T1 cannot express %s() of a parameter", functions[function].name);
    write_token(w, node);
    fputc('(', w->out);
    if (!write_items(w, node, ", "))
        return false;
    fputc(')', w->out);
    return true;
}

static bool write_compare(const struct python_writing *w, const struct node *node)
{
    static const char *const signs[] = {[COMPARE_LESS] = " < ",    [COMPARE_LESS_EQUAL] = " <= ",
                                        [COMPARE_GREATER] = " > ", [COMPARE_GREATER_EQUAL] = " >= ",
                                        [COMPARE_EQUAL] = " == ",  [COMPARE_NOT_EQUAL] = " != ",
                                        [COMPARE_IN] = " in ",     [COMPARE_NOT_IN] = " not in "};
    fputc('(', w->out);
    for (uint32_t i = 0; i < node->count; i++) {
        if (i)
            fputs(signs[node->comparisons[i - 1]], w->out);
        if (!write_node(w, node->items[i]))
            return false;
    }
    fputc(')', w->out);
    return true;
}

static bool write_choice(const struct python_writing *w, const struct node *node)
{
    fputc('(', w->out);
    if (!write_node(w, node->items[1]))
        return false;
    fputs(" if ", w->out);
    if (!write_node(w, node->items[0]))
        return false;
    fputs(" else ", w->out);
    if (!write_node(w, node->items[2]))
        return false;
    fputc(')', w->out);
    return true;
}

/* Lists of constants are written out, since Python may not have the function behind them (pow2). */
static bool write_known_list(const struct python_writing *w, const struct node *node, bool *known)
{
    struct expr expr = {.root = node, .text = w->text};
    struct value *values = NULL;
    size_t count = 0;
    enum { MOST = 4096 };
    *known = !node_find(node, varies, w->scope) && expr_list(&expr, w->scope->slots, &values, &count, NULL) &&
             count <= MOST;
    bool done = true;
    if (*known) {
        fputc('[', w->out);
        for (size_t i = 0; done && i < count; i++) {
            fputs(i ? ", " : "", w->out);
            done = write_value(w, values[i]);
        }
        fputc(']', w->out);
    }
    free(values);
    return done;
}

static bool write_list(const struct python_writing *w, const struct node *node)
{
    fputc('[', w->out);
    if (!write_items(w, node, ", "))
        return false;
    fputc(']', w->out);
    return true;
}

static bool write_grouped(const struct python_writing *w, const struct node *node, const char *separator)
{
    fputc('(', w->out);
    if (!write_items(w, node, separator))
        return false;
    fputc(')', w->out);
    return true;
}

static bool write_binary(const struct python_writing *w, const struct node *node)
{
    char sign[8];
    snprintf(sign, sizeof sign, " %.*s ", (int)(node->length < 4 ? node->length : 4), w->text->data + node->offset);
    return write_grouped(w, node, sign);
}

static bool write_node(const struct python_writing *w, const struct node *node)
{
    struct value value;
    bool known = false;
    if (constant_value(w, node, &value))
        return write_value(w, value);
    if (node->is_list && !write_known_list(w, node, &known))
        return false;
    if (known)
        return true;
    switch ((enum node_kind)node->kind) {
    case NODE_CONSTANT:
        return write_value(w, node->constant);
    case NODE_NAME:
        if (node->operation != NAME_PARAMETER)
            return write_let(w, node);
        write_token(w, node);
        return true;
    case NODE_UNARY:
        fputc('(', w->out);
        write_token(w, node);
        return write_items(w, node, "") && fputc(')', w->out) != EOF;
    case NODE_NOT:
        fputs("(not ", w->out);
        return write_items(w, node, "") && fputc(')', w->out) != EOF;
    case NODE_BINARY:
    case NODE_JOIN:
        return write_binary(w, node);
    case NODE_AND:
        return write_grouped(w, node, " and ");
    case NODE_OR:
        return write_grouped(w, node, " or ");
    case NODE_COMPARE:
        return write_compare(w, node);
    case NODE_CHOICE:
        return write_choice(w, node);
    case NODE_CALL:
        return write_call(w, node);
    case NODE_LIST:
        return write_list(w, node);
    case NODE_COMPREHENSION:
    case NODE_BOUND:
        break;
    }
    return error_at(w->error, ERROR_INPUT, text_place(w->text, node->offset, node->length),
                    "T1 cannot express a comprehension over lets, sizes or device fields");
}

bool python_constant(const struct expr *expr, const struct python_scope *scope, struct value *value)
{
    struct python_writing w = {NULL, scope, expr->text, NULL, 0};
    return constant_value(&w, expr->root, value);
}

bool python_write(FILE *out, const struct expr *expr, const struct python_scope *scope, struct error *error)
{
    struct python_writing w = {out, scope, expr->text, error, 0};
    struct value value;
    if (node_find(expr->root, is_foreign, NULL))
        return constant_value(&w, expr->root, &value) ? write_value(&w, value) : write_node(&w, expr->root);
    fwrite(expr->text->data + expr->offset, 1, expr->length, out);
    return true;
}
