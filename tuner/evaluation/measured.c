/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/measured.h"

#include <float.h>
#include <math.h>

/* clang-format off */
#define REAL(name, meaning, member, scale, least) \
    {name, meaning, offsetof(struct evaluation, member), false, scale, least, false, -1, NULL}
#define INTEGER(name, meaning, member, of_image) \
    {name, meaning, offsetof(struct evaluation, member), true, 1, 0, of_image, -1, NULL}
#define WORK(with, NAME, name, column, unit, pipe, peak) \
    {#name, "as `work` counts it", offsetof(struct evaluation, work.column), false, 1, 0, false, WORK_##NAME, NULL},

const struct measured_figure measured_figures[] = {
    REAL("time", "seconds that a launch takes, the median", time_ns, 1e-9, DBL_MIN),
    {"device_time", "seconds of it without the host's latency", offsetof(struct evaluation, device_ns), false, 1e-9,
     DBL_MIN, false, -1, &measured_figures[0]},
    REAL("energy", "joules that a launch takes", energy_j, 1, DBL_MIN),
    WORK_FIGURES(WORK, )
    INTEGER("registers", "a thread", resources.registers, true),
    INTEGER("local_bytes", "local memory a thread", resources.local_bytes, true),
    INTEGER("spill_bytes", "spilled to local memory", spill_bytes, true),
    INTEGER("shared_bytes", "shared memory a block", resources.shared_bytes, true),
    {"occupancy", "0 to 1", offsetof(struct evaluation, resources.occupancy), false, 1, 0, true, -1, NULL},
    REAL("error_ratio", "the largest error over the allowed one", error_ratio, 1, 0),
    REAL("compile_seconds", "that the compiler took", compile_seconds, 1, 0),
    INTEGER("sm_clock_mhz", "of the multiprocessors, after the measurement", state.sm_clock_mhz, false),
    INTEGER("memory_clock_mhz", "of the memory, after the measurement", state.memory_clock_mhz, false),
    INTEGER("temperature_c", "degrees Celsius, after the measurement", state.temperature_c, false),
    {"power", "watts, after the measurement", offsetof(struct evaluation, state.power_mw), true, 1e-3, 0, false, -1,
     NULL},
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
