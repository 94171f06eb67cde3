/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct unit {
    double size;
    const char *name;
};

static void print_in_units(double value, const struct unit *units, size_t count, char *buffer, size_t size)
{
    if (!(value > 0)) {
        snprintf(buffer, size, "-");
        return;
    }
    size_t i = 0;
    while (i + 1 < count && value < units[i].size)
        i++;
    snprintf(buffer, size, "%.4g %s", value / units[i].size, units[i].name);
}

void figure_time(double nanoseconds, char *buffer, size_t size)
{
    static const struct unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    print_in_units(nanoseconds, units, sizeof units / sizeof *units, buffer, size);
}

void figure_energy(double joules, char *buffer, size_t size)
{
    static const struct unit units[] = {{1, "J"}, {1e-3, "mJ"}, {1e-6, "uJ"}};
    print_in_units(joules, units, sizeof units / sizeof *units, buffer, size);
}

void figure_objective(const char *objective, double value, char *buffer, size_t size)
{
    if (strcmp(objective, "time") == 0)
        figure_time(value, buffer, size);
    else if (strcmp(objective, "energy") == 0)
        figure_energy(value, buffer, size);
    else if (value > 0 && isfinite(value))
        snprintf(buffer, size, "%.4g%s", value, strcmp(objective, "edp") == 0 ? " J s" : "");
    else
        snprintf(buffer, size, "-");
}

void figure_per_second(double rate, const char *unit, char *buffer, size_t size)
{
    static const struct unit prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
    print_in_units(rate, prefixes, sizeof prefixes / sizeof *prefixes, buffer, size);
    size_t used = strlen(buffer);
    if (rate > 0)
        snprintf(buffer + used, size - used, "%s", unit);
}

void figure_per_watt(double joules, double flops, double bytes, char *buffer, size_t size)
{
    if (!(joules > 0) || !(flops > 0 || bytes > 0))
        snprintf(buffer, size, "-");
    else if (flops > 0)
        snprintf(buffer, size, "%.4g GFLOP/s/W", flops / joules * 1e-9);
    else
        snprintf(buffer, size, "%.4g GB/s/W", bytes / joules * 1e-9);
}

void figure_rate(double nanoseconds, double flops, double bytes, char *buffer, size_t size)
{
    if (!(nanoseconds > 0) || !(flops > 0 || bytes > 0))
        snprintf(buffer, size, "-");
    else if (flops > 0)
        snprintf(buffer, size, "%.1f GFLOP/s", flops / nanoseconds);
    else
        snprintf(buffer, size, "%.1f GB/s", bytes / nanoseconds);
}

void figure_share(const struct share *share, char *buffer, size_t size)
{
    if (share->percent < 0)
        snprintf(buffer, size, "-");
    else
        snprintf(buffer, size, "%.1f %% %s%s", share->percent, work_kinds[share->figure].pipe,
                 share->ceiling.measured ? "" : "*");
}

void figure_share_sentence(const struct share *share, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (share->percent >= 0)
        snprintf(buffer, size, "%.1f %% of the %s limit%s", share->percent, work_kinds[share->figure].pipe,
                 share->ceiling.measured ? "" : " of the data sheet");
}

void figure_times(double ratio, char *buffer, size_t size)
{
    const double least = 0.0995; /* which is 0.10 */
    if (ratio > 0)
        snprintf(buffer, size, ratio < least ? "%.2gx" : "%.2fx", ratio);
    else
        snprintf(buffer, size, "-");
}

void figure_duration(double seconds, char *buffer, size_t size)
{
    const double minute = 60, hour = 3600, longest = 1e6 * hour;
    double whole = round(seconds > 0 ? fmin(seconds, longest) : 0);
    if (whole < minute)
        snprintf(buffer, size, "%.0f s", whole);
    else if (whole < hour)
        snprintf(buffer, size, "%.0f min %.0f s", floor(whole / minute), fmod(whole, minute));
    else
        snprintf(buffer, size, "%.0f h %.0f min", floor(whole / hour), floor(fmod(whole, hour) / minute));
}

void figure_bytes(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 999.95 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    snprintf(buffer, size, unit && bytes < 99.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}
