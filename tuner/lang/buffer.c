/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/buffer.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/file.h"
#include "tuner/lang/structure.h"

#include <string.h>

struct buffer_declaration *buffer_at(const struct builder *builder, size_t buffer)
{
    return (struct buffer_declaration *)builder->buffers.items + buffer;
}

struct buffer_state *buffer_state_at(const struct builder *builder, size_t buffer)
{
    return (struct buffer_state *)builder->states.items + buffer;
}

const struct symbol *buffer_symbol(const struct parser *parser)
{
    if (!parser_at(parser, TOKEN_NAME))
        return NULL;
    return scope_symbol(parser->scope, parser->text->data + parser->token.offset, parser->token.length);
}

bool parse_buffer_name(struct builder *builder, size_t *buffer)
{
    struct parser *parser = &builder->parser;
    const struct symbol *symbol = buffer_symbol(parser);
    if (symbol && symbol->kind == SYMBOL_BUFFER) {
        *buffer = symbol->index;
        return parser_advance(parser);
    }
    if (symbol)
        return parser_fail(parser, "%s is %s, not a buffer", symbol->name, symbol_noun(parser->scope, symbol));
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, "the name of a buffer");
    char name[NAME_LENGTH_LIMIT + 1] = "";
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    parser_fail(parser, "unknown buffer %s", name);
    return parser_hint_nearest(parser, SYMBOL_BUFFER, name);
}

static bool parse_role(struct parser *parser, enum buffer_role *role)
{
    static const char *const words[] = {[BUFFER_IN] = "in",
                                        [BUFFER_OUT] = "out",
                                        [BUFFER_INOUT] = "inout",
                                        [BUFFER_TEMP] = "temp",
                                        [BUFFER_SCRATCH] = "scratch"};
    for (int i = BUFFER_IN; i <= BUFFER_SCRATCH; i++) {
        if (parser_at_word(parser, words[i])) {
            *role = (enum buffer_role)i;
            return parser_advance(parser);
        }
    }
    return parser_expected(parser, "in, out, inout, temp or scratch");
}

static const struct {
    const char *word;
    enum initial_kind kind;
    int arguments;
} initials[] = {
    {"uniform", INITIAL_UNIFORM, 2},
    {"constant", INITIAL_CONSTANT, 1},
    {"index", INITIAL_INDEX, 0},
    {"file", INITIAL_FILE, 0},
};

enum { INITIALS = sizeof initials / sizeof *initials };

static bool unknown_initial(struct parser *parser)
{
    char name[NAME_LENGTH_LIMIT + 1] = "";
    const char *words[INITIALS];
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    for (int i = 0; i < INITIALS; i++)
        words[i] = initials[i].word;
    const char *nearest = error_nearest(name, words, INITIALS);
    parser_fail(parser, "unknown initializer %s", name);
    if (nearest)
        return error_hint(parser->error, "did you mean %s?", nearest);
    return error_hint(parser->error,
                      "the initializers are uniform(low, high), constant(value), index() and file(\"x.npy\")");
}

/* uniform(a, b), constant(a), index(), file("x.npy") */
static bool parse_initial(struct builder *builder, struct buffer_declaration *buffer)
{
    struct parser *parser = &builder->parser;
    int i = 0;
    while (i < INITIALS && !parser_at_word(parser, initials[i].word))
        i++;
    if (i == INITIALS)
        return unknown_initial(parser);
    if (!role_is_initialised(buffer->role)) {
        parser_fail(parser, "%s is poisoned before every validated run and cannot have initial values", buffer->name);
        return error_hint(parser->error, "a buffer that is both read and written is inout, or scratch if its "
                                         "contents do not matter afterwards");
    }
    buffer->initial = initials[i].kind;
    if (!parser_advance(parser))
        return false;
    if (buffer->initial == INITIAL_FILE)
        return parse_file_name(builder, &buffer->file, &buffer->file_place);
    struct token open = parser->token;
    return parser_expect(parser, TOKEN_PAREN_OPEN) &&
           (initials[i].arguments < 1 || parse_expression(parser, &buffer->a)) &&
           (initials[i].arguments < 2 ||
            (parser_expect(parser, TOKEN_COMMA) && parse_expression(parser, &buffer->b))) &&
           parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

/* `n` or `rows, cols` */
static bool parse_extent(struct parser *parser, struct buffer_declaration *buffer)
{
    struct list dimensions = {0};
    if (!parse_product(parser, &buffer->extent, &dimensions))
        return false;
    buffer->dimensions = dimensions.items;
    buffer->dimension_count = dimensions.count;
    return true;
}

bool parse_slice(struct builder *builder, bool *present, const struct expr **first, const struct expr **last)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    *present = parser_at(parser, TOKEN_BRACKET_OPEN);
    if (!*present)
        return true;
    if (!parser_advance(parser) || (!parser_at(parser, TOKEN_COLON) && !parse_expression(parser, first)) ||
        !parser_expect(parser, TOKEN_COLON) ||
        (!parser_at(parser, TOKEN_BRACKET_CLOSE) && !parse_expression(parser, last)))
        return false;
    return parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}

/* What is compared, or the same for all configurations, has its extent before anything is launched. */
static bool check_extent(struct parser *parser, const struct buffer_declaration *buffer)
{
    if (buffer->role == BUFFER_TEMP || buffer->role == BUFFER_SCRATCH ||
        expression_uses_only(parser, buffer->extent, ~(1u << NAME_COUNT), "the extent of this buffer"))
        return true;
    return error_hint(parser->error,
                      "only temp and scratch buffers are allocated once a count is known; let it have as "
                      "many elements as it may need");
}

static bool parse_buffer_type(struct builder *builder, struct buffer_declaration *buffer)
{
    struct parser *parser = &builder->parser;
    struct place place = parser_place(parser);
    if (!parse_type(builder, &buffer->type))
        return false;
    if (!buffer->type->has_pointer)
        return true;
    error_at(parser->error, ERROR_INPUT, place,
             "struct %s has a pointer, so it can only be an argument, not a buffer", buffer->type->layout->name);
    return error_hint(parser->error, "use indices instead of pointers, or setup and prepare kernels that write them "
                                     "into a buffer of ulong");
}

bool parse_buffer(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct buffer_declaration *buffer = parser_append(parser, &builder->buffers, sizeof *buffer);
    struct token name, open;
    if (!buffer || !parser_append(parser, &builder->states, sizeof(struct buffer_state)) ||
        !parser_new_name(parser, "the name of a buffer", &name) || !parser_expect(parser, TOKEN_COLON) ||
        !parse_buffer_type(builder, buffer))
        return false;
    open = parser->token;
    buffer->place = text_place(parser->text, name.offset, name.length);
    buffer->name = arena_string(parser->arena, parser->text->data + name.offset, name.length);
    if (!buffer->name)
        return parser_out_of_memory(parser);
    if (!parser_expect(parser, TOKEN_BRACKET_OPEN) || !parse_extent(parser, buffer) ||
        !parser_close(parser, TOKEN_BRACKET_CLOSE, &open) || !parse_role(parser, &buffer->role) ||
        !check_extent(parser, buffer))
        return false;
    if (parser_at(parser, TOKEN_NAME) && !parse_initial(builder, buffer))
        return false;
    return scope_add_buffer(parser->scope, buffer->name, name.length, builder->buffers.count - 1, parser->text,
                            name.offset) ||
           parser_out_of_memory(parser);
}

/* Do its expected values come from one place, if it needs any? */
static bool check_expectation(const struct builder *builder, const struct buffer_declaration *buffer,
                              const struct buffer_state *state)
{
    struct error *error = builder->parser.error;
    const bool computed = state->referenced || state->weighed, has_files = builder->expected.count;
    if (!state->compared && (state->given || computed)) {
        error_at(error, ERROR_INPUT, buffer->place, "no check compares %s with expected values", buffer->name);
        return error_hint(error, "`below` needs none: leave those of %s out of the reference", buffer->name);
    }
    if (state->given && state->referenced) {
        error_at(error, ERROR_INPUT, buffer->place, "%s has expected values from a file and from the reference",
                 buffer->name);
        return error_hint(error, "leave out one of them: the file, or ref(%s)", buffer->name);
    }
    if (!state->compared || state->given || state->referenced)
        return true;
    if (builder->template->reference.present) {
        error_at(error, ERROR_INPUT, buffer->place, "the reference never writes ref(%s)", buffer->name);
        return error_hint(error, "pass ref(%s) to a kernel of the reference%s", buffer->name,
                          has_files ? ", or name a file with its expected values" : "");
    }
    if (!has_files) /* there is none at all, which is said of a check */
        return true;
    error_at(error, ERROR_INPUT, buffer->place, "no file has the expected values of %s", buffer->name);
    return error_hint(error,
                      "add it to the others: reference ..., %s file(\"%s.npy\"); or let a kernel compute it: "
                      "reference \"reference.cu\" { ... ref(%s) ... }",
                      buffer->name, buffer->name, buffer->name);
}

static bool check_buffer(const struct builder *builder, size_t i)
{
    struct error *error = builder->parser.error;
    const struct buffer_declaration *buffer = (struct buffer_declaration *)builder->buffers.items + i;
    const struct buffer_state *state = (struct buffer_state *)builder->states.items + i;
    bool output = role_is_output(buffer->role), input = role_is_initialised(buffer->role);
    if (output && !state->checked) {
        error_at(error, ERROR_INPUT, buffer->place, "output %s is never checked", buffer->name);
        return error_hint(error, "add `check %s within sum_error(n)` or `check %s exact`, or make it temp",
                          buffer->name, buffer->name);
    }
    if (output && !check_expectation(builder, buffer, state))
        return false;
    if (input && buffer->initial == INITIAL_NONE && !builder->template->setup.present) {
        error_at(error, ERROR_INPUT, buffer->place, "%s has no initial values", buffer->name);
        return error_hint(
            error,
            "add uniform(low, high), constant(value), index() or file(\"x.npy\"), or fill it in a setup block");
    }
    return true;
}

bool check_buffers(const struct builder *builder)
{
    for (size_t i = 0; i < builder->buffers.count; i++) {
        if (!check_buffer(builder, i))
            return false;
    }
    return true;
}
