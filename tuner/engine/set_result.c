/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_result.h"

#include "tuner/dispatch/portfolio.h"
#include "tuner/engine/set_held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double hope = 0.4054651081081644; /* log(1.5): what an answer that nobody measured must be better by */

/* The sizes at which something is valid. */
static size_t list_sizes(const struct cost_table *table, const double *weights, size_t *sizes, double *own)
{
    size_t count = 0;
    for (size_t s = 0; s < table->sizes; s++) {
        if (table->best[s] > 0) {
            own[count] = weights[s];
            sizes[count++] = s;
        }
    }
    return count;
}

/* loss[configuration * sizes + size] of a selection of both; allocated. */
static double *losses_of(const struct cost_table *table, const size_t *configurations, size_t count,
                         const size_t *sizes, size_t size_count)
{
    double *loss = calloc(count * size_count + 1, sizeof *loss);
    for (size_t c = 0; loss && c < count; c++) {
        for (size_t s = 0; s < size_count; s++)
            loss[c * size_count + s] = cost_table_loss(table, configurations[c], sizes[s]);
    }
    return loss;
}

bool set_result_choose(const struct cost_table *table, const double *weights, size_t most, size_t *chosen,
                       size_t *count, struct error *error)
{
    size_t contender_count, size_count = 0;
    size_t *contenders = cost_table_contenders(table, &contender_count);
    size_t *sizes = calloc(table->sizes + 1, sizeof *sizes);
    double *own = calloc(table->sizes + 1, sizeof *own), *loss = NULL;
    if (contenders && sizes && own) {
        size_count = list_sizes(table, weights, sizes, own);
        loss = losses_of(table, contenders, contender_count, sizes, size_count);
    }
    const struct portfolio_table all = {contender_count, size_count, loss, own};
    bool done = (loss || error_out_of_memory(error)) && portfolio_choose(&all, most, chosen, count, error) &&
                portfolio_exchange(&all, chosen, *count, error);
    for (size_t i = 0; done && i < *count; i++)
        chosen[i] = contenders[chosen[i]];
    free(contenders);
    free(sizes);
    free(own);
    free(loss);
    return done;
}

/* ---- the dispatch */

/* Number the configurations that leaves use; the others get `count`. Returns how many they are. */
static size_t renumber(struct tree *tree, size_t count, size_t *numbers)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        numbers[i] = count;
    for (size_t i = 0; i < tree->count; i++) {
        struct tree_node *node = &tree->nodes[i];
        if (!node->is_leaf)
            continue;
        if (numbers[node->configuration] == count)
            numbers[node->configuration] = used++;
        node->configuration = numbers[node->configuration];
    }
    return used;
}

static bool copy_names(const struct size_set *set, struct dispatch *dispatch)
{
    for (size_t i = 0; i < set->dimensions; i++) {
        dispatch->names[i] = strdup(set->values[i].name);
        if (!dispatch->names[i])
            return false;
    }
    return true;
}

static bool copy_configurations(const struct cost_table *table, const size_t *chosen, size_t count,
                                const size_t *numbers, struct dispatch *dispatch)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] == count)
            continue;
        dispatch->configurations[numbers[i]] = strdup(table->configurations[chosen[i]]);
        if (!dispatch->configurations[numbers[i]])
            return false;
    }
    return true;
}

/* What the making of a dispatch needs. */
struct making {
    const struct set_known *known;
    const struct set_between *between;
    const size_t *rows; /* of `between`: the configurations chosen */
    size_t count;
    size_t *places, *numbers; /* of these in the table and, if a leaf uses them, in the dispatch */
    double *held_out;
};

static double known_cost(const struct making *making, size_t configuration, size_t which)
{
    const struct cost_table *table = making->known->table;
    double cost = table->costs[making->places[configuration] * table->sizes + making->between->swept[which]];
    return isfinite(cost) && cost > 0 ? cost : NAN;
}

static void fill_cases(const struct making *making, struct dispatch *dispatch)
{
    const struct tree_cases *cases = &making->between->cases;
    for (size_t s = 0; s < cases->measured; s++) {
        struct dispatch_case *own = &dispatch->cases[s];
        memcpy(own->sizes, cases->sizes + s * cases->dimensions, cases->dimensions * sizeof *own->sizes);
        own->weight = cases->weights[s];
        own->best = making->known->table->best[making->between->swept[s]];
        own->held_out = fmin(exp(-making->held_out[s]), 1);
        for (size_t i = 0; i < making->count; i++) {
            if (making->numbers[i] < making->count)
                own->costs[making->numbers[i]] = known_cost(making, i, s);
        }
    }
}

static bool assemble(const struct making *making, struct tree *tree, struct dispatch **result, struct error *error)
{
    size_t used = renumber(tree, making->count, making->numbers);
    const struct size_set *set = making->known->set;
    struct dispatch *dispatch = dispatch_create(set->dimensions, used, making->between->cases.measured);
    if (!dispatch || !copy_names(set, dispatch) ||
        !copy_configurations(making->known->table, making->places, making->count, making->numbers, dispatch)) {
        dispatch_free(dispatch);
        return error_out_of_memory(error);
    }
    fill_cases(making, dispatch);
    dispatch->tree = *tree;
    *tree = (struct tree){0};
    *result = dispatch;
    return true;
}

/* Among many sizes that were made up a tree may ask as much as it likes; of few, all measured, it learns less. */
static bool grow(const struct tree_cases *cases, struct tree *tree, struct error *error)
{
    if (cases->count > cases->measured)
        return tree_grow_to(cases, TREE_LEAVES_MOST, tree, error);
    return tree_grow(cases, TREE_LEAVES_MOST, tree, NULL, error);
}

bool set_result_tree(const struct set_between *between, const size_t *rows, size_t count, struct tree *tree,
                     struct error *error)
{
    struct tree_cases cases;
    double *loss;
    *tree = (struct tree){0};
    bool done = set_between_select(between, rows, count, &cases, &loss) || error_out_of_memory(error);
    done = done && grow(&cases, tree, error);
    free(loss);
    return done;
}

/* At how many sizes is it not known what the answer costs? */
static size_t count_unknown_answers(const struct making *making, const struct tree *tree)
{
    const struct tree_cases *cases = &making->between->cases;
    size_t count = 0;
    for (size_t i = 0; i < cases->measured; i++) {
        size_t leaf = tree_leaf(tree, cases->sizes + i * cases->dimensions);
        if (isnan(known_cost(making, tree->nodes[leaf].configuration, i)))
            count++;
    }
    return count;
}

/* A tree again, for which hope is worth less. */
static bool grow_wary(const struct making *making, struct tree *tree, struct error *error)
{
    struct tree_cases cases;
    double *loss;
    tree_clear(tree);
    bool done =
        set_between_select(making->between, making->rows, making->count, &cases, &loss) || error_out_of_memory(error);
    for (size_t i = 0; done && i < making->count; i++) {
        for (size_t s = 0; s < cases.measured; s++) {
            if (isnan(known_cost(making, i, s)))
                loss[i * cases.count + s] = fmin(loss[i * cases.count + s] + hope, cost_table_loss_most);
        }
    }
    done = done && grow(&cases, tree, error);
    free(loss);
    return done;
}

static bool make(struct making *making, struct dispatch **dispatch, size_t *missing, struct error *error)
{
    struct tree tree = {0};
    making->places = calloc(making->count + 1, sizeof *making->places);
    making->numbers = calloc(making->count + 1, sizeof *making->numbers);
    making->held_out = calloc(making->between->cases.measured + 1, sizeof *making->held_out);
    bool done = (making->places && making->numbers && making->held_out) || error_out_of_memory(error);
    for (size_t i = 0; done && i < making->count; i++)
        making->places[i] = making->between->places[making->rows[i]];
    done = done && set_result_tree(making->between, making->rows, making->count, &tree, error);
    if (done && count_unknown_answers(making, &tree) > 0)
        done = grow_wary(making, &tree, error);
    if (done) {
        *missing = count_unknown_answers(making, &tree);
        done = set_held_out(making->known, making->between, making->rows, making->count, tree.count / 2 + 1,
                            making->held_out, error) &&
               assemble(making, &tree, dispatch, error);
    }
    tree_clear(&tree);
    free(making->places);
    free(making->numbers);
    free(making->held_out);
    return done;
}

bool set_result_choose_between(const struct set_between *between, size_t most, size_t *chosen, size_t *count,
                               struct error *error)
{
    const struct tree_cases *cases = &between->cases;
    const struct portfolio_table all = {cases->configurations, cases->count, between->loss, between->weights};
    return portfolio_choose(&all, most, chosen, count, error) && portfolio_exchange(&all, chosen, *count, error);
}

bool set_result_conclude(const struct set_known *known, size_t most, struct dispatch **dispatch, size_t *missing,
                         struct error *error)
{
    size_t rows[DISPATCH_CONFIGURATIONS_MOST];
    struct set_between between;
    struct making making = {.known = known, .between = &between, .rows = rows};
    *dispatch = NULL;
    *missing = 0;
    bool done = set_between_make(&(struct set_between_request){.known = known}, &between, error) &&
                set_result_choose_between(&between, most, rows, &making.count, error);
    done = done && (making.count == 0 || make(&making, dispatch, missing, error));
    set_between_clear(&between);
    return done;
}
