/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/dispatch.h"

#include "tuner/dispatch/expected_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an answer is expected to lose at most: the tree's, else nothing near says that it is any good, and others. */
static const double own_loss_most = 0.4, other_loss_most = 0.2;

static bool create_case(struct dispatch_case *own, size_t dimensions, size_t configurations)
{
    own->sizes = calloc(dimensions + 1, sizeof *own->sizes);
    own->costs = calloc(configurations + 1, sizeof *own->costs);
    return own->sizes && own->costs;
}

struct dispatch *dispatch_create(size_t dimensions, size_t configurations, size_t cases)
{
    struct dispatch *dispatch = calloc(1, sizeof *dispatch);
    if (!dispatch)
        return NULL;
    dispatch->names = calloc(dimensions + 1, sizeof *dispatch->names);
    dispatch->configurations = calloc(configurations + 1, sizeof *dispatch->configurations);
    dispatch->cases = calloc(cases + 1, sizeof *dispatch->cases);
    bool done = dispatch->names && dispatch->configurations && dispatch->cases;
    dispatch->dimensions = dispatch->names ? dimensions : 0;
    dispatch->configuration_count = dispatch->configurations ? configurations : 0;
    dispatch->case_count = dispatch->cases ? cases : 0;
    for (size_t i = 0; done && i < cases; i++)
        done = create_case(&dispatch->cases[i], dimensions, configurations);
    if (done)
        return dispatch;
    dispatch_free(dispatch);
    return NULL;
}

void dispatch_free(struct dispatch *dispatch)
{
    if (!dispatch)
        return;
    for (size_t i = 0; i < dispatch->dimensions; i++)
        free(dispatch->names[i]);
    for (size_t i = 0; i < dispatch->configuration_count; i++)
        free(dispatch->configurations[i]);
    for (size_t i = 0; i < dispatch->case_count; i++) {
        free(dispatch->cases[i].sizes);
        free(dispatch->cases[i].costs);
    }
    free(dispatch->names);
    free(dispatch->configurations);
    free(dispatch->cases);
    tree_clear(&dispatch->tree);
    free(dispatch);
}

/* The value that "M=4096,N=64" gives to a size; 0: none above 0. */
static int64_t size_in(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; *at; at += *at == ',') {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            int64_t value = strtoll(at + length + 1, NULL, 10);
            return value > 0 ? value : 0;
        }
        at += strcspn(at, ",");
    }
    return 0;
}

static bool read_sizes(const struct dispatch *dispatch, const char *size, int64_t *sizes)
{
    for (size_t i = 0; i < dispatch->dimensions; i++) {
        sizes[i] = size_in(size, dispatch->names[i]);
        if (sizes[i] == 0)
            return false;
    }
    return true;
}

static double octaves_between(const struct dispatch *dispatch, const struct dispatch_case *own, const int64_t *sizes)
{
    double octaves = 0;
    for (size_t i = 0; i < dispatch->dimensions; i++)
        octaves += fabs(log2((double)own->sizes[i] / (double)sizes[i]));
    return octaves;
}

static double loss_at(const struct dispatch *dispatch, size_t configuration, const int64_t *sizes)
{
    struct expected_loss loss = expected_loss_unknown();
    for (size_t i = 0; i < dispatch->case_count; i++) {
        const struct dispatch_case *own = &dispatch->cases[i];
        if (own->costs[configuration] > 0)
            expected_loss_add(&loss, expected_loss_weight(octaves_between(dispatch, own, sizes)),
                              log(own->costs[configuration] / own->best));
    }
    return expected_loss_mean(&loss);
}

static size_t tree_answer(const struct dispatch *dispatch, const int64_t *sizes)
{
    return dispatch->tree.nodes[tree_leaf(&dispatch->tree, sizes)].configuration;
}

/* Those of which not too much is lost, the tree's first and then the least loss. */
static size_t list_answers(const struct dispatch *dispatch, const int64_t *sizes, size_t *answers)
{
    double losses[DISPATCH_CONFIGURATIONS_MOST];
    size_t first = tree_answer(dispatch, sizes), kept = 0;
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        double loss = loss_at(dispatch, i, sizes);
        if (loss > (i == first ? own_loss_most : other_loss_most))
            continue;
        loss = i == first ? -INFINITY : loss;
        size_t at = kept++;
        for (; at > 0 && loss < losses[at - 1]; at--) {
            losses[at] = losses[at - 1];
            answers[at] = answers[at - 1];
        }
        losses[at] = loss;
        answers[at] = i;
    }
    return kept;
}

size_t dispatch_answers(const struct dispatch *dispatch, const char *size, size_t *answers)
{
    int64_t sizes[DISPATCH_DIMENSIONS_MOST];
    return read_sizes(dispatch, size, sizes) ? list_answers(dispatch, sizes, answers) : 0;
}

/* Of the tree's answer, or if that is not known the next one's that is. */
static double answered_share(const struct dispatch *dispatch, const struct dispatch_case *own)
{
    size_t answers[DISPATCH_CONFIGURATIONS_MOST];
    double cost = own->costs[tree_answer(dispatch, own->sizes)];
    size_t count = cost > 0 ? 0 : list_answers(dispatch, own->sizes, answers);
    for (size_t i = 0; i < count && !(cost > 0); i++)
        cost = own->costs[answers[i]];
    return cost > 0 ? fmin(own->best / cost, 1) : 0;
}

struct dispatch_quality dispatch_quality(const struct dispatch *dispatch)
{
    struct dispatch_quality quality = {.worst = INFINITY, .held_out_worst = INFINITY};
    double sum = 0, weight = 0, held_out = 0, whole = 0;
    for (size_t i = 0; i < dispatch->case_count; i++) {
        const struct dispatch_case *own = &dispatch->cases[i];
        double share = answered_share(dispatch, own);
        quality.held_out_worst = fmin(quality.held_out_worst, own->held_out);
        held_out += own->weight * log(own->held_out);
        whole += own->weight;
        if (!(share > 0))
            continue;
        if (share < quality.worst) {
            quality.worst = share;
            quality.worst_case = i;
        }
        sum += own->weight * log(share);
        weight += own->weight;
    }
    quality.worst = weight > 0 ? quality.worst : 0;
    quality.mean = weight > 0 ? exp(sum / weight) : 0;
    quality.held_out_mean = exp(held_out / whole);
    return quality;
}
