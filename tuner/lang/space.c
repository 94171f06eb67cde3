/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/space.h"
#include "tuner/lang/builder.h"
#include "tuner/lang/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    READS_DEVICE = 1 << NAME_DEVICE,
    READS_SIZES = 1 << NAME_SIZE,
    UNION_DEPTH = 16,
    UNION_SPACES = 1000, /* read for one union, through all unions inside it */
};

/* A space with what it owns; the space is its first member. */
struct document {
    struct space space;
    struct arena arena;
    struct text text;
};

/* The unions that a space is read for. */
struct reading {
    const struct reading *outer;
    const char *name;
    unsigned depth;
    unsigned *spaces; /* read so far */
};

/* What is said about a slot. */
struct choice {
    bool varied, fixed, defaulted;
    struct token name; /* in its default */
};

struct space_parser {
    struct parser parser;
    const struct template *template;
    struct space *space;
    const struct reading *reading;
    struct choice *choices;  /* a slot of the template each */
    struct list settings;    /* struct space_setting */
    struct list parameters;  /* struct space_parameter */
    struct list lets;        /* struct let_declaration */
    struct list constraints; /* struct space_constraint */
    struct list defaults;    /* struct space_setting */
    struct list members;     /* struct space * */
};

static bool read_member(const char *path, const struct template *template, const struct reading *reading,
                        struct space **result, struct error *error);

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
        parser_expected(parser, "space");
        return error_hint(parser->error, "a space starts with: space NAME of %.100s \"title\"", sp->template->name);
    }
    sp->space->title = "";
    if (!parser_advance(parser) || !parser_name(parser, "the space's name", &sp->space->name, NULL) ||
        !parser_expect_word(parser, "of") || !parser_name(parser, "the template's name", &of, &token))
        return false;
    if (strcmp(of, sp->template->name) != 0)
        return error_at(parser->error, ERROR_INPUT, token_place(parser, &token),
                        "this is a space of the template %s, not of %s", of, sp->template->name);
    return !parser_at(parser, TOKEN_STRING) || parser_string(parser, "a title", &sp->space->title);
}

static bool hint_parameter(struct space_parser *sp, const char *name)
{
    struct error *error = sp->parser.error;
    const struct template *template = sp->template;
    const char **names = calloc(template->parameter_count + 1, sizeof *names);
    if (!names)
        return false; /* a hint less */
    for (size_t i = 0; i < template->parameter_count; i++)
        names[i] = template->parameters[i].name;
    const char *nearest = error_nearest(name, names, template->parameter_count);
    if (nearest)
        error_hint(error, "did you mean %s?", nearest);
    else
        error_hint(error, "%.100s must declare it: parameter %.100s \"meaning\"", template->name, name);
    free(names);
    return false;
}

/* Take the name of a parameter of the template. */
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

/* The same, of one that has no values yet. */
static bool parse_new_parameter(struct space_parser *sp, struct choice **choice, size_t *slot)
{
    struct parser *parser = &sp->parser;
    struct token token;
    if (!parse_parameter_name(sp, &token, slot))
        return false;
    *choice = &sp->choices[*slot];
    if ((*choice)->varied || (*choice)->fixed)
        return error_at(parser->error, ERROR_INPUT, token_place(parser, &token), "%s has %s already",
                        scope_name(parser->scope, *slot), (*choice)->varied ? "values" : "a fixed value");
    return parser_expect(parser, TOKEN_ASSIGN);
}

static bool reads_fixed(struct space_parser *sp, const struct expr *expr, const char *who)
{
    if (expression_reads_only(&sp->parser, expr, READS_DEVICE | READS_SIZES, who))
        return true;
    return error_hint(sp->parser.error, "it may read sizes and device fields; `where` and `let` may read parameters");
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
    struct let_declaration *let = parser_append(&sp->parser, &sp->lets, sizeof *let);
    return let && parse_let(&sp->parser, NAME_LET, let);
}

static bool parse_where(struct space_parser *sp)
{
    struct space_constraint *constraint = parser_append(&sp->parser, &sp->constraints, sizeof *constraint);
    return constraint && parse_expression(&sp->parser, &constraint->condition);
}

/* `default NAME = expression, ...`; whether the space varies NAME shows at its end */
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
            return error_at(parser->error, ERROR_INPUT, token_place(parser, &token), "%s has a default already",
                            scope_name(parser->scope, setting->slot));
        choice->defaulted = true;
        choice->name = token;
        if (!parser_expect(parser, TOKEN_ASSIGN) || !parse_expression(parser, &setting->value) ||
            !reads_fixed(sp, setting->value, "a default") || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    return true;
}

/* Would reading the member `name` lead back to a union that is being read, or too deep? */
static bool check_circle(struct space_parser *sp, const struct token *token, const char *name)
{
    struct parser *parser = &sp->parser;
    struct place place = token_place(parser, token);
    assert(sp->reading);
    for (const struct reading *reading = sp->reading; reading; reading = reading->outer) {
        if (strcmp(reading->name, name) == 0)
            return error_at(parser->error, ERROR_INPUT, place, "the union %s contains itself", name);
    }
    for (size_t i = 0; i < sp->members.count; i++) {
        const struct space *member = ((struct space *const *)sp->members.items)[i];
        if (member && strcmp(member->name, name) == 0)
            return error_at(parser->error, ERROR_INPUT, place, "%s is in this union already", name);
    }
    if (sp->reading->depth >= UNION_DEPTH)
        return error_at(parser->error, ERROR_INPUT, place, "unions are nested more than %d deep", UNION_DEPTH);
    if (++*sp->reading->spaces > UNION_SPACES)
        return error_at(parser->error, ERROR_INPUT, place, "this union reads more than %d spaces", UNION_SPACES);
    return true;
}

/* FOLDER/NAME.space, in the arena */
static char *member_path(struct space_parser *sp, const char *name)
{
    const char *path = sp->parser.text->file;
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    size_t size = folder + strlen(name) + sizeof ".space";
    char *member = parser_allocate(&sp->parser, size);
    if (member)
        snprintf(member, size, "%.*s%s.space", (int)folder, path, name);
    return member;
}

static bool parse_member(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    const char *name;
    struct token token;
    if (!parser_name(parser, "the name of a space", &name, &token) || !check_circle(sp, &token, name))
        return false;
    const char *path = member_path(sp, name);
    struct space **member = path ? parser_append(parser, &sp->members, sizeof *member) : NULL;
    if (!member)
        return false;
    struct reading reading = {sp->reading, name, sp->reading->depth + 1, sp->reading->spaces};
    if (!read_member(path, sp->template, &reading, member, parser->error)) {
        if (parser->error && !parser->error->file[0]) { /* the file cannot be read: say who wants it */
            char text[sizeof parser->error->text];
            memcpy(text, parser->error->text, sizeof text);
            error_at(parser->error, parser->error->code, token_place(parser, &token), "%s", text);
        }
        return false;
    }
    if (strcmp((*member)->name, name) == 0)
        return true;
    return error_at(parser->error, ERROR_INPUT, token_place(parser, &token), "%s holds a space called %s, not %s",
                    path, (*member)->name, name);
}

/* `union NAME, ...` */
static bool parse_union(struct space_parser *sp)
{
    bool comma = true;
    while (comma) {
        if (!parse_member(sp) || !parser_accept(&sp->parser, TOKEN_COMMA, &comma))
            return false;
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
            return error_hint(parser->error, "put the parameters into a space of their own and name it in the union");
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

/* Every parameter that a constraint reads must have values, wherever in the file they are. */
static bool check_constraints(struct space_parser *sp)
{
    struct parser *parser = &sp->parser;
    const struct space_constraint *constraints = sp->constraints.items;
    for (size_t i = 0; i < sp->constraints.count; i++) {
        const struct node *node = node_find(constraints[i].condition->root, reads_without_value, sp->choices);
        if (!node)
            continue;
        error_at(parser->error, ERROR_INPUT, text_place(parser->text, node->offset, node->length),
                 "this space gives the parameter %s no value", scope_name(parser->scope, node->slot));
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
        error_at(parser->error, ERROR_INPUT, token_place(parser, &choice->name), "%s %s, so it has no default",
                 scope_name(parser->scope, defaults[i].slot),
                 choice->fixed ? "is fixed by `set`" : "is not varied by this space");
        return error_hint(parser->error, "defaults are for the parameters that the space varies with `param`");
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

/* Parse the document's text. Members that were read belong to the space even when parsing fails. */
static bool parse(struct document *document, const struct template *template, const struct reading *reading,
                  struct error *error)
{
    struct space_parser sp = {.template = template, .space = &document->space};
    struct arena *arena = &document->arena;
    struct scope *scope = scope_copy(template->scope, arena);
    unsigned spaces = 0;
    sp.choices = arena_allocate(arena, scope_count(template->scope) * sizeof *sp.choices);
    if (!scope || !sp.choices)
        return error_out_of_memory(error);
    if (!parser_start(&sp.parser, &document->text, arena, scope, error) || !parse_title(&sp) ||
        !parser_end_statement(&sp.parser))
        return false;
    struct reading outermost = {NULL, document->space.name, 0, &spaces};
    sp.reading = reading ? reading : &outermost;
    bool good = parse_statements(&sp);
    document->space.members = sp.members.items;
    document->space.member_count = sp.members.count;
    if (good)
        hand_over(&sp, &document->space);
    return good;
}

static bool hash_document(struct document *document, struct error *error)
{
    struct space *space = &document->space;
    struct hash *hash = hash_create();
    if (!hash)
        return error_out_of_memory(error);
    hash_tokens(hash, &document->text);
    for (size_t i = 0; i < space->member_count; i++)
        hash_bytes(hash, space->members[i]->hash, sizeof space->members[i]->hash);
    hash_digits(hash, space->hash);
    hash_free(hash);
    return true;
}

static struct document *document_create(struct error *error)
{
    struct document *document = calloc(1, sizeof *document);
    if (!document)
        error_out_of_memory(error);
    return document;
}

void space_free(struct space *space)
{
    struct document *document = (struct document *)space;
    if (!document)
        return;
    for (size_t i = 0; i < space->member_count; i++)
        space_free(space->members[i]);
    arena_free(&document->arena);
    free(document);
}

/* Finish a document whose text is there, or free it. */
static bool finish(struct document *document, const struct template *template, const struct reading *reading,
                   struct space **result, struct error *error)
{
    document->space.path = document->text.file;
    document->space.text = document->text.data;
    if (!parse(document, template, reading, error) || !hash_document(document, error)) {
        space_free(&document->space);
        return false;
    }
    *result = &document->space;
    return true;
}

static bool read_member(const char *path, const struct template *template, const struct reading *reading,
                        struct space **result, struct error *error)
{
    struct document *document = document_create(error);
    if (!document)
        return false;
    if (text_read(&document->text, &document->arena, path, error))
        return finish(document, template, reading, result, error);
    space_free(&document->space);
    return false;
}

bool space_read(const char *path, const struct template *template, struct space **result, struct error *error)
{
    return read_member(path, template, NULL, result, error);
}

bool space_parse(const char *path, const char *text, size_t length, const struct template *template,
                 struct space **result, struct error *error)
{
    struct document *document = document_create(error);
    if (!document)
        return false;
    if (text_copy(&document->text, &document->arena, path, text, length, error))
        return finish(document, template, NULL, result, error);
    space_free(&document->space);
    return false;
}
