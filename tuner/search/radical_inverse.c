/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/radical_inverse.h"

#include "tuner/search/generator.h"

#include <stdbool.h>

static bool is_prime(uint64_t number)
{
    for (uint64_t divisor = 2; divisor * divisor <= number; divisor++) {
        if (number % divisor == 0)
            return false;
    }
    return true;
}

uint64_t prime_above(uint64_t base)
{
    do
        base++;
    while (!is_prime(base));
    return base;
}

double radical_inverse(uint64_t number, uint64_t base, uint64_t seed)
{
    struct generator generator = {.state = seed ^ base * 0x9e3779b97f4a7c15};
    double value = 0, unit = 1;
    while (unit > 0x1p-32) {
        unit /= (double)base;
        value += unit * (double)((number % base + generator_below(&generator, base)) % base);
        number /= base;
    }
    return value;
}
