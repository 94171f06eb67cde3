/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/improvement.h"

#include <math.h>

double log_expected_improvement(double best, double mean, double deviation)
{
    static const double half_log_two_pi = 0.9189385332046727, root_half = 0.7071067811865476;
    double z = (best - mean) / deviation;
    double log_density = -0.5 * z * z - half_log_two_pi;
    /* z * Phi(z) + phi(z) cancels for very negative z; asymptotically it is phi(z) / z^2 * (1 - 3 / z^2 + ...) */
    if (z < -10)
        return log(deviation) + log_density - 2 * log(-z) + log1p(-3 / (z * z));
    return log(deviation) + log(z * 0.5 * erfc(-z * root_half) + exp(log_density));
}
