/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_result.h"

#include "tuner/dispatch/portfolio.h"
#include "tuner/engine/set_between.h"
#include "tuner/engine/set_held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static double loss_of(const struct cost_table *table, size_t configuration, size_t size, bool expected)
{
    if (!expected && !cost_table_knows(table, configuration, size))
        return cost_table_loss_most;
    return cost_table_loss(table, configuration, size);
}

/* loss[configuration * sizes + size] of a selection of both; allocated. */
static double *losses_of(const struct cost_table *table, const size_t *configurations, size_t count,
                         const size_t *sizes, size_t size_count, bool expected)
{
    double *loss = calloc(count * size_count + 1, sizeof *loss);
    for (size_t c = 0; loss && c < count; c++) {
        for (size_t s = 0; s < size_count; s++)
            loss[c * size_count + s] = loss_of(table, configurations[c], sizes[s], expected);
    }
    return loss;
}

bool set_result_choose(const struct cost_table *table, const double *weights, bool expected, size_t most,
                       size_t *chosen, size_t *count, struct error *error)
{
    size_t contender_count, size_count = 0;
    size_t *contenders = cost_table_contenders(table, &contender_count);
    size_t *sizes = calloc(table->sizes + 1, sizeof *sizes);
    double *own = calloc(table->sizes + 1, sizeof *own), *loss = NULL;
    if (contenders && sizes && own) {
        size_count = list_sizes(table, weights, sizes, own);
        loss = losses_of(table, contenders, contender_count, sizes, size_count, expected);
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
    const struct cost_table *table;
    const struct size_set *set;
    bool expected;
    const size_t *chosen;
    size_t count;
    size_t *sizes; /* that count */
    size_t size_count;
    double *weights, *loss, *held_out;
    int64_t *values;
    size_t *numbers;
};

static void fill_cases(const struct making *making, struct dispatch *dispatch)
{
    const struct cost_table *table = making->table;
    size_t dimensions = making->set->dimensions;
    for (size_t s = 0; s < making->size_count; s++) {
        struct dispatch_case *own = &dispatch->cases[s];
        memcpy(own->sizes, making->values + s * dimensions, dimensions * sizeof *own->sizes);
        own->weight = making->weights[s];
        own->best = table->best[making->sizes[s]];
        own->held_out = fmin(exp(-making->held_out[s]), 1);
        for (size_t i = 0; i < making->count; i++) {
            double cost = table->costs[making->chosen[i] * table->sizes + making->sizes[s]];
            if (making->numbers[i] < making->count)
                own->costs[making->numbers[i]] = isfinite(cost) && cost > 0 ? cost : NAN;
        }
    }
}

static bool assemble(const struct making *making, struct tree *tree, struct dispatch **result, struct error *error)
{
    size_t used = renumber(tree, making->count, making->numbers);
    struct dispatch *dispatch = dispatch_create(making->set->dimensions, used, making->size_count);
    if (!dispatch || !copy_names(making->set, dispatch) ||
        !copy_configurations(making->table, making->chosen, making->count, making->numbers, dispatch)) {
        dispatch_free(dispatch);
        return error_out_of_memory(error);
    }
    fill_cases(making, dispatch);
    dispatch->tree = *tree;
    *tree = (struct tree){0};
    *result = dispatch;
    return true;
}

static bool prepare(struct making *making)
{
    const struct cost_table *table = making->table;
    size_t dimensions = making->set->dimensions;
    making->sizes = calloc(table->sizes + 1, sizeof *making->sizes);
    making->weights = calloc(table->sizes + 1, sizeof *making->weights);
    making->held_out = calloc(table->sizes + 1, sizeof *making->held_out);
    making->values = calloc(table->sizes * dimensions + 1, sizeof *making->values);
    making->numbers = calloc(making->count + 1, sizeof *making->numbers);
    if (!making->sizes || !making->weights || !making->held_out || !making->values || !making->numbers)
        return false;
    making->size_count = list_sizes(table, making->set->weights, making->sizes, making->weights);
    for (size_t i = 0; i < making->size_count * dimensions; i++)
        making->values[i] = making->set->values[making->sizes[i / dimensions] * dimensions + i % dimensions].value;
    making->loss =
        losses_of(table, making->chosen, making->count, making->sizes, making->size_count, making->expected);
    return making->loss != NULL;
}

static bool make(struct making *making, bool held_out, struct dispatch **dispatch, struct error *error)
{
    struct tree tree = {0};
    bool done = prepare(making) || error_out_of_memory(error);
    const struct tree_cases cases = {.dimensions = making->set->dimensions,
                                     .configurations = making->count,
                                     .count = making->size_count,
                                     .sizes = making->values,
                                     .loss = making->loss,
                                     .weights = making->weights};
    struct set_between between = {0};
    done = done && set_between_make(&cases, &between, error) &&
           tree_grow(&between.cases, TREE_LEAVES_MOST, &tree, NULL, error) &&
           (!held_out || set_held_out(&cases, tree.count / 2 + 1, making->held_out, error)) &&
           assemble(making, &tree, dispatch, error);
    set_between_clear(&between);
    tree_clear(&tree);
    free(making->sizes);
    free(making->weights);
    free(making->held_out);
    free(making->values);
    free(making->numbers);
    free(making->loss);
    return done;
}

bool set_result_make(const struct cost_table *table, const struct size_set *set, bool expected, const size_t *chosen,
                     size_t count, struct dispatch **dispatch, struct error *error)
{
    struct making making = {.table = table, .set = set, .expected = expected, .chosen = chosen, .count = count};
    return make(&making, false, dispatch, error);
}

/* At how many sizes is it not known what the answer costs? */
static size_t count_unknown_answers(const struct dispatch *dispatch)
{
    size_t count = 0;
    for (size_t i = 0; i < dispatch->case_count; i++) {
        const struct dispatch_case *own = &dispatch->cases[i];
        const struct tree_node *leaf = &dispatch->tree.nodes[tree_leaf(&dispatch->tree, own->sizes)];
        count += !(own->costs[leaf->configuration] > 0);
    }
    return count;
}

bool set_result_conclude(const struct cost_table *table, const struct size_set *set, size_t most,
                         struct dispatch **dispatch, size_t *missing, struct error *error)
{
    size_t chosen[DISPATCH_CONFIGURATIONS_MOST], count;
    *dispatch = NULL;
    *missing = 0;
    for (int expected = 1; expected >= 0; expected--) {
        dispatch_free(*dispatch);
        *dispatch = NULL;
        if (!set_result_choose(table, set->weights, expected, most, chosen, &count, error))
            return false;
        if (count == 0)
            return true;
        struct making making = {.table = table, .set = set, .expected = expected, .chosen = chosen, .count = count};
        if (!make(&making, true, dispatch, error))
            return false;
        *missing = count_unknown_answers(*dispatch);
        if (*missing == 0)
            break;
    }
    return true;
}
