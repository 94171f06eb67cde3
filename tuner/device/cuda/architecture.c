/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/architecture.h"

#include <limits.h>
#include <stdlib.h>

/* The architectures that NVRTC knows; the caller frees them. NULL: failed. */
static int *known_architectures(const struct nvrtc_library *nvrtc, int *count, struct error *error)
{
    enum nvrtc_result result = nvrtc->architecture_count(count);
    int *known = NULL;
    if (result == NVRTC_SUCCESS && *count > 0) {
        known = calloc((size_t)*count, sizeof *known);
        if (!known) {
            error_out_of_memory(error);
            return NULL;
        }
        result = nvrtc->architectures(known);
    }
    if (result != NVRTC_SUCCESS || !known) {
        error_set(error, ERROR_WORK, "NVRTC does not list its architectures: %s", nvrtc->error_string(result));
        free(known);
        return NULL;
    }
    return known;
}

bool architecture_choose(const struct nvrtc_library *nvrtc, const char *wanted, char *architecture, size_t size,
                         struct error *error)
{
    int number, end = 0;
    if (sscanf(wanted, "sm_%d%n", &number, &end) != 1 || number <= 0 || (wanted[end] && wanted[end + 1]))
        return error_set(error, ERROR_INPUT, "'%s' is not a CUDA architecture such as sm_90", wanted);

    int count;
    int *known = known_architectures(nvrtc, &count, error);
    if (!known)
        return false;
    int best = 0, least = INT_MAX, most = 0;
    for (int i = 0; i < count; i++) {
        if (known[i] / 10 == number / 10 && known[i] <= number && known[i] > best)
            best = known[i];
        least = known[i] < least ? known[i] : least;
        most = known[i] > most ? known[i] : most;
    }
    free(known);

    if (best == 0) {
        error_set(error, ERROR_WORK, "NVRTC %s cannot compile for %s (it knows sm_%d to sm_%d)", nvrtc->version,
                  wanted, least, most);
        return error_hint(error, "install %s CUDA Toolkit", number < least ? "an older" : "a newer");
    }
    snprintf(architecture, size, "sm_%d%s", best, best == number ? wanted + end : "");
    return true;
}
