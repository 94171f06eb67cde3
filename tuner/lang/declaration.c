/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/declaration.h"
#include "tuner/lang/block.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/check.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/count.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/file.h"
#include "tuner/lang/let.h"
#include "tuner/lang/matrix.h"
#include "tuner/lang/metric.h"
#include "tuner/lang/size.h"
#include "tuner/lang/structure.h"
#include "tuner/source/file_option.h"

#include <string.h>

/* `template NAME "title"`, the first statement */
static bool parse_title(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    if (!parser_at_word(parser, "template")) {
        parser_expected(parser, "'template'");
        return error_hint(parser->error, "a template starts with: template NAME \"title\"");
    }
    if (!parser_advance(parser))
        return false;
    builder->template->title = "";
    return parser_name(parser, "the template's name", &builder->template->name, &builder->title) &&
           (!parser_at(parser, TOKEN_STRING) || parser_string(parser, "a title", &builder->template->title));
}

/* `"value" "description"`, the line of a block. */
static bool parse_described_value(struct parser *parser, struct list *values)
{
    struct place place = parser_place(parser);
    if (values->count == DESCRIBED_VALUES)
        return parser_fail(parser, "a parameter has at most %d described values", DESCRIBED_VALUES);
    struct value_description *described = parser_append(parser, values, sizeof *described);
    if (!described || !parser_string(parser, "a value in quotes", &described->value))
        return false;
    for (const struct value_description *other = values->items; other < described; other++) {
        if (strcmp(other->value, described->value) == 0)
            return error_at(parser->error, ERROR_INPUT, place, "%s is described twice", described->value);
    }
    return parser_string(parser, "what the value means, in quotes", &described->meaning);
}

/* `{ "value" "description" ... }` */
static bool parse_described_values(struct parser *parser, struct parameter_declaration *parameter)
{
    struct token open = parser->token;
    struct list values = {0};
    if (!parser_expect(parser, TOKEN_BRACE_OPEN) || !parser_skip_newlines(parser))
        return false;
    while (!parser_at(parser, TOKEN_BRACE_CLOSE) && !parser_at(parser, TOKEN_END)) {
        if (!parse_described_value(parser, &values) || !parser_end_statement(parser))
            return false;
    }
    parameter->values = values.items;
    parameter->value_count = values.count;
    return parser_close(parser, TOKEN_BRACE_CLOSE, &open);
}

/* `parameter NAME "description" { ... }` */
static bool parse_parameter(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct parameter_declaration *parameter = parser_append(parser, &builder->parameters, sizeof *parameter);
    struct token name;
    if (!parameter || !parser_new_name(parser, "the name of a parameter", &name) ||
        !parser_declare(parser, &name, NAME_PARAMETER, &parameter->slot))
        return false;
    parameter->name = scope_name(parser->scope, parameter->slot);
    parameter->meaning = "";
    if (parser_at(parser, TOKEN_STRING) && !parser_string(parser, "a description in quotes", &parameter->meaning))
        return false;
    return !parser_at(parser, TOKEN_BRACE_OPEN) || parse_described_values(parser, parameter);
}

/* The name of a CUDA source in the template's folder. */
static bool parse_file(struct builder *builder, const char **file)
{
    struct parser *parser = &builder->parser;
    struct place place = parser_place(parser);
    if (!parser_string(parser, "a source file name in quotes", file))
        return false;
    size_t length = strlen(*file);
    bool plain = length > 3 && strcmp(*file + length - 3, ".cu") == 0 && !strchr(*file, '/');
    if (plain)
        return true;
    error_at(parser->error, ERROR_INPUT, place, "%.100s is not the name of a .cu file in the template's folder",
             *file);
    return error_hint(parser->error, "sources lie in the template's folder; what they include may lie anywhere");
}

static bool parse_selection(struct builder *builder, const struct expr **condition)
{
    bool present;
    return parser_accept_word(&builder->parser, "if", &present) &&
           (!present || parse_condition(&builder->parser, condition));
}

static bool parse_source(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    const struct source_choice *choices = builder->sources.items;
    size_t count = builder->sources.count;
    if (count && !choices[count - 1].condition) {
        parser_fail(parser, "this source is never used: the one before it has no condition");
        return error_hint(parser->error, "the first source whose condition holds is compiled");
    }
    struct source_choice *choice = parser_append(parser, &builder->sources, sizeof *choice);
    if (!choice)
        return false;
    choice->place = parser_place(parser);
    return parse_file(builder, &choice->file) && parse_selection(builder, &choice->condition);
}

/* An option and the path that belongs to it are one string, so that a condition holds for both. */
static bool check_option(struct parser *parser, struct place place, const char *option)
{
    const char *path;
    enum file_option use = file_option_classify(option, &path);
    if ((use != OPTION_FOLDER && use != OPTION_FILE) || (*path && *path != ' '))
        return true;
    error_at(parser->error, ERROR_INPUT, place, "option %.100s names no %s", option,
             use == OPTION_FOLDER ? "folder" : "file");
    return error_hint(parser->error, "write both in one string, without a blank: option \"%s\"",
                      use == OPTION_FOLDER ? "-Iparts" : "-include=words.cuh");
}

static bool parse_option(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct compiler_option *option = parser_append(parser, &builder->options, sizeof *option);
    struct place place = parser_place(parser);
    return option && parser_string(parser, "a compiler option in quotes", &option->text) &&
           check_option(parser, place, option->text) && parse_selection(builder, &option->condition);
}

static bool parse_template_let(struct builder *builder)
{
    return parse_top_let(&builder->parser, &builder->lets);
}

/* Does it hold a statement of one of these kinds (1 << kind), however deep? */
static bool holds(const struct block *block, unsigned kinds)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        if (1u << statement->kind & kinds || holds(&statement->body, kinds) || holds(&statement->otherwise, kinds))
            return true;
    }
    return false;
}

/* Blocks around the launches may do with moving data. */
static bool check_purpose(struct builder *builder, struct place place, const char *word,
                          const struct sequence *sequence)
{
    enum {
        LAUNCHES = 1 << STATEMENT_LAUNCH,
        ACTS = LAUNCHES | 1 << STATEMENT_COPY | 1 << STATEMENT_COPY_SYMBOL | 1 << STATEMENT_FILL |
               1 << STATEMENT_SWAP | 1 << STATEMENT_READ
    };
    bool around = sequence == &builder->template->prepare || sequence == &builder->template->finish;
    return holds(&sequence->body, around ? ACTS : LAUNCHES) ||
           error_at(builder->parser.error, ERROR_INPUT, place,
                    around ? "this %s block does nothing" : "this %s block launches no kernel", word);
}

/* A sequence; `word` is the token just taken. */
static bool parse_sequence(struct builder *builder, const char *word, bool has_file, struct sequence *sequence)
{
    struct parser *parser = &builder->parser;
    struct place place = text_place(parser->text, parser->end - strlen(word), strlen(word));
    if (sequence->present)
        return error_at(parser->error, ERROR_INPUT, place, "duplicate %s block", word);
    sequence->present = true;
    sequence->place = has_file ? parser_place(parser) : place;
    return (!has_file || parse_file(builder, &sequence->file)) && parse_block(builder, &sequence->body) &&
           check_purpose(builder, place, word, sequence);
}

static bool parse_setup(struct builder *builder)
{
    builder->parser.givens = &builder->givens;
    bool good = parse_sequence(builder, "setup", true, &builder->template->setup);
    builder->parser.givens = NULL;
    return good;
}

static bool parse_prepare(struct builder *builder)
{
    return parse_sequence(builder, "prepare", false, &builder->template->prepare);
}

static bool parse_launch_block(struct builder *builder)
{
    return parse_sequence(builder, "launch", false, &builder->template->launch);
}

static bool parse_finish(struct builder *builder)
{
    return parse_sequence(builder, "finish", false, &builder->template->finish);
}

static bool parse_verify(struct builder *builder)
{
    return parse_sequence(builder, "verify", true, &builder->template->verify);
}

static bool parse_reference(struct builder *builder)
{
    if (at_expected_files(&builder->parser))
        return parse_expected_files(builder);
    builder->in_reference = true;
    bool good = parse_sequence(builder, "reference", true, &builder->template->reference);
    builder->in_reference = false;
    return good;
}

static bool expected_figure(struct parser *parser)
{
    char names[128] = "";
    for (size_t i = 0, at = 0; i < WORK_COUNT; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s'%s'",
                               i == 0               ? ""
                               : i + 1 < WORK_COUNT ? ", "
                                                    : " or ",
                               work_kinds[i].name);
    return parser_expected(parser, names);
}

/* `work flops = expression, bytes = expression, ...` */
static bool parse_work(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    bool comma = true;
    while (comma) {
        size_t i = 0;
        while (i < WORK_COUNT && !parser_at_word(parser, work_kinds[i].name))
            i++;
        if (i == WORK_COUNT)
            return expected_figure(parser);
        const struct expr **target = &builder->template->work[i];
        if (*target)
            return parser_fail(parser, "%s is given twice", work_kinds[i].name);
        if (!parser_advance(parser) || !parser_expect(parser, TOKEN_ASSIGN) || !parse_expression(parser, target) ||
            !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    return true;
}

static bool parse_default(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    bool is_objective;
    if (!parser_accept_word(parser, "objective", &is_objective))
        return false;
    if (is_objective)
        return parse_default_objective(builder);
    if (!parser_at_word(parser, "space"))
        return parser_expected(parser, "'space' or 'objective'");
    if (!parser_advance(parser))
        return false;
    if (builder->template->default_space)
        return parser_fail(parser, "the default space is named twice");
    return parser_name(parser, "the name of a space", &builder->template->default_space, NULL);
}

static const struct {
    const char *word;
    bool (*parse)(struct builder *builder);
} declarations[] = {
    {"size", parse_size},           {"awkward", parse_awkward}, {"parameter", parse_parameter},
    {"source", parse_source},       {"option", parse_option},   {"let", parse_template_let},
    {"buffer", parse_buffer},       {"setup", parse_setup},     {"prepare", parse_prepare},
    {"launch", parse_launch_block}, {"check", parse_check},     {"reference", parse_reference},
    {"finish", parse_finish},       {"verify", parse_verify},   {"work", parse_work},
    {"default", parse_default},     {"metric", parse_metric},   {"objective", parse_objective},
    {"define", parse_define},       {"struct", parse_struct},   {"count", parse_count},
    {"matrix", parse_matrix},
};

enum { DECLARATIONS = sizeof declarations / sizeof *declarations };

static bool parse_declaration(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    for (size_t i = 0; i < DECLARATIONS; i++) {
        if (parser_at_word(parser, declarations[i].word))
            return parser_advance(parser) && declarations[i].parse(builder);
    }
    if (parser_at_word(parser, "template"))
        return parser_fail(parser, "a file holds only one template");
    const char *words[DECLARATIONS];
    for (size_t i = 0; i < DECLARATIONS; i++)
        words[i] = declarations[i].word;
    return parser_unknown_statement(parser, words, DECLARATIONS);
}

/* Checks that need the whole template. */
static bool check_whole(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    const struct template *template = builder->template;
    struct place place = text_place(parser->text, builder->title.offset, builder->title.length);
    if (!template->launch.present) {
        error_at(parser->error, ERROR_INPUT, place, "template %s has no launch block", template->name);
        return error_hint(parser->error, "add what is to be timed: launch { kernel<<<grid, block>>>(arguments) }");
    }
    if (builder->sources.count == 0) {
        error_at(parser->error, ERROR_INPUT, place, "template %s names no source", template->name);
        return error_hint(parser->error, "add the file to compile: source \"%.100s.cu\"", template->name);
    }
    if (!check_expected_files(builder) || !check_buffers(builder) || !check_matrices(builder) ||
        !check_comparisons(builder))
        return false;
    return check_metrics(builder);
}

static void hand_over(const struct builder *builder, struct template *template)
{
    template->scope = builder->parser.scope;
    template->sizes = builder->sizes.items;
    template->size_count = builder->sizes.count;
    template->parameters = builder->parameters.items;
    template->parameter_count = builder->parameters.count;
    template->sources = builder->sources.items;
    template->source_count = builder->sources.count;
    template->options = builder->options.items;
    template->option_count = builder->options.count;
    template->lets = builder->lets.items;
    template->let_count = builder->lets.count;
    template->counts = builder->counts.items;
    template->count_count = builder->counts.count;
    template->buffers = builder->buffers.items;
    template->buffer_count = builder->buffers.count;
    template->matrices = builder->matrices.items;
    template->matrix_count = builder->matrices.count;
    template->givens = builder->givens.items;
    template->given_count = builder->givens.count;
    template->checks = builder->checks.items;
    template->check_count = builder->checks.count;
    template->expected = builder->expected.items;
    template->expected_count = builder->expected.count;
    template->metrics = builder->metrics.items;
    template->metric_count = builder->metrics.count;
}

bool parse_template(const struct text *text, struct arena *arena, struct template *template, struct error *error)
{
    struct builder builder = {.template = template};
    struct parser *parser = &builder.parser;
    struct scope *scope = scope_create(arena);
    if (!scope || !scope_add_device(scope))
        return error_out_of_memory(error);
    if (!parser_start(parser, text, arena, scope, error) || !parse_title(&builder) || !parser_end_statement(parser))
        return false;
    while (!parser_at(parser, TOKEN_END)) {
        if (!parse_declaration(&builder) || !parser_end_statement(parser))
            return false;
    }
    if (!check_whole(&builder))
        return false;
    hand_over(&builder, template);
    return true;
}
