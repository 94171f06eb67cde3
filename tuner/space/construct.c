/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/construct.h"

#include "tuner/space/memo.h"
#include "tuner/space/term_range.h"
#include "tuner/space/term_value.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

static const size_t MEMORY_LIMIT = (size_t)3 << 30; /* of nodes and memo together */
static const size_t MEMO_FLOOR = (size_t)64 << 20;  /* beyond it the memo may not outgrow the nodes */

/* Which other values would be removed as well: unknown, all later ones, all earlier ones, or those below `until`. */
enum others { OTHERS_UNKNOWN, OTHERS_BEHIND, OTHERS_BEFORE, OTHERS_UNTIL };

struct construction {
    const struct plan *plan;
    struct diagram_builder *builder;
    struct memo memo;
    struct value *values; /* by term */
    struct range *ranges; /* by slot */
    uint64_t *key;
    uint16_t *chosen;      /* by variable */
    uint16_t *edge_values; /* of the unfinished nodes, one after another */
    uint32_t *edge_children;
    size_t edge_count, edge_capacity;
    size_t effort;
    enum others others; /* for the value that was just removed */
    int64_t until;      /* OTHERS_UNTIL: the next integer that may pass */
    uint16_t *undecided;
    enum construct_end end;
};

/* Keys */

static size_t push_value(uint64_t *key, struct value value)
{
    key[0] = value.kind;
    key[1] = 0;
    if (value.kind == VALUE_BOOLEAN)
        key[1] = value.boolean;
    else if (value.kind == VALUE_STRING)
        key[1] = (uint64_t)(uintptr_t)value.string;
    else if (value.kind != VALUE_UNSET)
        memcpy(&key[1], &value.integer, sizeof key[1]);
    return 2;
}

static XXH128_hash_t hash_key(struct construction *c, size_t level, bool doubtful)
{
    const struct plan_level *plan = &c->plan->levels[level - 1];
    uint64_t *key = c->key;
    size_t length = 0;
    key[length++] = (uint64_t)level << 1 | doubtful;
    for (size_t k = plan->keys; k < plan->keys_end; k++) {
        const struct key_step *step = &c->plan->keys[k];
        const struct value *value = &c->values[step->term];
        switch ((enum key_kind)step->kind) {
        case KEY_INTEGER:
            key[length++] = value->kind == VALUE_BOOLEAN ? value->boolean : (uint64_t)value->integer;
            break;
        case KEY_VALUE:
            length += push_value(key + length, *value);
            break;
        case KEY_UNLESS: {
            struct range range = c->ranges[step->slot];
            bool decided = range.low == range.high && !range.fails;
            key[length++] = decided ? 2 + (range.low > 0) : 0;
            if (decided)
                k = step->target - 1;
            break;
        }
        case KEY_BRANCH: {
            bool skips = value->kind != VALUE_UNSET && !value->boolean;
            if (skips)
                k = step->target - 1;
            break;
        }
        case KEY_JUMP:
            k = step->target - 1;
            break;
        }
    }
    return XXH3_128bits(key, length * sizeof *key);
}

/* Double the memo, as long as its keys take no more memory than the nodes do. */
static bool make_room(struct construction *c)
{
    size_t nodes = diagram_builder_bytes(c->builder), limit = nodes > MEMO_FLOOR ? nodes : MEMO_FLOOR;
    if (memo_bytes_grown(&c->memo) <= limit)
        return memo_grow(&c->memo);
    memo_settle(&c->memo);
    return nodes + memo_bytes(&c->memo) < MEMORY_LIMIT;
}

static bool remember(struct construction *c, XXH128_hash_t hash, uint32_t node)
{
    if (memo_is_full(&c->memo) && !make_room(c))
        return false;
    memo_put(&c->memo, hash.low64, hash.high64, node);
    return true;
}

/* A level's program */

/* On which side of a failed equality are we? */
static enum others beside(bool less, bool greater, uint8_t trend)
{
    if (less == greater)
        return OTHERS_UNKNOWN;
    return less == (trend == TREND_RISES) ? OTHERS_BEFORE : OTHERS_BEHIND;
}

static enum others beside_values(const struct construction *c, const struct plan_step *step)
{
    const struct terms *terms = &c->plan->model->terms;
    const term_id *sides = term_operands(terms, &terms->items[step->term]);
    struct value a = c->values[sides[0]], b = c->values[sides[1]];
    enum order order = value_is_number(a) && value_is_number(b) ? arithmetic_order(a, b) : ORDER_NONE;
    return beside(order == ORDER_LESS, order == ORDER_GREATER, step->trend);
}

static enum others beside_ranges(const struct construction *c, const struct plan_step *step)
{
    const uint32_t *sides = c->plan->sources + step->sources;
    struct range a = c->ranges[sides[0]], b = c->ranges[sides[1]];
    return beside(a.high<b.low, a.low> b.high, step->trend);
}

/* After a value that is not a multiple of `known` comes the next multiple. After one that does not divide it, a
 * divisor goes into it at most `quotient` times, so it is at least `known` / `quotient`. */
static enum others beside_multiples(struct construction *c, const struct plan_step *step)
{
    const struct terms *terms = &c->plan->model->terms;
    const term_id *operands = term_operands(terms, &terms->items[step->modulo]);
    bool multiples = step->trend == TREND_MULTIPLES;
    struct value known = c->values[operands[multiples]], value = c->values[operands[!multiples]];
    if (known.kind != VALUE_INTEGER || known.integer < 1)
        return OTHERS_UNKNOWN;
    if (multiples) {
        int64_t below = value.integer - value.integer % known.integer;
        return __builtin_add_overflow(below, known.integer, &c->until) ? OTHERS_BEHIND : OTHERS_UNTIL;
    }
    int64_t quotient = known.integer / value.integer;
    if (quotient == 0)
        return OTHERS_BEHIND;
    c->until = known.integer / quotient + (known.integer % quotient != 0);
    return OTHERS_UNTIL;
}

static enum verdict removed(struct construction *c, const struct plan_step *step)
{
    switch ((enum step_trend)step->trend) {
    case TREND_NONE:
        c->others = OTHERS_UNKNOWN;
        break;
    case TREND_ENDS:
        c->others = OTHERS_BEHIND;
        break;
    case TREND_BEGINS:
        c->others = OTHERS_BEFORE;
        break;
    case TREND_RISES:
    case TREND_FALLS:
        c->others = step->kind == STEP_REQUIRE ? beside_values(c, step) : beside_ranges(c, step);
        break;
    case TREND_MULTIPLES:
    case TREND_DIVISORS:
        c->others = beside_multiples(c, step);
        break;
    }
    return VERDICT_REMOVED;
}

static enum verdict run(struct construction *c, const struct plan_level *level)
{
    const struct terms *terms = &c->plan->model->terms;
    enum verdict verdict = VERDICT_PASSED;
    for (size_t s = level->steps; s < level->steps_end; s++) {
        const struct plan_step *step = &c->plan->steps[s];
        const struct value *truth;
        switch ((enum step_kind)step->kind) {
        case STEP_VALUE:
            term_evaluate(terms, step->term, c->values);
            break;
        case STEP_REQUIRE:
            truth = &c->values[step->term];
            if (truth->kind == VALUE_UNSET)
                verdict = VERDICT_UNDECIDED;
            else if (!truth->boolean)
                return removed(c, step);
            break;
        case STEP_KNOWN:
            range_know(c->values[step->term], &c->ranges[step->slot]);
            break;
        case STEP_RANGE:
            term_range(&terms->items[step->term], c->ranges, c->plan->sources + step->sources,
                       &c->ranges[step->slot]);
            break;
        case STEP_EXPECT:
            if (range_is_false(c->ranges[step->slot]))
                return removed(c, step);
            break;
        }
    }
    return verdict;
}

/* The search */

static bool stop(struct construction *c, enum construct_end end)
{
    c->end = end;
    return false;
}

static bool grow_edges(struct construction *c)
{
    size_t capacity = c->edge_capacity ? 2 * c->edge_capacity : 256;
    uint16_t *values = realloc(c->edge_values, capacity * sizeof *values);
    if (!values)
        return stop(c, CONSTRUCT_MEMORY);
    c->edge_values = values;
    uint32_t *children = realloc(c->edge_children, capacity * sizeof *children);
    if (!children)
        return stop(c, CONSTRUCT_MEMORY);
    c->edge_children = children;
    c->edge_capacity = capacity;
    return true;
}

static bool push_edge(struct construction *c, uint16_t value, uint32_t child)
{
    if (c->edge_count == c->edge_capacity && !grow_edges(c))
        return false;
    c->edge_values[c->edge_count] = value;
    c->edge_children[c->edge_count++] = child;
    return true;
}

static bool leaf(struct construction *c, bool doubtful, uint32_t *node)
{
    *node = DIAGRAM_END;
    if (!doubtful)
        return true;
    memcpy(c->undecided, c->chosen, c->plan->level_count * sizeof *c->undecided);
    return stop(c, CONSTRUCT_UNDECIDED);
}

static bool search(struct construction *c, size_t level, bool doubtful, uint32_t *node);

/* Give a level's variable a value and run the level's program. */
static bool assign(struct construction *c, size_t level, uint16_t value, enum verdict *verdict)
{
    const struct plan_level *plan = &c->plan->levels[level];
    if (c->effort == 0)
        return stop(c, CONSTRUCT_EFFORT);
    c->effort--;
    if (c->effort % 1048576 == 0 && diagram_builder_bytes(c->builder) > MEMORY_LIMIT)
        return stop(c, CONSTRUCT_MEMORY);
    c->chosen[plan->variable] = value;
    for (size_t t = plan->tables; t < plan->tables_end; t++) {
        term_id id = c->plan->tabulated[t];
        c->values[id] = c->plan->model->tables[id][value];
    }
    *verdict = run(c, plan);
    return true;
}

/* A value was removed that rules out all earlier ones. Find the last value that does, by galloping and then
 * bisecting, so that the search continues after it. */
static bool skip_before(struct construction *c, size_t level, const struct model_variable *variable, size_t *position)
{
    size_t low = *position, high = variable->alive_count, stride = 1;
    while (high - low > 1) {
        size_t probe = stride < high - low ? low + stride : low + (high - low) / 2;
        enum verdict verdict;
        c->others = OTHERS_UNKNOWN;
        if (!assign(c, level, variable->alive[probe], &verdict))
            return false;
        bool before = verdict == VERDICT_REMOVED && c->others == OTHERS_BEFORE;
        if (before)
            low = probe;
        else
            high = probe;
        stride = before && high == variable->alive_count ? 2 * stride : variable->alive_count;
    }
    *position = low;
    return true;
}

/* The last position with a value below `until`. */
static size_t skip_until(const struct model_variable *variable, size_t position, int64_t until)
{
    size_t low = position, high = variable->alive_count, stride = 1;
    while (low + stride < high && variable->values[variable->alive[low + stride]].integer < until) {
        low += stride;
        stride *= 2;
    }
    if (low + stride < high)
        high = low + stride;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (variable->values[variable->alive[middle]].integer < until)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool try_value(struct construction *c, size_t level, uint16_t value, bool doubtful)
{
    enum verdict verdict;
    uint32_t child;
    c->others = OTHERS_UNKNOWN;
    if (!assign(c, level, value, &verdict))
        return false;
    if (verdict == VERDICT_REMOVED)
        return true;
    bool lenient = c->plan->model->lenient;
    if (!search(c, level + 1, doubtful || (verdict == VERDICT_UNDECIDED && !lenient), &child))
        return false;
    return child == DIAGRAM_DEAD || push_edge(c, value, child);
}

/* The node of the continuations of a prefix of `level` values. */
static bool search(struct construction *c, size_t level, bool doubtful, uint32_t *node)
{
    XXH128_hash_t hash = {0, 0};
    if (level == c->plan->level_count)
        return leaf(c, doubtful, node);
    bool memoise = level > 0 && c->plan->levels[level - 1].memoise;
    if (memoise) {
        hash = hash_key(c, level, doubtful);
        if (memo_get(&c->memo, hash.low64, hash.high64, node))
            return true;
    }
    const struct model_variable *variable = &c->plan->model->variables[c->plan->levels[level].variable];
    size_t first = c->edge_count;
    for (size_t i = 0; i < variable->alive_count; i++) {
        if (!try_value(c, level, variable->alive[i], doubtful))
            return false;
        if (c->others == OTHERS_BEHIND)
            break;
        if (c->others == OTHERS_UNTIL)
            i = skip_until(variable, i, c->until);
        if (c->others == OTHERS_BEFORE && !skip_before(c, level, variable, &i))
            return false;
    }
    c->others = OTHERS_UNKNOWN; /* it was about this level's values */
    size_t count = c->edge_count - first;
    c->edge_count = first;
    if (!diagram_builder_node(c->builder, level, c->edge_values + first, c->edge_children + first, count, node) ||
        (memoise && !remember(c, hash, *node)))
        return stop(c, CONSTRUCT_MEMORY);
    return true;
}

static bool prepare(struct construction *c)
{
    const struct plan *plan = c->plan;
    const struct terms *terms = &plan->model->terms;
    c->values = calloc(terms->count + 1, sizeof *c->values);
    c->ranges = calloc(plan->slot_count + 1, sizeof *c->ranges);
    c->key = calloc(plan->key_width + 1, sizeof *c->key);
    c->chosen = calloc(plan->level_count + 1, sizeof *c->chosen);
    if (!c->values || !c->ranges || !c->key || !c->chosen)
        return stop(c, CONSTRUCT_MEMORY);
    for (size_t t = 0; t < terms->count; t++) {
        c->ranges[t] = terms->items[t].range;
        if (terms->items[t].kind == TERM_CONSTANT)
            c->values[t] = terms->items[t].constant;
    }
    return grow_edges(c);
}

enum construct_end construct(const struct plan *plan, size_t *effort, struct diagram_builder *builder, uint32_t *root,
                             uint16_t *undecided)
{
    struct construction c = {.plan = plan, .builder = builder, .effort = *effort, .undecided = undecided};
    *root = DIAGRAM_DEAD;
    c.end = CONSTRUCT_DONE;
    if (prepare(&c) && !plan->model->impossible)
        search(&c, 0, plan->model->doubtful, root);
    *effort = c.effort;
    memo_clear(&c.memo);
    free(c.values);
    free(c.ranges);
    free(c.key);
    free(c.chosen);
    free(c.edge_values);
    free(c.edge_children);
    return c.end;
}
