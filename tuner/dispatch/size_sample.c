/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/size_sample.h"

#include "tuner/search/radical_inverse.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS_A_SIZE = 16, DRAWS_MORE = 256 };

/* The value at 0 <= where < 1. Each has the same share of the scale as its neighbourhood: from half a step below it
 * to half a step above. */
static int64_t value_at(const struct size_sample *sample, const struct size_range *range, double where)
{
    if (range->low == range->high)
        return range->low;
    int64_t first = (range->low - 1) / sample->multiple + 1, last = range->high / sample->multiple;
    double low = (double)first - 0.5, high = (double)last + 0.5;
    double value = sample->linear ? low + where * (high - low) : low * pow(high / low, where);
    if (round(value) >= (double)last)
        return last * sample->multiple;
    int64_t whole = (int64_t)round(value);
    return (whole > first ? whole : first) * sample->multiple;
}

static void draw(const struct size_sample *sample, uint64_t number, struct size_setting *settings)
{
    uint64_t base = 1;
    for (size_t d = 0; d < sample->dimensions; d++) {
        const struct size_range *range = &sample->ranges[d];
        double where = 0;
        if (range->low < range->high) {
            base = prime_above(base);
            where = radical_inverse(number, base, sample->seed);
        }
        settings[d] = (struct size_setting){range->name, value_at(sample, range, where)};
    }
}

static bool check(const struct size_sample *sample, size_t room, struct error *error)
{
    for (size_t d = 0; d < sample->dimensions; d++) {
        const struct size_range *range = &sample->ranges[d];
        if (range->low < range->high && range->high / sample->multiple < (range->low - 1) / sample->multiple + 1)
            return error_set(error, ERROR_INPUT,
                             "between %" PRId64 " and %" PRId64 " there is no multiple of %" PRId64, range->low,
                             range->high, sample->multiple);
    }
    return sample->count <= room || error_set(error, ERROR_INPUT, "there are more than %d sizes", SIZE_SET_MOST);
}

static bool explain(const struct size_sample *sample, size_t found, size_t refused, const struct error *why,
                    struct error *error)
{
    if (refused > 0) {
        error_set(error, ERROR_INPUT, "of these sizes only %zu could be drawn: the template refuses others", found);
        return error_hint(error, "such as: %.200s", why->text);
    }
    error_set(error, ERROR_INPUT, "there are hardly more than %zu different sizes to draw %zu from", found,
              sample->count);
    return error_hint(error, "list them, or ask for fewer");
}

bool size_sample_draw(const struct size_sample *sample, struct size_builder *builder, struct error *error)
{
    if (!check(sample, SIZE_SET_MOST - builder->set->count, error))
        return false;
    size_t found = 0, refused = 0, draws = DRAWS_A_SIZE * sample->count + DRAWS_MORE;
    struct size_setting *settings = calloc(sample->dimensions + 1, sizeof *settings);
    struct error why, last = {0};
    bool done = settings || error_out_of_memory(error);
    for (uint64_t number = 0; done && found < sample->count && number < draws; number++) {
        bool added = false;
        draw(sample, number, settings);
        done = size_builder_try(builder, settings, sample->dimensions, sample->weight, &added, &why, error);
        found += added;
        if (why.code != ERROR_NONE) {
            refused++;
            last = why;
        }
    }
    free(settings);
    return done && (found == sample->count || explain(sample, found, refused, &last, error));
}
