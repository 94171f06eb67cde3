/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/matrix.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/file.h"
#include "tuner/lang/size.h"
#include "tuner/lang/tree.h"

#include <string.h>

static const char *const formats[] = {[MATRIX_CSR] = "csr", [MATRIX_COO] = "coo"};

enum { FORMATS = sizeof formats / sizeof *formats };

static bool parse_dimension(struct parser *parser, const struct expr **dimension)
{
    if (!parse_expression(parser, dimension))
        return false;
    return expression_uses_only(parser, *dimension, USES_DEVICE | USES_SIZES, "the shape of a matrix") ||
           error_hint(parser->error, "it may use device fields and sizes");
}

/* What else a file knows of it. */
static bool parse_matrix_size(struct builder *builder, struct matrix_declaration *matrix)
{
    struct parser *parser = &builder->parser;
    struct place place = parser_place(parser);
    size_t *slot = &matrix->sizes[matrix->size_count++];
    if (!parse_derived_size(builder, slot))
        return false;
    return (!expr_uses(matrix->rows, *slot) && !expr_uses(matrix->columns, *slot)) ||
           error_at(parser->error, ERROR_INPUT, place, "the shape of the matrix depends on %s",
                    scope_name(parser->scope, *slot));
}

/* `[rows, columns]`, `[rows, columns, entries, longest]` */
static bool parse_shape(struct builder *builder, struct matrix_declaration *matrix)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    bool more;
    if (!parser_expect(parser, TOKEN_BRACKET_OPEN) || !parse_dimension(parser, &matrix->rows) ||
        !parser_expect(parser, TOKEN_COMMA) || !parse_dimension(parser, &matrix->columns) ||
        !parser_accept(parser, TOKEN_COMMA, &more))
        return false;
    while (more) {
        more = false;
        if (!parse_matrix_size(builder, matrix) ||
            (matrix->size_count < MATRIX_SIZES && !parser_accept(parser, TOKEN_COMMA, &more)))
            return false;
    }
    return parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}

static bool parse_format(struct parser *parser, enum matrix_format *format)
{
    for (int i = 0; i < FORMATS; i++) {
        if (!parser_at_word(parser, formats[i]))
            continue;
        *format = (enum matrix_format)i;
        return parser_advance(parser);
    }
    return parser_expected(parser, "csr or coo");
}

/* Values are numbers, or pairs of them; all else is an integer. */
static bool check_part(struct parser *parser, const struct buffer_declaration *buffer, size_t part,
                       struct place place)
{
    const struct layout *layout = buffer->type->layout;
    bool is_integer = layout_is_scalar(layout) && !element_types[layout->leaves[0].element].floating;
    bool is_value = !buffer->type->has_pointer && layout_is_array(layout) && layout->leaf_count <= 2;
    if (part < 2 ? is_integer : is_value)
        return true;
    error_at(parser->error, ERROR_INPUT, place, "%s is of type %s, which holds no %s", buffer->name, layout->name,
             part < 2 ? "indices" : "value of a matrix");
    return error_hint(parser->error, "a matrix is csr(starts, columns, values) or coo(rows, columns, values)");
}

static bool parse_part(struct builder *builder, struct matrix_declaration *matrix)
{
    struct parser *parser = &builder->parser;
    struct place place = parser_place(parser);
    size_t part = matrix->part_count;
    if (part == MATRIX_PARTS)
        return parser_fail(parser, "a matrix consists of three buffers at most");
    if (!parse_buffer_name(builder, &matrix->parts[part]))
        return false;
    matrix->part_count++;
    struct buffer_declaration *buffer = buffer_at(builder, matrix->parts[part]);
    struct buffer_state *state = buffer_state_at(builder, matrix->parts[part]);
    if (!role_is_initialised(buffer->role) || buffer->initial != INITIAL_NONE)
        return error_at(parser->error, ERROR_INPUT, place, "%s %s, so it cannot be part of a matrix", buffer->name,
                        role_is_initialised(buffer->role) ? "has initial values of its own"
                                                          : "has no initial values");
    if (state->in_matrix)
        return error_at(parser->error, ERROR_INPUT, place, "%s is part of a matrix already", buffer->name);
    state->in_matrix = true;
    return check_part(parser, buffer, part, place);
}

/* `(starts, columns, values)`; the values may be left out. */
static bool parse_parts(struct builder *builder, struct matrix_declaration *matrix)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    bool comma = true;
    if (!parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    while (comma) {
        if (!parse_part(builder, matrix) || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    if (matrix->part_count < 2)
        return parser_expected(parser, "',' and the buffer of the columns");
    return parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

static bool parse_own_file(struct builder *builder, struct matrix_declaration *matrix)
{
    bool present;
    if (!parser_accept_word(&builder->parser, "file", &present))
        return false;
    if (!present)
        return true;
    if (!parse_file_name(builder, &matrix->file, &matrix->file_place))
        return false;
    for (size_t i = 0; i < matrix->part_count; i++) {
        struct buffer_declaration *buffer = buffer_at(builder, matrix->parts[i]);
        buffer->initial = INITIAL_FILE;
        buffer->file = matrix->file;
        buffer->file_place = matrix->file_place;
    }
    return true;
}

bool parse_matrix(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct matrix_declaration *matrix = parser_append(parser, &builder->matrices, sizeof *matrix);
    struct token name;
    if (!matrix || !parser_new_name(parser, "the name of a matrix", &name))
        return false;
    matrix->place = text_place(parser->text, name.offset, name.length);
    matrix->name = arena_string(parser->arena, parser->text->data + name.offset, name.length);
    if (!matrix->name)
        return parser_out_of_memory(parser);
    if (!parse_shape(builder, matrix) || !parser_expect(parser, TOKEN_ASSIGN) ||
        !parse_format(parser, &matrix->format) || !parse_parts(builder, matrix) || !parse_own_file(builder, matrix))
        return false;
    return scope_add_matrix(parser->scope, matrix->name, name.length, builder->matrices.count - 1, parser->text,
                            name.offset) ||
           parser_out_of_memory(parser);
}

/* ---- given(x) ---- */

/* There is no such buffer or matrix at the current token. */
static void refuse_given(struct parser *parser)
{
    char name[NAME_LENGTH_LIMIT + 1] = "";
    if (!parser_at(parser, TOKEN_NAME)) {
        parser_expected(parser, "the name of a buffer or matrix");
        return;
    }
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    parser_fail(parser, "%s is neither a buffer nor a matrix", name);
    error_hint(parser->error, "given(x) asks whether there is a file with x");
}

/* A name of the block that stands for the answer. */
static bool add_given(struct parser *parser, const char *name, const struct symbol *symbol, size_t *slot)
{
    char text[NAME_LENGTH_LIMIT + sizeof "given()"];
    int length = snprintf(text, sizeof text, "given(%s)", name);
    const struct symbol *former = scope_symbol(parser->scope, text, (size_t)length);
    if (former) {
        *slot = former->index;
        return true;
    }
    bool of_matrix = symbol->kind == SYMBOL_MATRIX;
    size_t index = symbol->index; /* adding a name may move the symbol */
    struct given_declaration *given = parser_append(parser, parser->givens, sizeof *given);
    if (!given)
        return false;
    if (!scope_add_value(parser->scope, text, (size_t)length, NAME_DEVICE, parser->text, parser->token.offset, slot))
        return parser_out_of_memory(parser);
    *given = (struct given_declaration){*slot, of_matrix, index};
    return true;
}

struct node *parse_given(struct parser *parser, const struct token *token)
{
    struct token open = parser->token, whole = *token;
    const char *name;
    size_t slot;
    if (!parser->givens) {
        error_at(parser->error, ERROR_INPUT, text_place(parser->text, token->offset, token->length),
                 "given() can be asked in the setup block only");
        return NULL;
    }
    if (!parser_expect(parser, TOKEN_PAREN_OPEN))
        return NULL;
    const struct symbol *symbol = buffer_symbol(parser);
    if (!symbol || (symbol->kind != SYMBOL_BUFFER && symbol->kind != SYMBOL_MATRIX)) {
        refuse_given(parser);
        return NULL;
    }
    if (!parser_name(parser, "the name of a buffer or matrix", &name, NULL) ||
        !add_given(parser, name, symbol, &slot) || !parser_close(parser, TOKEN_PAREN_CLOSE, &open))
        return NULL;
    whole.length = parser->end - whole.offset;
    return tree_name(parser, &whole, slot);
}

static bool is_asked_for(const struct builder *builder, size_t matrix)
{
    const struct given_declaration *givens = builder->givens.items;
    for (size_t i = 0; i < builder->givens.count; i++) {
        if (givens[i].of_matrix && givens[i].index == matrix)
            return true;
    }
    return false;
}

bool check_matrices(const struct builder *builder)
{
    const struct matrix_declaration *matrices = builder->matrices.items;
    for (size_t i = 0; i < builder->matrices.count; i++) {
        if (matrices[i].file || is_asked_for(builder, i))
            continue;
        error_at(builder->parser.error, ERROR_INPUT, matrices[i].place,
                 "no file has matrix %s, and setup would overwrite one that --input names", matrices[i].name);
        return error_hint(builder->parser.error,
                          "let setup ask: setup \"setup.cu\" { if not given(%s) { ... } }; or add file(\"%s.mtx\")",
                          matrices[i].name, matrices[i].name);
    }
    return true;
}
