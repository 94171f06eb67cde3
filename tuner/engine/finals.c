/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/finals.h"

#include <assert.h>
#include <string.h>

const struct finals_rule finals_default = {
    .least_rounds = FINAL_ROUNDS_LEAST,
    .most_rounds = FINAL_ROUNDS_MOST,
    .equal = 0.005,
};

const struct finals_rule finals_of_front = {
    .least_rounds = FINAL_ROUNDS_LEAST + 1,
    .most_rounds = FINAL_ROUNDS_LEAST,
};

void finals_begin(struct finals *finals, const struct finals_rule *rule, size_t count, uint64_t seed)
{
    assert(count <= FINALISTS_MOST && rule->most_rounds <= FINAL_ROUNDS_MOST);
    *finals = (struct finals){.rule = rule, .count = count, .generator.state = seed};
}

static bool is_left(const struct finalist *finalist)
{
    return finalist->state == FINALIST_IN || finalist->state == FINALIST_EQUAL;
}

size_t finals_left(const struct finals *finals)
{
    size_t left = 0;
    for (size_t i = 0; i < finals->count; i++)
        left += is_left(&finals->of[i]);
    return left;
}

/* One step of the Fisher-Yates shuffle per finalist. */
size_t finals_order(struct finals *finals, size_t order[FINALISTS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < finals->count; i++) {
        if (!is_left(&finals->of[i]))
            continue;
        size_t place = (size_t)generator_below(&finals->generator, count + 1);
        order[count] = i;
        order[count++] = order[place];
        order[place] = i;
    }
    return count;
}

void finals_record(struct finals *finals, size_t finalist, double value)
{
    struct finalist *one = &finals->of[finalist];
    assert(one->round_count == finals->rounds && finals->rounds < finals->rule->most_rounds);
    one->values[one->round_count++] = value;
}

void finals_disqualify(struct finals *finals, size_t finalist)
{
    finals->of[finalist].state = FINALIST_DISQUALIFIED;
}

struct median finals_ratio(const struct finals *finals, size_t finalist, size_t other)
{
    const struct finalist *a = &finals->of[finalist], *b = &finals->of[other];
    size_t count = a->round_count < b->round_count ? a->round_count : b->round_count;
    double ratios[FINAL_ROUNDS_MOST];
    for (size_t i = 0; i < count; i++)
        ratios[i] = a->values[i] / b->values[i];
    return median_of(ratios, count);
}

/* All that are left took part in the same rounds, so their medians are comparable. */
static size_t find_leader(const struct finals *finals)
{
    size_t leader = 0;
    double lowest = 0;
    bool any = false;
    for (size_t i = 0; i < finals->count; i++) {
        if (!is_left(&finals->of[i]))
            continue;
        double value = median_of(finals->of[i].values, finals->rounds).value;
        if (!any || value < lowest) {
            lowest = value;
            leader = i;
        }
        any = true;
    }
    return leader;
}

static enum finalist_state judge(const struct finals *finals, size_t finalist)
{
    struct median ratio = finals_ratio(finals, finalist, finals->leader);
    if (ratio.low > 1)
        return FINALIST_LOST;
    double equal = finals->rule->equal;
    return ratio.low >= 1 - equal && ratio.high <= 1 + equal ? FINALIST_EQUAL : FINALIST_IN;
}

bool finals_go_on(struct finals *finals)
{
    finals->rounds++;
    if (finals_left(finals) == 0)
        return false;
    size_t undecided = 0;
    finals->leader = find_leader(finals);
    for (size_t i = 0; i < finals->count; i++) {
        struct finalist *finalist = &finals->of[i];
        if (!is_left(finalist) || i == finals->leader)
            continue;
        if (finals->rounds >= finals->rule->least_rounds)
            finalist->state = judge(finals, i);
        undecided += finalist->state == FINALIST_IN;
    }
    return undecided > 0 && finals->rounds < finals->rule->most_rounds;
}

/* ---- resources */

static int64_t spilled(const struct evaluation *evaluation)
{
    return evaluation->spill_bytes;
}

static int64_t local(const struct evaluation *evaluation)
{
    return evaluation->resources.local_bytes;
}

static int64_t registers(const struct evaluation *evaluation)
{
    return evaluation->resources.registers;
}

static int64_t shared(const struct evaluation *evaluation)
{
    return evaluation->resources.shared_bytes;
}

static const struct {
    const char *name;
    int64_t (*of)(const struct evaluation *evaluation); /* -1: not known */
} resources[] = {
    {"spilled bytes", spilled},
    {"local memory", local},
    {"registers", registers},
    {"shared memory", shared},
};

int finals_compare_needs(const struct finalist_needs *a, const struct finalist_needs *b, const char **resource)
{
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        int64_t first = resources[i].of(a->evaluation), second = resources[i].of(b->evaluation);
        first = first > 0 ? first : 0;
        second = second > 0 ? second : 0;
        if (first == second)
            continue;
        if (resource)
            *resource = resources[i].name;
        return first < second ? -1 : 1;
    }
    if (resource)
        *resource = NULL;
    return strcmp(a->configuration, b->configuration);
}

bool finals_winner(const struct finals *finals, const struct finalist_needs *needs, size_t *winner)
{
    if (finals_left(finals) == 0)
        return false;
    *winner = finals->leader;
    for (size_t i = 0; i < finals->count; i++) {
        if (is_left(&finals->of[i]) && finals_ratio(finals, i, finals->leader).value <= 1 + finals->rule->equal &&
            finals_compare_needs(&needs[i], &needs[*winner], NULL) < 0)
            *winner = i;
    }
    return true;
}
