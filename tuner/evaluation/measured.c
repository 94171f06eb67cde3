/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/measured.h"

#include <float.h>
#include <math.h>

/* clang-format off */
#define REAL(name, meaning, member, scale, least) \
    {name, meaning, offsetof(struct evaluation, member), false, scale, least, -1, NULL}
#define INTEGER(name, meaning, member) \
    {name, meaning, offsetof(struct evaluation, member), true, 1, 0, -1, NULL}
#define WORK(with, NAME, name, column, unit, pipe, peak) \
    {#name, "as `work` counts it", offsetof(struct evaluation, work.column), false, 1, 0, WORK_##NAME, NULL},

const struct measured_figure measured_figures[] = {
    REAL("time", "seconds that a launch takes, the median", time_ns, 1e-9, DBL_MIN),
    {"device_time", "seconds of it without the host's latency", offsetof(struct evaluation, device_ns), false, 1e-9,
     DBL_MIN, -1, &measured_figures[0]},
    REAL("energy", "joules that a launch takes", energy_j, 1, DBL_MIN),
    WORK_FIGURES(WORK, )
    INTEGER("registers", "a thread", resources.registers),
    INTEGER("local_bytes", "local memory a thread", resources.local_bytes),
    INTEGER("spill_bytes", "spilled to local memory", spill_bytes),
    INTEGER("shared_bytes", "shared memory a block", resources.shared_bytes),
    REAL("occupancy", "0 to 1", resources.occupancy, 1, 0),
    REAL("error_ratio", "the largest error over the allowed one", error_ratio, 1, 0),
    REAL("compile_seconds", "that the compiler took", compile_seconds, 1, 0),
};
/* clang-format on */
const size_t measured_figure_count = sizeof measured_figures / sizeof *measured_figures;

bool measured_value(const struct measured_figure *figure, const struct evaluation *evaluation, double *value)
{
    const char *at = (const char *)evaluation + figure->offset;
    double raw = figure->integer ? (double)*(const int64_t *)(const void *)at : *(const double *)(const void *)at;
    *value = raw * figure->scale;
    bool known = raw >= figure->least && isfinite(raw);
    return known || (figure->instead && measured_value(figure->instead, evaluation, value));
}
