/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/structure.h"

#include <inttypes.h>
#include <string.h>

enum { POINTER_BYTES = 8, STRUCT_DEPTH = 16 };

static const struct type *type_at(const struct builder *builder, size_t i)
{
    return ((const struct type *const *)builder->types.items)[i];
}

bool find_type(struct builder *builder, const struct type **type)
{
    struct parser *parser = &builder->parser;
    const char *name = parser->text->data + parser->token.offset;
    *type = NULL;
    if (!parser_at(parser, TOKEN_NAME))
        return true;
    const struct symbol *symbol = scope_symbol(parser->scope, name, parser->token.length);
    if (symbol) {
        *type = symbol->kind == SYMBOL_TYPE ? type_at(builder, symbol->index) : NULL;
        return true;
    }
    return !type_find(name, parser->token.length, parser->arena, type) || *type || parser_out_of_memory(parser);
}

static bool unknown_type(struct parser *parser)
{
    char name[NAME_LENGTH_LIMIT + 1] = "";
    const char *names[TYPES_MOST];
    size_t count = 0;
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    while (count < TYPES_MOST && (names[count] = type_builtin_name(count)))
        count++;
    const char *nearest = error_nearest(name, names, count);
    const char *declared = scope_nearest(parser->scope, SYMBOL_TYPE, name);
    parser_fail(parser, "unknown type %s", name);
    if (declared || nearest)
        return error_hint(parser->error, "did you mean %s?", declared ? declared : nearest);
    return error_hint(parser->error, "the types are char uchar short ushort int uint long ulong half bfloat16 float "
                                     "double, vectors such as float4, complex, complex_double, and structs that are "
                                     "declared before");
}

bool parse_type(struct builder *builder, const struct type **type)
{
    struct parser *parser = &builder->parser;
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, "an element type");
    const char *name = parser->text->data + parser->token.offset;
    const struct symbol *symbol = scope_symbol(parser->scope, name, parser->token.length);
    if (symbol && symbol->kind == SYMBOL_TYPE)
        *type = type_at(builder, symbol->index);
    else if (!type_find(name, parser->token.length, parser->arena, type))
        return unknown_type(parser);
    return *type ? parser_advance(parser) : parser_out_of_memory(parser);
}

/* ---- declarations ---- */

/* A struct that grows by its fields. */
struct declared {
    struct builder *builder;
    struct token name;
    struct layout *layout;
    struct list fields; /* struct field */
    struct list leaves; /* struct leaf */
    size_t bytes;
    size_t alignment;
    unsigned depth;
    bool has_pointer;
};

/* What a pointer points to is the kernel's business; the name must be that of a type nevertheless. */
static bool parse_pointer(struct declared *d, const struct type **type)
{
    static const struct layout pointer = {"pointer", "void *", POINTER_BYTES, POINTER_BYTES, 0, NULL};
    static const struct type pointer_type = {TYPE_POINTER, &pointer, NULL, 0, true, 0};
    struct parser *parser = &d->builder->parser;
    const struct token *token = &parser->token, *own = &d->name;
    const char *text = parser->text->data;
    bool itself = token->length == own->length && memcmp(text + token->offset, text + own->offset, own->length) == 0;
    const struct type *target;
    if (itself || parser_at_word(parser, "void") ? !parser_advance(parser) : !parse_type(d->builder, &target))
        return false;
    *type = &pointer_type;
    return parser_expect(parser, TOKEN_STAR);
}

/* `[3]` */
static bool parse_length(struct parser *parser, size_t *length)
{
    struct token open = parser->token;
    if (!parser_at(parser, TOKEN_BRACKET_OPEN))
        return true;
    if (!parser_advance(parser))
        return false;
    if (!parser_at(parser, TOKEN_INTEGER) || parser->token.integer < 1 || parser->token.integer > LEAVES_LIMIT) {
        parser_fail(parser, "expected the length of an array, a number from 1 to %d", LEAVES_LIMIT);
        return error_hint(parser->error,
                          "sizes and parameters cannot be lengths: a type is the same for all of them");
    }
    *length = (size_t)parser->token.integer;
    return parser_advance(parser) && parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}

static const char *leaf_path(struct parser *parser, const struct field *field, size_t index, const char *rest)
{
    char text[4 * NAME_LENGTH_LIMIT];
    if (field->length)
        snprintf(text, sizeof text, ".%s[%zu]%s", field->name, index, rest);
    else
        snprintf(text, sizeof text, ".%s%s", field->name, rest);
    return arena_string(parser->arena, text, strlen(text));
}

static bool add_leaves(struct declared *d, const struct field *field)
{
    struct parser *parser = &d->builder->parser;
    const struct layout *layout = field->type->layout;
    for (size_t i = 0; i < (field->length ? field->length : 1); i++) {
        for (size_t l = 0; l < layout->leaf_count; l++) {
            struct leaf *leaf = parser_append(parser, &d->leaves, sizeof *leaf);
            if (!leaf)
                return false;
            *leaf = layout->leaves[l];
            leaf->offset += (uint32_t)(field->offset + i * layout->bytes);
            leaf->path = leaf_path(parser, field, i, layout->leaves[l].path);
            if (!leaf->path)
                return parser_out_of_memory(parser);
        }
    }
    return true;
}

static size_t round_up(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/* Give a field its place behind those before it. */
static bool place_field(struct declared *d, struct field *field, struct place place)
{
    const struct layout *layout = field->type->layout;
    struct error *error = d->builder->parser.error;
    size_t leaves = field_leaves(field), bytes = layout->bytes * (field->length ? field->length : 1);
    field->offset = round_up(d->bytes, layout->alignment);
    field->first = d->leaves.count;
    if (d->leaves.count + leaves > LEAVES_LIMIT || field->offset + bytes > LAYOUT_BYTES_LIMIT)
        return error_at(error, ERROR_INPUT, place, "a struct has at most %d numbers and %d bytes", LEAVES_LIMIT,
                        LAYOUT_BYTES_LIMIT);
    if (field->type->depth + 1 > STRUCT_DEPTH)
        return error_at(error, ERROR_INPUT, place, "structs are nested more than %d levels deep", STRUCT_DEPTH);
    d->bytes = field->offset + bytes;
    d->alignment = layout->alignment > d->alignment ? layout->alignment : d->alignment;
    d->depth = field->type->depth + 1 > d->depth ? field->type->depth + 1 : d->depth;
    d->has_pointer = d->has_pointer || field->type->has_pointer;
    return add_leaves(d, field);
}

/* `NAME : type`, `NAME : type[3]`, `NAME : type*` */
static bool parse_field(struct declared *d)
{
    struct parser *parser = &d->builder->parser;
    struct place place = parser_place(parser);
    const char *name;
    if (!parser_name(parser, "the name of a field", &name, NULL) || !parser_expect(parser, TOKEN_COLON))
        return false;
    const struct field *fields = d->fields.items;
    for (size_t i = 0; i < d->fields.count; i++) {
        if (strcmp(fields[i].name, name) == 0)
            return error_at(parser->error, ERROR_INPUT, place, "field %s is declared twice", name);
    }
    struct field *field = parser_append(parser, &d->fields, sizeof *field);
    if (!field)
        return false;
    field->name = name;
    bool done = parser_at(parser, TOKEN_NAME) && parser_peek(parser) == TOKEN_STAR
                    ? parse_pointer(d, &field->type)
                    : parse_type(d->builder, &field->type) && parse_length(parser, &field->length);
    return done && place_field(d, field, place);
}

/* `align 16` */
static bool parse_alignment(struct declared *d)
{
    struct parser *parser = &d->builder->parser;
    bool given;
    if (!parser_accept_word(parser, "align", &given) || !given)
        return !given;
    uint64_t alignment = parser_at(parser, TOKEN_INTEGER) ? parser->token.integer : 0;
    if (alignment < 1 || alignment > ALIGNMENT_LIMIT || (alignment & (alignment - 1)) != 0)
        return parser_fail(parser, "an alignment is a power of two from 1 to %d", ALIGNMENT_LIMIT);
    d->alignment = (size_t)alignment;
    return parser_advance(parser);
}

static bool declare(struct declared *d)
{
    struct parser *parser = &d->builder->parser;
    const char *text = parser->text->data + d->name.offset;
    struct type *type = parser_allocate(parser, sizeof *type);
    struct layout *layout = parser_allocate(parser, sizeof *layout);
    const struct type **kept = parser_append(parser, &d->builder->types, sizeof *kept);
    char *name = arena_string(parser->arena, text, d->name.length);
    if (!type || !layout || !kept || !name)
        return parser_out_of_memory(parser);
    *layout =
        (struct layout){name, name, round_up(d->bytes, d->alignment), d->alignment, d->leaves.count, d->leaves.items};
    *type = (struct type){TYPE_STRUCT, layout, d->fields.items, d->fields.count, d->has_pointer, d->depth};
    *kept = type;
    return scope_add_type(parser->scope, name, d->name.length, d->builder->types.count - 1, parser->text,
                          d->name.offset) ||
           parser_out_of_memory(parser);
}

bool parse_struct(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct declared d = {.builder = builder, .alignment = 1};
    const struct type *built_in;
    if (!find_type(builder, &built_in))
        return false;
    if (built_in && built_in->kind != TYPE_STRUCT)
        return parser_fail(parser, "%s is a type and cannot be declared", built_in->layout->name);
    if (!parser_new_name(parser, "the name of a struct", &d.name) || !parse_alignment(&d))
        return false;
    struct token open = parser->token;
    if (!parser_expect(parser, TOKEN_BRACE_OPEN) || !parser_skip_newlines(parser))
        return false;
    if (parser_at(parser, TOKEN_BRACE_CLOSE))
        return parser_fail(parser, "a struct has one field or more");
    while (!parser_at(parser, TOKEN_BRACE_CLOSE) && !parser_at(parser, TOKEN_END)) {
        if (!parse_field(&d) || !parser_end_statement(parser))
            return false;
    }
    return parser_close(parser, TOKEN_BRACE_CLOSE, &open) && declare(&d);
}

/* ---- fields ---- */

static const struct field *find_field(const struct parser *parser, const struct type *type)
{
    for (size_t i = 0; i < type->field_count; i++) {
        if (parser_at_word(parser, type->fields[i].name))
            return &type->fields[i];
    }
    return NULL;
}

static bool unknown_field(struct parser *parser, const struct type *type)
{
    enum { SHOWN = 32 };
    const char *names[SHOWN];
    char name[NAME_LENGTH_LIMIT + 1] = "", list[128] = "";
    size_t count = type->field_count < SHOWN ? type->field_count : SHOWN;
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, "the name of a field");
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    for (size_t i = 0; i < count; i++) {
        names[i] = type->fields[i].name;
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, names[i], sizeof list - strlen(list) - 1);
    }
    const char *nearest = error_nearest(name, names, count);
    parser_fail(parser, "%s has no field %s", type->layout->name, name);
    if (nearest)
        return error_hint(parser->error, "did you mean %s?", nearest);
    return count == 0 ? false : error_hint(parser->error, "its fields are %s", list);
}

/* `[2]` behind an array */
static bool parse_index(struct parser *parser, const struct field *field, size_t *first, size_t *count)
{
    struct token open = parser->token;
    *count = field_leaves(field);
    if (!field->length || !parser_at(parser, TOKEN_BRACKET_OPEN))
        return true;
    if (!parser_advance(parser))
        return false;
    if (!parser_at(parser, TOKEN_INTEGER) || parser->token.integer >= field->length)
        return parser_fail(parser, "expected an index from 0 to %zu", field->length - 1);
    *count = field->type->layout->leaf_count;
    *first += (size_t)parser->token.integer * *count;
    return parser_advance(parser) && parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}

bool parse_field_path(struct builder *builder, const struct type *type, size_t *first, size_t *count)
{
    struct parser *parser = &builder->parser;
    *first = 0;
    *count = type->layout->leaf_count;
    while (parser_at(parser, TOKEN_DOT)) {
        if (!parser_advance(parser))
            return false;
        const struct field *field = find_field(parser, type);
        if (!field)
            return unknown_field(parser, type);
        if (field->type->kind == TYPE_POINTER)
            return parser_fail(parser, "%s is a pointer", field->name);
        *first += field->first;
        if (!parser_advance(parser) || !parse_index(parser, field, first, count))
            return false;
        type = field->type;
    }
    return true;
}
