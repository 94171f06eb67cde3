/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/entry.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/let.h"

#include <stdlib.h>
#include <string.h>

/* What the space says about a slot of the template. */
struct choice {
    bool varied, fixed, defaulted;
    struct token name; /* where its default names it */
};

struct space_parser {
    struct parser parser;
    const struct template *template;
    struct space *space;
    struct choice *choices;  /* one per slot of the template */
    struct list settings;    /* struct space_setting */
    struct list parameters;  /* struct space_parameter */
    struct list lets;        /* struct let_declaration */
    struct list constraints; /* struct space_constraint */
    struct list defaults;    /* struct space_setting */
    struct list members;     /* struct union_member */
};

static struct place token_place(const struct parser *parser, const struct token *token)
{
    return text_place(parser->text, token->offset, token->length);
}

/* `space NAME of TEMPLATE "title"`, the first statement */
static bool parse_title(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    const char *of;
    struct token token;
    if (!parser_at_word(parser, "space")) {
        parser_expected(parser, "'space'");
        return error_hint(parser->error, "a space starts with: space NAME of %.100s \"title\"", sp->template->name);
    }
    sp->space->title = "";
    if (!parser_advance(parser) || !parser_name(parser, "the space's name", &sp->space->name, NULL) ||
        !parser_expect_word(parser, "of") || !parser_name(parser, "the template's name", &of, &token))
        return false;
    if (strcmp(of, sp->template->name) != 0)
        return error_at(parser->error, ERROR_INPUT, token_place(parser, &token),
                        "this space is for template %s, not %s", of, sp->template->name);
    return !parser_at(parser, TOKEN_STRING) || parser_string(parser, "a title", &sp->space->title);
}

static bool hint_parameter(struct space_parser *sp, const char *name)
{
    struct error *error = sp->parser.error;
    const struct template *template = sp->template;
    const char **names = calloc(template->parameter_count + 1, sizeof *names);
    if (!names)
        return false; /* then without a hint */
    for (size_t i = 0; i < template->parameter_count; i++)
        names[i] = template->parameters[i].name;
    const char *nearest = error_nearest(name, names, template->parameter_count);
    if (nearest)
        error_hint(error, "did you mean %s?", nearest);
    else
        error_hint(error, "declare it in template %.100s: parameter %.100s \"meaning\"", template->name, name);
    free(names);
    return false;
}

/* Take the name of one of the template's parameters. */
static bool parse_parameter_name(struct space_parser *sp, struct token *token, size_t *slot)
{
    struct parser *parser = &sp->parser;
    const char *name;
    if (!parser_name(parser, "the name of a parameter", &name, token))
        return false;
    if (scope_find(parser->scope, name, slot) && scope_kind(parser->scope, *slot) == NAME_PARAMETER)
        return true;
    error_at(parser->error, ERROR_INPUT, token_place(parser, token), "template %s has no parameter %s",
             sp->template->name, name);
    const struct symbol *symbol = scope_symbol(parser->scope, name, strlen(name));
    if (symbol)
        return error_hint(parser->error, "%.100s is %s", name, symbol_noun(parser->scope, symbol));
    return hint_parameter(sp, name);
}

/* The same for a parameter without values so far, and the `=`. */
static bool parse_new_parameter(struct space_parser *sp, struct choice **choice, size_t *slot)
{
    struct parser *parser = &sp->parser;
    struct token token;
    if (!parse_parameter_name(sp, &token, slot))
        return false;
    *choice = &sp->choices[*slot];
    if ((*choice)->varied || (*choice)->fixed)
        return error_at(parser->error, ERROR_INPUT, token_place(parser, &token), "%s already has %s",
                        scope_name(parser->scope, *slot), (*choice)->varied ? "values" : "a fixed value");
    return parser_expect(parser, TOKEN_ASSIGN);
}

static bool reads_fixed(struct space_parser *sp, const struct expr *expr, const char *who)
{
    if (expression_uses_only(&sp->parser, expr, USES_DEVICE | USES_SIZES, who))
        return true;
    return error_hint(sp->parser.error, "only sizes and device fields may be used here; `where` relates parameters");
}

/* `param NAME = list` */
static bool parse_param(struct space_parser *sp)
{
    struct space_parameter *parameter = parser_append(&sp->parser, &sp->parameters, sizeof *parameter);
    struct choice *choice;
    if (!parameter || !parse_new_parameter(sp, &choice, &parameter->slot) ||
        !parse_list(&sp->parser, &parameter->values))
        return false;
    choice->varied = true;
    return reads_fixed(sp, parameter->values, "the values of a parameter");
}

/* `set NAME = expression` */
static bool parse_set(struct space_parser *sp)
{
    struct space_setting *setting = parser_append(&sp->parser, &sp->settings, sizeof *setting);
    struct choice *choice;
    if (!setting || !parse_new_parameter(sp, &choice, &setting->slot) ||
        !parse_expression(&sp->parser, &setting->value))
        return false;
    choice->fixed = true;
    return reads_fixed(sp, setting->value, "a fixed value");
}

static bool parse_space_let(struct space_parser *sp)
{
    return parse_top_let(&sp->parser, &sp->lets);
}

static bool parse_where(struct space_parser *sp)
{
    struct space_constraint *constraint = parser_append(&sp->parser, &sp->constraints, sizeof *constraint);
    return constraint && parse_condition(&sp->parser, &constraint->condition);
}

/* `default NAME = expression, ...`; check_defaults checks later that the space varies NAME */
static bool parse_defaults(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    bool comma = true;
    while (comma) {
        struct space_setting *setting = parser_append(parser, &sp->defaults, sizeof *setting);
        struct token token;
        if (!setting || !parse_parameter_name(sp, &token, &setting->slot))
            return false;
        struct choice *choice = &sp->choices[setting->slot];
        if (choice->defaulted)
            return error_at(parser->error, ERROR_INPUT, token_place(parser, &token), "%s already has a default",
                            scope_name(parser->scope, setting->slot));
        choice->defaulted = true;
        choice->name = token;
        if (!parser_expect(parser, TOKEN_ASSIGN) || !parse_expression(parser, &setting->value) ||
            !reads_fixed(sp, setting->value, "a default") || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    return true;
}

static bool is_member(const struct space_parser *sp, const char *name)
{
    const struct union_member *members = sp->members.items;
    for (size_t i = 0; i < sp->members.count; i++) {
        if (strcmp(members[i].name, name) == 0)
            return true;
    }
    return false;
}

/* `union NAME, ...` */
static bool parse_union(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    bool comma = true;
    while (comma) {
        struct token token;
        const char *name;
        if (!parser_name(parser, "the name of a space", &name, &token))
            return false;
        struct place place = token_place(parser, &token);
        if (is_member(sp, name))
            return error_at(parser->error, ERROR_INPUT, place, "%s is already in this union", name);
        struct union_member *member = parser_append(parser, &sp->members, sizeof *member);
        if (!member || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
        *member = (struct union_member){name, place};
    }
    return true;
}

static const struct {
    const char *word;
    bool (*parse)(struct space_parser *sp);
} statements[] = {
    {"param", parse_param}, {"set", parse_set},          {"let", parse_space_let},
    {"where", parse_where}, {"default", parse_defaults}, {"union", parse_union},
};

enum { STATEMENTS = sizeof statements / sizeof *statements };

static bool parse_statement(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    const char *words[STATEMENTS];
    for (size_t i = 0; i < STATEMENTS; i++) {
        words[i] = statements[i].word;
        if (!parser_at_word(parser, words[i]))
            continue;
        bool is_union = statements[i].parse == parse_union;
        bool has_own =
            sp->settings.count + sp->parameters.count + sp->lets.count + sp->constraints.count + sp->defaults.count;
        if (is_union ? has_own : sp->members.count > 0) {
            parser_fail(parser, "a space is a union or has parameters of its own, not both");
            return error_hint(parser->error, "move the parameters to a space of their own and name it in the union");
        }
        return parser_advance(parser) && statements[i].parse(sp);
    }
    return parser_unknown_statement(parser, words, STATEMENTS);
}

static bool reads_without_value(const struct node *node, const void *context)
{
    const struct choice *choices = context;
    return node->kind == NODE_NAME && node->operation == NAME_PARAMETER && !choices[node->slot].varied &&
           !choices[node->slot].fixed;
}

/* Parameters that constraints use must have values, which may be given later in the file. */
static bool check_constraints(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    const struct space_constraint *constraints = sp->constraints.items;
    for (size_t i = 0; i < sp->constraints.count; i++) {
        const struct node *node = node_find(constraints[i].condition->root, reads_without_value, sp->choices);
        if (!node)
            continue;
        error_at(parser->error, ERROR_INPUT, text_place(parser->text, node->offset, node->length),
                 "parameter %s has no value in this space", scope_name(parser->scope, node->slot));
        return error_hint(parser->error, "vary it with `param` or fix it with `set`");
    }
    return true;
}

static bool check_defaults(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    const struct space_setting *defaults = sp->defaults.items;
    for (size_t i = 0; i < sp->defaults.count; i++) {
        const struct choice *choice = &sp->choices[defaults[i].slot];
        if (choice->varied)
            continue;
        error_at(parser->error, ERROR_INPUT, token_place(parser, &choice->name), "%s %s, so it cannot have a default",
                 scope_name(parser->scope, defaults[i].slot),
                 choice->fixed ? "is fixed by `set`" : "is not varied by this space");
        return error_hint(parser->error, "defaults are for parameters that the space varies with `param`");
    }
    return true;
}

static void hand_over(const struct space_parser *sp, struct space *space)
{
    space->scope = sp->parser.scope;
    space->settings = sp->settings.items;
    space->setting_count = sp->settings.count;
    space->parameters = sp->parameters.items;
    space->parameter_count = sp->parameters.count;
    space->lets = sp->lets.items;
    space->let_count = sp->lets.count;
    space->constraints = sp->constraints.items;
    space->constraint_count = sp->constraints.count;
    space->defaults = sp->defaults.items;
    space->default_count = sp->defaults.count;
}

static bool parse_statements(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    while (!parser_at(parser, TOKEN_END)) {
        if (!parse_statement(sp) || !parser_end_statement(parser))
            return false;
    }
    return check_constraints(sp) && check_defaults(sp);
}

bool parse_space(const struct text *text, struct arena *arena, const struct template *template, struct space *space,
                 struct list *members, struct error *error)
{
    struct space_parser sp = {.template = template, .space = space};
    struct scope *scope = scope_copy(template->scope, arena);
    sp.choices = arena_allocate(arena, scope_count(template->scope) * sizeof *sp.choices);
    if (!scope || !sp.choices)
        return error_out_of_memory(error);
    if (!parser_start(&sp.parser, text, arena, scope, error) || !parse_title(&sp) ||
        !parser_end_statement(&sp.parser) || !parse_statements(&sp))
        return false;
    hand_over(&sp, space);
    *members = sp.members;
    return true;
}
