/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/check.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/structure.h"

/* `allow nonfinite`, at the end of a check: NaN and infinities may be expected. */
static bool parse_nonfinite(struct parser *parser, const struct buffer_declaration *buffer, struct check *check)
{
    struct token allow = parser->token;
    if (!parser_accept_word(parser, "allow", &check->nonfinite))
        return false;
    if (!check->nonfinite)
        return true;
    const struct layout *layout = buffer->type->layout;
    if (!layout_has_floats(layout, check->first_leaf, check->first_leaf + check->leaf_count)) {
        struct place place = text_place(parser->text, allow.offset, allow.length);
        return error_at(parser->error, ERROR_INPUT, place, "%s is of type %s, which has neither NaN nor infinities",
                        buffer->name, layout->name);
    }
    return parser_expect_word(parser, "nonfinite");
}

/* `unordered`: elements that are put in order must be numbers. */
static bool parse_unordered(struct parser *parser, const struct buffer_declaration *buffer, struct check *check)
{
    struct token word = parser->token;
    if (!parser_accept_word(parser, "unordered", &check->unordered))
        return false;
    if (!check->unordered || layout_is_scalar(buffer->type->layout))
        return true;
    return error_at(parser->error, ERROR_INPUT, text_place(parser->text, word.offset, word.length),
                    "%s is of type %s, whose values have no order", buffer->name, buffer->type->layout->name);
}

/* `below expression`: there is nothing to compare with, so no order to ignore and no NaN to match. */
static bool parse_below(struct parser *parser, struct check *check)
{
    if (check->unordered)
        return parser_fail(parser, "a check against a bound looks at each element alone: leave `unordered` out");
    if (!parser_advance(parser) || !parse_expression(parser, &check->below))
        return false;
    return !parser_at_word(parser, "allow") ||
           parser_fail(parser, "NaN and infinities are below no bound, so this check cannot allow them");
}

/* `exact`, or `within expression`, `absolute expression` or both, or `below expression`; an unordered check is exact
 * unless it says otherwise. */
static bool parse_tolerance(struct parser *parser, struct check *check)
{
    bool exact, within, absolute;
    if (parser_at_word(parser, "below"))
        return parse_below(parser, check);
    if (!parser_accept_word(parser, "exact", &exact))
        return false;
    if (exact)
        return true;
    if (!parser_accept_word(parser, "within", &within) || (within && !parse_expression(parser, &check->bound)) ||
        !parser_accept_word(parser, "absolute", &absolute) ||
        (absolute && !parse_expression(parser, &check->absolute)))
        return false;
    return within || absolute || check->unordered ||
           parser_expected(parser, "'within', 'absolute', 'exact' or 'below'");
}

/* A buffer may be checked by several checks, each of a range of its own; do they overlap? case.c knows the sizes. */
static bool check_once(struct builder *builder, const struct check *check)
{
    struct parser *parser = &builder->parser;
    const struct buffer_declaration *buffer = buffer_at(builder, check->buffer);
    struct buffer_state *state = buffer_state_at(builder, check->buffer);
    const struct check *checks = builder->checks.items;
    bool twice = false;
    for (const struct check *other = checks; other < check; other++)
        twice = twice || (other->buffer == check->buffer && (!other->partial || !check->partial) &&
                          other->first_leaf < check->first_leaf + check->leaf_count &&
                          check->first_leaf < other->first_leaf + other->leaf_count);
    if (twice) {
        error_at(parser->error, ERROR_INPUT, check->place, "%s is checked twice", buffer->name);
        return error_hint(parser->error, "several checks of a buffer must say which elements: check %s[0 : n] ...",
                          buffer->name);
    }
    state->checked = true;
    return true;
}

bool parse_check(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct check *check = parser_append(parser, &builder->checks, sizeof *check);
    if (!check)
        return false;
    size_t start = parser->token.offset;
    check->place = parser_place(parser);
    if (!parse_buffer_name(builder, &check->buffer))
        return false;
    const struct buffer_declaration *buffer = buffer_at(builder, check->buffer);
    if (!role_is_output(buffer->role)) {
        error_at(parser->error, ERROR_INPUT, check->place, "%s is not an output and cannot be checked", buffer->name);
        return error_hint(parser->error,
                          "only out and inout buffers are checked; in buffers must stay unchanged anyway");
    }
    if (!parse_slice(builder, &check->partial, &check->first, &check->last) ||
        !parse_field_path(builder, buffer->type, &check->first_leaf, &check->leaf_count))
        return false;
    check->place = text_place(parser->text, start, parser->end - start);
    if (!check_once(builder, check) || !parse_unordered(parser, buffer, check) || !parse_tolerance(parser, check) ||
        !parse_nonfinite(parser, buffer, check))
        return false;
    struct buffer_state *state = buffer_state_at(builder, check->buffer);
    state->compared = state->compared || !check->below;
    return true;
}

/* The first check that needs expected values, or NULL. */
static const struct check *comparing_check(const struct builder *builder)
{
    const struct check *checks = builder->checks.items;
    for (size_t i = 0; i < builder->checks.count; i++) {
        if (!checks[i].below)
            return &checks[i];
    }
    return NULL;
}

/* A magnitude belongs to an element of the reference, and no one knows which element of the result is the same one.
 */
static bool check_unordered(struct builder *builder)
{
    const struct check *checks = builder->checks.items;
    for (size_t i = 0; i < builder->checks.count; i++) {
        if (!checks[i].unordered || !buffer_state_at(builder, checks[i].buffer)->weighed)
            continue;
        const char *name = buffer_at(builder, checks[i].buffer)->name;
        error_at(builder->parser.error, ERROR_INPUT, checks[i].place,
                 "an unordered check of %s cannot use the magnitudes that the reference writes", name);
        return error_hint(builder->parser.error, "leave mag(%s) out: the bound is relative to the expected values",
                          name);
    }
    return true;
}

bool check_comparisons(struct builder *builder)
{
    struct error *error = builder->parser.error;
    const struct sequence *reference = &builder->template->reference;
    const struct check *comparing = comparing_check(builder);
    if (comparing && !reference->present && !builder->expected.count) {
        error_at(error, ERROR_INPUT, comparing->place, "there is a check but no reference to compare with");
        return error_hint(
            error, "add: reference \"reference.cu\" { kernel<<<grid, block>>>(..., ref(y), ...) }, or the file "
                   "of expected values: reference file(\"answer.npy\")");
    }
    if (!comparing && builder->checks.count && reference->present) {
        error_at(error, ERROR_INPUT, reference->place, "no check compares anything with the reference");
        return error_hint(error, "`below` needs none: leave the reference out");
    }
    return check_unordered(builder);
}
