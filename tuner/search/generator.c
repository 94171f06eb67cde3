/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/generator.h"

uint64_t generator_next(struct generator *generator)
{
    uint64_t z = generator->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

uint64_t generator_below(struct generator *generator, uint64_t bound)
{
    uint64_t excess =
        -bound % bound; /* 2^64 mod bound: rejecting smaller numbers makes all remainders equally likely */
    uint64_t number;
    do
        number = generator_next(generator);
    while (number < excess);
    return number % bound;
}

double generator_real(struct generator *generator)
{
    return (double)(generator_next(generator) >> 11) * 0x1p-53; /* 53 bits, as many as a double holds */
}
