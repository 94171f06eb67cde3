/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/cost_table.h"

#include "tuner/dispatch/expected_loss.h"
#include "tuner/select/nearness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { CONTENDERS_A_SIZE = 16 };

const double cost_table_loss_most = 2.302585092994046; /* log(10) */

static void fill_nearness(struct cost_table *table, const char *const *sizes)
{
    for (size_t a = 0; a < table->sizes; a++) {
        for (size_t b = 0; b < table->sizes; b++)
            table->nearness[a * table->sizes + b] = expected_loss_weight(nearness_of_sizes(sizes[a], sizes[b]));
    }
}

bool cost_table_create(struct cost_table *table, const char *const *sizes, size_t count, struct error *error)
{
    *table = (struct cost_table){.sizes = count};
    table->nearness = calloc(count * count + 1, sizeof *table->nearness);
    table->best = calloc(count + 1, sizeof *table->best);
    table->known = calloc(count + 1, sizeof *table->known);
    if (!table->nearness || !table->best || !table->known)
        return error_out_of_memory(error);
    fill_nearness(table, sizes);
    return true;
}

void cost_table_clear(struct cost_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->configurations[i]);
    free(table->configurations);
    free(table->costs);
    free(table->nearness);
    free(table->best);
    free(table->known);
    index_map_clear(&table->texts);
    *table = (struct cost_table){0};
}

static bool grow(struct cost_table *table)
{
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    char **configurations = realloc(table->configurations, capacity * sizeof *configurations);
    table->configurations = configurations ? configurations : table->configurations;
    double *costs = realloc(table->costs, (capacity * table->sizes + 1) * sizeof *costs);
    table->costs = costs ? costs : table->costs;
    if (!configurations || !costs)
        return false;
    table->capacity = capacity;
    return true;
}

/* Texts with equal hashes, if there ever are any, have keys one behind the other. */
static bool place_of(struct cost_table *table, const char *configuration, size_t *place)
{
    size_t key = (size_t)(XXH3_64bits(configuration, strlen(configuration)) >> 1);
    for (; index_map_get(&table->texts, key, place); key++) {
        if (strcmp(table->configurations[*place], configuration) == 0)
            return true;
    }
    if (table->count == table->capacity && !grow(table))
        return false;
    char *copy = strdup(configuration);
    if (!copy || !index_map_put(&table->texts, key, table->count)) {
        free(copy);
        return false;
    }
    *place = table->count++;
    table->configurations[*place] = copy;
    memset(table->costs + *place * table->sizes, 0, table->sizes * sizeof *table->costs);
    return true;
}

static double least_cost(const struct cost_table *table, size_t size)
{
    double least = 0;
    for (size_t c = 0; c < table->count; c++) {
        double cost = table->costs[c * table->sizes + size];
        if (cost > 0 && isfinite(cost) && (least == 0 || cost < least))
            least = cost;
    }
    return least;
}

bool cost_table_put(struct cost_table *table, const char *configuration, size_t size, double cost,
                    struct error *error)
{
    size_t place;
    if (!place_of(table, configuration, &place))
        return error_out_of_memory(error);
    double *own = &table->costs[place * table->sizes + size];
    bool was_best = *own > 0 && *own == table->best[size];
    table->known[size] += *own == 0;
    *own = cost;
    if (isfinite(cost) && (table->best[size] == 0 || cost < table->best[size]))
        table->best[size] = cost;
    else if (was_best) /* measured again, it costs more */
        table->best[size] = least_cost(table, size);
    return true;
}

bool cost_table_knows(const struct cost_table *table, size_t configuration, size_t size)
{
    return table->costs[configuration * table->sizes + size] != 0;
}

static double known_loss(const struct cost_table *table, size_t configuration, size_t size)
{
    double cost = table->costs[configuration * table->sizes + size];
    return isfinite(cost) ? fmin(log(cost / table->best[size]), cost_table_loss_most) : cost_table_loss_most;
}

double cost_table_loss(const struct cost_table *table, size_t configuration, size_t size)
{
    if (cost_table_knows(table, configuration, size))
        return known_loss(table, configuration, size);
    struct expected_loss loss = expected_loss_unknown();
    for (size_t s = 0; s < table->sizes; s++) {
        if (cost_table_knows(table, configuration, s))
            expected_loss_add(&loss, table->nearness[size * table->sizes + s], known_loss(table, configuration, s));
    }
    return expected_loss_mean(&loss);
}

/* ---- contenders */

struct ranked {
    const struct cost_table *table;
    size_t size;
};

static int by_cost(const void *a, const void *b, void *context)
{
    const struct ranked *ranked = context;
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    double first = ranked->table->costs[one * ranked->table->sizes + ranked->size];
    double second = ranked->table->costs[other * ranked->table->sizes + ranked->size];
    if (first != second)
        return first < second ? -1 : 1;
    return one < other ? -1 : 1;
}

size_t cost_table_rank(const struct cost_table *table, size_t size, size_t *order)
{
    struct ranked ranked = {table, size};
    size_t count = 0;
    for (size_t c = 0; c < table->count; c++) {
        double cost = table->costs[c * table->sizes + size];
        if (cost > 0 && isfinite(cost))
            order[count++] = c;
    }
    qsort_r(order, count, sizeof *order, by_cost, &ranked);
    return count;
}

/* Mark the best few of a size. `order` is scratch. */
static void mark(const struct cost_table *table, size_t size, size_t *order, bool *marked)
{
    size_t count = cost_table_rank(table, size, order);
    for (size_t i = 0; i < count && i < CONTENDERS_A_SIZE; i++)
        marked[order[i]] = true;
}

size_t *cost_table_contenders(const struct cost_table *table, size_t *count)
{
    size_t *order = calloc(table->count + 1, sizeof *order);
    bool *marked = calloc(table->count + 1, sizeof *marked);
    *count = 0;
    if (order && marked) {
        for (size_t s = 0; s < table->sizes; s++)
            mark(table, s, order, marked);
        for (size_t c = 0; c < table->count; c++) {
            if (marked[c])
                order[(*count)++] = c;
        }
    } else {
        free(order);
        order = NULL;
    }
    free(marked);
    return order;
}
