#include "tuner/simulate/baseline.h"

#include <math.h>

/* lgamma without its global sign, which threads would share. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

static double log_choose(double n, double k)
{
    return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

double baseline_place(size_t configurations, size_t valid, double draws)
{
    double all = (double)configurations, good = (double)valid;
    double place = (all - draws) / (draws + 1);
    double bad = all - good + 1; /* all that have place N - 1 or worse */
    if (draws + 1 <= bad)
        place -= exp(log_choose(bad, draws + 1) - log_choose(all, draws));
    return place > 0 ? place : 0;
}
