/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/solution.h"

#include "tuner/space/planner.h"
#include "tuner/space/prune.h"
#include "tuner/space/variable_order.h"

#include <stdlib.h>

static struct diagram_builder *make_builder(const struct model *model, const size_t *order)
{
    size_t *widths = calloc(model->variable_count + 1, sizeof *widths);
    struct diagram_builder *builder = NULL;
    for (size_t l = 0; l < model->variable_count && widths; l++)
        widths[l] = model->variables[order[l]].count;
    if (widths)
        builder = diagram_builder_create(widths, model->variable_count);
    free(widths);
    return builder;
}

/* Drop values and requirements that make no difference. */
static bool simplify(struct model *model)
{
    return model->impossible || (prune(model) && (model->impossible || model_narrow(model)));
}

bool solution_start(struct solution *solution, const struct domain *domain, size_t constraint_count,
                    const struct domain *const *formers, size_t former_count, bool lenient)
{
    *solution = (struct solution){.root = DIAGRAM_DEAD};
    if (!model_create(&solution->model, domain, constraint_count, formers, former_count, lenient))
        return false;
    size_t levels = solution->model.variable_count;
    bool started = simplify(&solution->model);
    size_t *group_of = calloc(levels + 1, sizeof *group_of);
    solution->order = calloc(levels + 1, sizeof *solution->order);
    solution->undecided = calloc(levels + 1, sizeof *solution->undecided);
    started = started && group_of && solution->order && solution->undecided;
    for (size_t l = 0; l < levels && started; l++)
        solution->order[l] = l;
    if (started && !solution->model.impossible)
        started = variable_order(&solution->model, solution->order, group_of);
    started = started && plan_create(&solution->plan, &solution->model, solution->order, group_of);
    if (started)
        solution->builder = make_builder(&solution->model, solution->order);
    free(group_of);
    if (!started || !solution->builder) {
        solution_end(solution);
        return false;
    }
    return true;
}

enum construct_end solution_find(struct solution *solution, size_t *effort)
{
    return construct(&solution->plan, effort, solution->builder, &solution->root, solution->undecided);
}

void solution_end(struct solution *solution)
{
    diagram_builder_free(solution->builder);
    plan_clear(&solution->plan);
    model_clear(&solution->model);
    free(solution->order);
    free(solution->undecided);
    *solution = (struct solution){.root = DIAGRAM_DEAD};
}
