/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/prune.h"

#include "tuner/space/term_value.h"

#include <stdlib.h>
#include <string.h>

enum {
    MANY = 15,          /* variables with more values than this are pruned */
    SET_LIMIT = 4096,   /* limits on the combinations that a set is computed from: overall, */
    SET_FACTOR = 16,    /* and per value of the variable that has most */
    FRONTIER_LIMIT = 3, /* on terms that a requirement reads besides the variable */
    SAMPLE = 16,        /* values tried first; if none is dropped, the rest is assumed to stay */
    ROUNDS = 4,
};

static const size_t TRIES = (size_t)1 << 18; /* per requirement and variable */

/* The values that a term may have. */
struct value_set {
    struct value *items; /* NULL: unknown, or too many */
    size_t count;
    bool tried; /* has it been computed? */
};

struct pruning {
    struct model *model;
    struct value *values;   /* by term */
    struct value_set *sets; /* by term */
    uint64_t *masks;        /* by term, `words` of them: the variables that it reads */
    size_t words;
    bool *visited; /* by term */

    /* For the current set: the terms to evaluate, operands first, and the requirements among them */
    term_id *cone, *filters;
    size_t cone_count, filter_count;

    size_t variable; /* the current one */
    term_id *chain;  /* terms of the current requirement that read it, operands first, the requirement last */
    size_t chain_count;
    term_id frontier[FRONTIER_LIMIT]; /* the other terms that the chain reads */
    size_t frontier_count;
    size_t set_limit;
    bool small; /* does the frontier stay within its limit? */
    bool failed;
};

static bool reads(const struct pruning *p, term_id id, size_t variable)
{
    return p->masks[id * p->words + variable / 64] >> variable % 64 & 1;
}

static int compare_values(const void *a, const void *b)
{
    const struct value *one = a, *other = b;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->kind == VALUE_UNSET)
        return 0;
    if (one->kind == VALUE_BOOLEAN)
        return (int)one->boolean - (int)other->boolean;
    return memcmp(&one->integer, &other->integer, sizeof one->integer);
}

/* The next combination of the terms' values; false after the last. */
static bool advance(struct pruning *p, const term_id *terms, size_t count, size_t *positions)
{
    for (size_t i = 0; i < count; i++) {
        const struct value_set *set = &p->sets[terms[i]];
        positions[i] = positions[i] + 1 < set->count ? positions[i] + 1 : 0;
        p->values[terms[i]] = set->items[positions[i]];
        if (positions[i] > 0)
            return true;
    }
    return false;
}

static void rewind_terms(struct pruning *p, const term_id *terms, size_t count, size_t *positions)
{
    for (size_t i = 0; i < count; i++) {
        positions[i] = 0;
        p->values[terms[i]] = p->sets[terms[i]].items[0];
    }
}

static bool find_set(struct pruning *p, term_id id);

/* The number of combinations of the terms' values; 0 if unknown or more than `limit`. */
static size_t combinations(struct pruning *p, const term_id *terms, size_t count, size_t limit)
{
    size_t product = 1;
    for (size_t i = 0; i < count; i++) {
        if (!find_set(p, terms[i]) || p->sets[terms[i]].count > limit / product)
            return 0;
        product *= p->sets[terms[i]].count;
    }
    return product;
}

static void set_of_variable(struct pruning *p, const struct term *term, struct value_set *set)
{
    const struct model_variable *variable = &p->model->variables[term->index];
    if (variable->alive_count > SET_LIMIT)
        return;
    set->items = malloc((variable->alive_count + 1) * sizeof *set->items);
    for (size_t i = 0; i < variable->alive_count && set->items; i++)
        set->items[set->count++] = variable->values[variable->alive[i]];
    p->failed = p->failed || !set->items;
}

/* The variables that a term reads; false if there are more than FRONTIER_LIMIT. */
static bool variables_of(const struct pruning *p, term_id id, term_id *variables, size_t *count)
{
    *count = 0;
    for (size_t v = 0; v < p->model->variable_count; v++) {
        if (!reads(p, id, v))
            continue;
        if (*count == FRONTIER_LIMIT)
            return false;
        variables[(*count)++] = (term_id)p->model->variables[v].term;
    }
    return true;
}

/* Does the term read no variables but these? */
static bool reads_only(const struct pruning *p, term_id id, const uint64_t *among)
{
    bool only = true;
    for (size_t w = 0; w < p->words && only; w++)
        only = (p->masks[id * p->words + w] & ~among[w]) == 0;
    return only;
}

static void mark_cone(const struct terms *terms, term_id id, bool *marked)
{
    const struct term *term = &terms->items[id];
    marked[id] = true;
    for (uint32_t i = 0; i < term->count; i++) {
        if (!marked[term_operands(terms, term)[i]])
            mark_cone(terms, term_operands(terms, term)[i], marked);
    }
}

/* List what to evaluate for a term and for the requirements that read only variables of that term. */
static void plan_evaluation(struct pruning *p, term_id id)
{
    const struct terms *terms = &p->model->terms;
    memset(p->visited, 0, terms->count * sizeof *p->visited);
    mark_cone(terms, id, p->visited);
    p->filter_count = p->cone_count = 0;
    for (size_t r = 0; r < p->model->requirement_count; r++) {
        term_id requirement = p->model->requirements[r];
        if (!reads_only(p, requirement, &p->masks[id * p->words]))
            continue;
        mark_cone(terms, requirement, p->visited);
        p->filters[p->filter_count++] = requirement;
    }
    for (size_t t = 0; t < terms->count; t++) {
        if (p->visited[t] && terms->items[t].kind != TERM_VARIABLE && terms->items[t].kind != TERM_CONSTANT)
            p->cone[p->cone_count++] = (term_id)t;
    }
}

static bool possible(const struct pruning *p)
{
    for (size_t i = 0; i < p->filter_count; i++) {
        struct value truth = p->values[p->filters[i]];
        if (truth.kind != VALUE_UNSET && !truth.boolean)
            return false;
    }
    return true;
}

static size_t without_repetitions(struct value *items, size_t count)
{
    size_t kept = 0;
    qsort(items, count, sizeof *items, compare_values);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_values(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    }
    return kept;
}

/* The term's values over all values of its variables that satisfy the requirements on those alone. */
static void set_of_term(struct pruning *p, term_id id, struct value_set *set)
{
    term_id variables[FRONTIER_LIMIT];
    size_t positions[FRONTIER_LIMIT], count;
    if (!variables_of(p, id, variables, &count))
        return;
    size_t product = combinations(p, variables, count, p->set_limit);
    if (product == 0)
        return;
    set->items = malloc(product * sizeof *set->items);
    if (!set->items) {
        p->failed = true;
        return;
    }
    plan_evaluation(p, id);
    rewind_terms(p, variables, count, positions);
    do {
        for (size_t i = 0; i < p->cone_count; i++)
            p->values[p->cone[i]] = term_value(&p->model->terms, p->cone[i], p->values);
        if (possible(p))
            set->items[set->count++] = p->values[id];
    } while (advance(p, variables, count, positions));
    set->count = without_repetitions(set->items, set->count);
}

static bool find_set(struct pruning *p, term_id id)
{
    const struct term *term = &p->model->terms.items[id];
    struct value_set *set = &p->sets[id];
    if (!set->tried && term->kind == TERM_VARIABLE)
        set_of_variable(p, term, set);
    else if (!set->tried)
        set_of_term(p, id, set);
    set->tried = true;
    return set->count > 0;
}

static void forget_sets(struct pruning *p)
{
    for (size_t t = 0; t < p->model->terms.count; t++) {
        free(p->sets[t].items);
        p->sets[t] = (struct value_set){0};
    }
}

/* Collect the chain and the frontier below a term. */
static void explore(struct pruning *p, term_id id)
{
    const struct term *term = &p->model->terms.items[id];
    if (p->visited[id] || term->kind == TERM_CONSTANT || !p->small)
        return;
    p->visited[id] = true;
    if (!reads(p, id, p->variable)) {
        p->small = p->frontier_count < FRONTIER_LIMIT;
        if (p->small)
            p->frontier[p->frontier_count++] = id;
        return;
    }
    for (uint32_t i = 0; i < term->count; i++)
        explore(p, term_operands(&p->model->terms, term)[i]);
    p->small = p->small && term->kind != TERM_FOREIGN;
    if (term->kind != TERM_VARIABLE)
        p->chain[p->chain_count++] = id;
}

/* Does the requirement hold, or fail to evaluate, for some combination of the frontier's values? */
static bool supported(struct pruning *p, const struct model_variable *variable, size_t value)
{
    const struct terms *terms = &p->model->terms;
    size_t positions[FRONTIER_LIMIT];
    p->values[variable->term] = variable->values[value];
    rewind_terms(p, p->frontier, p->frontier_count, positions);
    do {
        for (size_t i = 0; i < p->chain_count; i++)
            p->values[p->chain[i]] = term_value(terms, p->chain[i], p->values);
        struct value truth = p->values[p->chain[p->chain_count - 1]];
        if (truth.kind == VALUE_UNSET || truth.boolean)
            return true;
    } while (advance(p, p->frontier, p->frontier_count, positions));
    return false;
}

static bool drop(struct pruning *p, term_id requirement, struct model_variable *variable)
{
    size_t kept = 0, before = variable->alive_count;
    bool promises = false;
    p->chain_count = p->frontier_count = 0;
    p->small = true;
    memset(p->visited, 0, p->model->terms.count * sizeof *p->visited);
    explore(p, requirement);
    if (!p->small || combinations(p, p->frontier, p->frontier_count, TRIES / before) == 0)
        return false;
    for (size_t i = 1; i <= SAMPLE && !promises; i++)
        promises = !supported(p, variable, variable->alive[i * before / SAMPLE - 1]);
    for (size_t i = 0; i < before && promises; i++) {
        if (supported(p, variable, variable->alive[i]))
            variable->alive[kept++] = variable->alive[i];
    }
    if (promises)
        variable->alive_count = kept;
    p->model->impossible = p->model->impossible || variable->alive_count == 0;
    return promises;
}

static bool prune_variable(struct pruning *p, size_t index)
{
    struct model_variable *variable = &p->model->variables[index];
    bool dropped = false;
    p->variable = index;
    for (size_t r = 0; r < p->model->requirement_count && !p->model->impossible && !p->failed; r++) {
        term_id requirement = p->model->requirements[r];
        if (variable->alive_count > MANY && reads(p, requirement, index) && drop(p, requirement, variable))
            dropped = true;
    }
    return dropped;
}

static bool is_many(const struct model_variable *variable)
{
    return variable->alive_count > MANY && variable->term >= 0;
}

static bool prune_round(struct pruning *p)
{
    bool dropped = false;
    for (size_t v = 0; v < p->model->variable_count && !p->model->impossible && !p->failed; v++) {
        if (is_many(&p->model->variables[v]) && prune_variable(p, v)) {
            dropped = true;
            forget_sets(p);
        }
    }
    return dropped;
}

static bool start(struct pruning *p)
{
    const struct terms *terms = &p->model->terms;
    p->values = calloc(terms->count + 1, sizeof *p->values);
    p->sets = calloc(terms->count + 1, sizeof *p->sets);
    p->words = p->model->variable_count / 64 + 1;
    p->masks = calloc((terms->count + 1) * p->words, sizeof *p->masks);
    p->cone = calloc(terms->count + 1, sizeof *p->cone);
    p->filters = calloc(p->model->requirement_count + 1, sizeof *p->filters);
    p->visited = calloc(terms->count + 1, sizeof *p->visited);
    p->chain = calloc(terms->count + 1, sizeof *p->chain);
    if (!p->values || !p->sets || !p->masks || !p->cone || !p->filters || !p->visited || !p->chain)
        return false;
    for (size_t t = 0; t < terms->count; t++) {
        const struct term *term = &terms->items[t];
        uint64_t *mask = &p->masks[t * p->words];
        if (term->kind == TERM_CONSTANT)
            p->values[t] = term->constant;
        if (term->kind == TERM_VARIABLE)
            mask[term->index / 64] |= (uint64_t)1 << term->index % 64;
        for (uint32_t i = 0; i < term->count; i++) {
            for (size_t w = 0; w < p->words; w++)
                mask[w] |= p->masks[term_operands(terms, term)[i] * p->words + w];
        }
    }
    return true;
}

bool prune(struct model *model)
{
    struct pruning p = {.model = model};
    size_t most = 0;
    for (size_t v = 0; v < model->variable_count; v++) {
        const struct model_variable *variable = &model->variables[v];
        if (is_many(variable) && variable->alive_count > most)
            most = variable->alive_count;
    }
    if (most == 0 || model->requirement_count == 0)
        return true;
    p.set_limit = most > SET_LIMIT / SET_FACTOR ? SET_LIMIT : most * SET_FACTOR;
    p.failed = !start(&p);
    for (int round = 0; round < ROUNDS && !p.failed && prune_round(&p); round++)
        continue;
    if (p.sets)
        forget_sets(&p);
    free(p.values);
    free(p.sets);
    free(p.masks);
    free(p.cone);
    free(p.filters);
    free(p.visited);
    free(p.chain);
    return !p.failed;
}
