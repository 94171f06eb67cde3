/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/linker.h"

#include "tuner/device/cuda/toolkit.h"

#include <stdlib.h>
#include <string.h>

bool linker_is_missed(const char *log)
{
    static const char *const words[] = {"device-side kernel launch could not be processed",
                                        "requires separate compilation mode",
                                        "identifier \"cudaStream",
                                        "identifier \"cudaEvent",
                                        "identifier \"cudaGetLastError\"",
                                        "identifier \"cudaPeekAtLastError\""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(log, words[i]))
            return true;
    }
    return false;
}

bool linker_open(struct linker *linker, const struct nvrtc_library *nvrtc, struct error *error)
{
    if (!jitlink_library_open(&linker->library, nvrtc, error))
        return error_hint(error, "install the CUDA Toolkit, or set CUDA_HOME to its folder");
    if (toolkit_find_runtime(nvrtc->folder, linker->runtime, sizeof linker->runtime))
        return true;
    linker_close(linker);
    error_set(error, ERROR_WORK, "CUDA's device run-time library (libcudadevrt.a) was not found");
    return error_hint(error, "install the CUDA Toolkit, or set CUDA_HOME to its folder");
}

void linker_close(struct linker *linker)
{
    jitlink_library_close(&linker->library);
}

static char *read_log(const struct jitlink_library *library, jitlink_handle link)
{
    size_t size = 0;
    if (library->log_size(link, &size) != JITLINK_SUCCESS)
        size = 0;
    char *log = calloc(1, size + 1);
    if (log && size > 0 && library->log(link, log) != JITLINK_SUCCESS)
        log[0] = '\0';
    return log;
}

static bool read_cubin(const struct jitlink_library *library, jitlink_handle link, struct linked *linked,
                       struct error *error)
{
    if (library->cubin_size(link, &linked->bytes) != JITLINK_SUCCESS || linked->bytes == 0)
        return error_set(error, ERROR_WORK, "nvJitLink returned no cubin");
    linked->cubin = malloc(linked->bytes);
    if (!linked->cubin)
        return error_out_of_memory(error);
    return library->cubin(link, linked->cubin) == JITLINK_SUCCESS ||
           error_set(error, ERROR_WORK, "nvJitLink returned no cubin");
}

bool linker_run(const struct linker *linker, const char *architecture, const char *name, const void *cubin,
                size_t bytes, struct linked *linked, struct error *error)
{
    const struct jitlink_library *library = &linker->library;
    char option[64];
    const char *options[] = {option};
    jitlink_handle link = NULL;
    *linked = (struct linked){NULL, 0, NULL};
    snprintf(option, sizeof option, "-arch=%s", architecture);
    if (library->create(&link, 1, options) != JITLINK_SUCCESS)
        return error_set(error, ERROR_WORK, "nvJitLink does not link for %s", architecture);
    bool complete = library->add_data(link, JITLINK_CUBIN, cubin, bytes, name) == JITLINK_SUCCESS &&
                    library->add_file(link, JITLINK_LIBRARY, linker->runtime) == JITLINK_SUCCESS &&
                    library->complete(link) == JITLINK_SUCCESS;
    linked->log = read_log(library, link);
    bool done = linked->log ? !complete || read_cubin(library, link, linked, error) : error_out_of_memory(error);
    library->destroy(&link);
    if (!done) {
        free(linked->cubin);
        free(linked->log);
        *linked = (struct linked){NULL, 0, NULL};
    }
    return done;
}
