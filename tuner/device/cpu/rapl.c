/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/rapl.h"

#include <inttypes.h>
#include <stdio.h>

static bool read_number(const char *folder, int package, const char *name, uint64_t *value)
{
    char path[512];
    snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, package, name);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool done = fscanf(file, "%" SCNu64, value) == 1;
    fclose(file);
    return done;
}

bool rapl_read(struct rapl *rapl, double *joules, struct error *error)
{
    uint64_t now, range;
    int package = 0;
    for (; package < RAPL_PACKAGES && read_number(rapl->folder, package, "energy_uj", &now); package++) {
        uint64_t last = rapl->last[package], used = now - last;
        if (now < last) /* it wraps around to 0 after its range */
            used = read_number(rapl->folder, package, "max_energy_range_uj", &range) ? range - last + now : now;
        if (last > 0)
            rapl->joules += 1e-6 * (double)used;
        rapl->last[package] = now;
    }
    if (package == 0)
        return error_set(error, ERROR_WORK, "cannot read the processor's energy (%s/intel-rapl:0/energy_uj)",
                         rapl->folder);
    *joules = rapl->joules;
    return true;
}
