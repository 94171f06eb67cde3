/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/file.h"
#include "tuner/lang/buffer.h"

bool parse_file_name(struct builder *builder, const char **file, struct place *place)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    if (!parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    *place = parser_place(parser);
    if (!parser_string(parser, "a file name in quotes", file) || !parser_close(parser, TOKEN_PAREN_CLOSE, &open))
        return false;
    return **file || error_at(parser->error, ERROR_INPUT, *place, "the file's name is empty");
}

bool at_expected_files(const struct parser *parser)
{
    return parser_at(parser, TOKEN_NAME);
}

/* `file("y.npy")` alone: its buffer is the checked one, which may be declared later. */
static bool is_anonymous(const struct parser *parser)
{
    return parser_at_word(parser, "file") && parser_peek(parser) == TOKEN_PAREN_OPEN;
}

static bool parse_owner(struct builder *builder, struct expected_file *expected)
{
    struct parser *parser = &builder->parser;
    struct place place = parser_place(parser);
    if (!parse_buffer_name(builder, &expected->buffer))
        return false;
    const struct buffer_declaration *buffer = buffer_at(builder, expected->buffer);
    struct buffer_state *state = buffer_state_at(builder, expected->buffer);
    if (!role_is_output(buffer->role)) {
        error_at(parser->error, ERROR_INPUT, place, "%s is not an output and has no expected values", buffer->name);
        return error_hint(parser->error, "initial values stand in the declaration: buffer %s : ... file(\"...\")",
                          buffer->name);
    }
    if (state->given)
        return error_at(parser->error, ERROR_INPUT, place, "%s has two files of expected values", buffer->name);
    state->given = true;
    return true;
}

static bool parse_expected_file(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct expected_file *expected = parser_append(parser, &builder->expected, sizeof *expected);
    if (!expected)
        return false;
    expected->anonymous = is_anonymous(parser);
    if (!expected->anonymous && !parse_owner(builder, expected))
        return false;
    return parser_expect_word(parser, "file") && parse_file_name(builder, &expected->file, &expected->place);
}

bool parse_expected_files(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    bool comma = true;
    if (builder->expected.count) {
        parser_fail(parser, "the template has files of expected values already");
        return error_hint(parser->error,
                          "name them in one statement: reference y file(\"y.npy\"), z file(\"z.npy\")");
    }
    while (comma) {
        if (!parse_expected_file(builder) || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    return true;
}

/* The only check that compares something with expected values; NULL: there are several, or none. */
static const struct check *only_comparison(const struct builder *builder)
{
    const struct check *checks = builder->checks.items, *only = NULL;
    for (size_t i = 0; i < builder->checks.count; i++) {
        if (!checks[i].below && only)
            return NULL;
        if (!checks[i].below)
            only = &checks[i];
    }
    return only;
}

bool check_expected_files(struct builder *builder)
{
    struct error *error = builder->parser.error;
    struct expected_file *expected = builder->expected.items;
    for (size_t i = 0; i < builder->expected.count; i++) {
        if (!expected[i].anonymous)
            continue;
        const struct check *check = only_comparison(builder);
        if (!check || builder->expected.count != 1) {
            error_at(error, ERROR_INPUT, expected[i].place, "whose expected values are in %.200s?", expected[i].file);
            return error_hint(error,
                              "write the buffer before each file: reference y file(\"y.npy\"), z file(\"z.npy\")");
        }
        expected[i].buffer = check->buffer;
        buffer_state_at(builder, check->buffer)->given = true;
    }
    return true;
}
