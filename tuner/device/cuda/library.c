/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/library.h"

#include "tuner/device/cuda/result.h"
#include "tuner/device/cuda/toolkit.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    const char *name;
    const char *alternative; /* an older or newer name of the same function; NULL: none */
    size_t offset;           /* of the pointer in the library's table */
    bool optional;           /* NULL in the table if the library lacks it */
};

#define CUDA(member, name)                                                                                           \
    {                                                                                                                \
        name, NULL, offsetof(struct cuda_library, member), false                                                     \
    }
#define CUDA_OR(member, name, other)                                                                                 \
    {                                                                                                                \
        name, other, offsetof(struct cuda_library, member), false                                                    \
    }
#define CUDA_OPTIONAL(member, name)                                                                                  \
    {                                                                                                                \
        name, NULL, offsetof(struct cuda_library, member), true                                                      \
    }

static const struct symbol cuda_symbols[] = {
    CUDA(init, "cuInit"),
    CUDA(driver_version, "cuDriverGetVersion"),
    CUDA(error_name, "cuGetErrorName"),
    CUDA(error_string, "cuGetErrorString"),
    CUDA(device_count, "cuDeviceGetCount"),
    CUDA(device_get, "cuDeviceGet"),
    CUDA(device_name, "cuDeviceGetName"),
    CUDA_OR(device_uuid, "cuDeviceGetUuid_v2", "cuDeviceGetUuid"),
    CUDA(device_memory, "cuDeviceTotalMem_v2"),
    CUDA(device_attribute, "cuDeviceGetAttribute"),
    CUDA(context_retain, "cuDevicePrimaryCtxRetain"),
    CUDA_OR(context_release, "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease"),
    CUDA(context_use, "cuCtxSetCurrent"),
    CUDA(context_current, "cuCtxGetCurrent"),
    CUDA(context_device, "cuCtxGetDevice"),
    CUDA(context_push, "cuCtxPushCurrent_v2"),
    CUDA(context_pop, "cuCtxPopCurrent_v2"),
    CUDA(limit, "cuCtxGetLimit"),
    CUDA(limit_set, "cuCtxSetLimit"),
    CUDA(module_load, "cuModuleLoadData"),
    CUDA(module_unload, "cuModuleUnload"),
    CUDA(module_function, "cuModuleGetFunction"),
    CUDA(module_global, "cuModuleGetGlobal_v2"),
    CUDA(function_attribute, "cuFuncGetAttribute"),
    CUDA(function_set, "cuFuncSetAttribute"),
    CUDA_OPTIONAL(parameter, "cuFuncGetParamInfo"),
    CUDA(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor"),
    CUDA(allocate, "cuMemAlloc_v2"),
    CUDA(release, "cuMemFree_v2"),
    CUDA(host_allocate, "cuMemHostAlloc"),
    CUDA(host_release, "cuMemFreeHost"),
    CUDA(host_address, "cuMemHostGetDevicePointer_v2"),
    CUDA(upload, "cuMemcpyHtoDAsync_v2"),
    CUDA(download, "cuMemcpyDtoHAsync_v2"),
    CUDA(copy, "cuMemcpyDtoDAsync_v2"),
    CUDA(copy_any, "cuMemcpyAsync"),
    CUDA(fill, "cuMemsetD8Async"),
    CUDA(stream_create, "cuStreamCreate"),
    CUDA(stream_destroy, "cuStreamDestroy_v2"),
    CUDA(stream_synchronize, "cuStreamSynchronize"),
    CUDA(stream_capturing, "cuStreamIsCapturing"),
    CUDA(capture_mode, "cuThreadExchangeStreamCaptureMode"),
    CUDA(stream_wait, "cuStreamWaitEvent"),
    CUDA(event_create, "cuEventCreate"),
    CUDA(event_destroy, "cuEventDestroy_v2"),
    CUDA(event_record, "cuEventRecord"),
    CUDA(event_query, "cuEventQuery"),
    CUDA(event_synchronize, "cuEventSynchronize"),
    CUDA_OR(event_elapsed, "cuEventElapsedTime_v2", "cuEventElapsedTime"),
    CUDA(array_create, "cuArray3DCreate_v2"),
    CUDA(array_destroy, "cuArrayDestroy"),
    CUDA(copy_3d, "cuMemcpy3DAsync_v2"),
    CUDA(texture_create, "cuTexObjectCreate"),
    CUDA(texture_destroy, "cuTexObjectDestroy"),
    CUDA(surface_create, "cuSurfObjectCreate"),
    CUDA(surface_destroy, "cuSurfObjectDestroy"),
    CUDA(launch, "cuLaunchKernel"),
    CUDA(launch_host, "cuLaunchHostFunc"),
    CUDA_OPTIONAL(launch_config, "cuLaunchKernelEx"),
    CUDA_OPTIONAL(occupancy_clusters, "cuOccupancyMaxActiveClusters"),
};

#define NVRTC(member, name)                                                                                          \
    {                                                                                                                \
        name, NULL, offsetof(struct nvrtc_library, member), false                                                    \
    }

static const struct symbol nvrtc_symbols[] = {
    NVRTC(version_number, "nvrtcVersion"),
    NVRTC(error_string, "nvrtcGetErrorString"),
    NVRTC(architecture_count, "nvrtcGetNumSupportedArchs"),
    NVRTC(architectures, "nvrtcGetSupportedArchs"),
    NVRTC(create, "nvrtcCreateProgram"),
    NVRTC(destroy, "nvrtcDestroyProgram"),
    NVRTC(compile, "nvrtcCompileProgram"),
    NVRTC(cubin_size, "nvrtcGetCUBINSize"),
    NVRTC(cubin, "nvrtcGetCUBIN"),
    NVRTC(log_size, "nvrtcGetProgramLogSize"),
    NVRTC(log, "nvrtcGetProgramLog"),
    NVRTC(add_name, "nvrtcAddNameExpression"),
    NVRTC(lowered_name, "nvrtcGetLoweredName"),
};

/* Up to CUDA 12 all names have the version that brought them. */
#define JITLINK(member, name)                                                                                        \
    {                                                                                                                \
        name, "__" name "_12_0", offsetof(struct jitlink_library, member), false                                     \
    }

static const struct symbol jitlink_symbols[] = {
    JITLINK(create, "nvJitLinkCreate"),        JITLINK(destroy, "nvJitLinkDestroy"),
    JITLINK(add_data, "nvJitLinkAddData"),     JITLINK(add_file, "nvJitLinkAddFile"),
    JITLINK(complete, "nvJitLinkComplete"),    JITLINK(log_size, "nvJitLinkGetErrorLogSize"),
    JITLINK(log, "nvJitLinkGetErrorLog"),      JITLINK(cubin_size, "nvJitLinkGetLinkedCubinSize"),
    JITLINK(cubin, "nvJitLinkGetLinkedCubin"),
};

#define NVML(member, name, other)                                                                                    \
    {                                                                                                                \
        name, other, offsetof(struct nvml_library, member), false                                                    \
    }

static const struct symbol nvml_symbols[] = {
    NVML(init, "nvmlInit_v2", NULL),
    NVML(shutdown, "nvmlShutdown", NULL),
    NVML(driver_version, "nvmlSystemGetDriverVersion", NULL),
    NVML(device_count, "nvmlDeviceGetCount_v2", NULL),
    NVML(device_by_index, "nvmlDeviceGetHandleByIndex_v2", NULL),
    NVML(device_by_uuid, "nvmlDeviceGetHandleByUUID", NULL),
    NVML(capability, "nvmlDeviceGetCudaComputeCapability", NULL),
    NVML(clock, "nvmlDeviceGetClockInfo", NULL),
    NVML(temperature, "nvmlDeviceGetTemperature", NULL),
    NVML(power, "nvmlDeviceGetPowerUsage", NULL),
    NVML(throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"),
    NVML(energy, "nvmlDeviceGetTotalEnergyConsumption", NULL),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

/* Fill in the table's pointers, or name the symbol that is missing. */
static bool load_symbols(void *handle, const char *library, const struct symbol *symbols, size_t count, void *table,
                         struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (!address && symbols[i].alternative)
            address = dlsym(handle, symbols[i].alternative);
        if (!address && !symbols[i].optional) {
            error_set(error, ERROR_WORK, "%s lacks the function %s", library, symbols[i].name);
            return error_hint(error, "it is older than CUDA 11.2; install a newer one");
        }
        memcpy((char *)table + symbols[i].offset, &address, sizeof address);
    }
    return true;
}

/* Where the driver's libraries are if not on the loader's path (containers, WSL). */
static void *open_driver_library(const char *name)
{
    static const char *const folders[] = {"", "/usr/local/nvidia/lib64/", "/usr/lib/wsl/lib/"};
    for (size_t i = 0; i < COUNT(folders); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", folders[i], name);
        void *handle = dlopen(path, OPEN_FLAGS);
        if (handle)
            return handle;
    }
    return NULL;
}

bool cuda_library_open(struct cuda_library *library, struct error *error)
{
    *library = (struct cuda_library){.handle = open_driver_library("libcuda.so.1")};
    if (!library->handle) {
        error_set(error, ERROR_WORK, "no NVIDIA driver is installed (libcuda.so.1 was not found)");
        return error_hint(error, "device 'cpu' runs the same kernels on the processor");
    }
    if (load_symbols(library->handle, "libcuda.so.1", cuda_symbols, COUNT(cuda_symbols), library, error))
        return true;
    cuda_library_close(library);
    return false;
}

bool cuda_library_start(struct cuda_library *library, struct error *error)
{
    if (!cuda_library_open(library, error))
        return false;
    if (cuda_check(library, library->init(0), error, "initialising the NVIDIA driver"))
        return true;
    if (error && (error->code == ERROR_FAULT || error->code == ERROR_DEVICE))
        error->code = ERROR_WORK; /* no context has died yet */
    cuda_library_close(library);
    return false;
}

bool nvml_library_open(struct nvml_library *library, struct error *error)
{
    *library = (struct nvml_library){.handle = open_driver_library("libnvidia-ml.so.1")};
    if (!library->handle)
        return error_set(error, ERROR_WORK, "NVIDIA's management library (libnvidia-ml.so.1) was not found");
    if (load_symbols(library->handle, "libnvidia-ml.so.1", nvml_symbols, COUNT(nvml_symbols), library, error))
        return true;
    nvml_library_close(library);
    return false;
}

/* The major version of CUDA that the driver supports; INT_MAX without a driver. Touches no device. */
static int driver_major(void)
{
    void *handle = open_driver_library("libcuda.so.1");
    if (!handle)
        return INT_MAX;
    int version = 0;
    cuda_result (*get_version)(int *) = NULL;
    void *address = dlsym(handle, "cuDriverGetVersion");
    memcpy(&get_version, &address, sizeof address);
    if (!get_version || get_version(&version) != CUDA_SUCCESS)
        version = 0;
    dlclose(handle);
    return version >= 1000 ? version / 1000 : INT_MAX;
}

static void *open_in(const char *folder, const char *below, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s%s/%s", folder, below, name);
    return length > 0 && (size_t)length < sizeof path ? dlopen(path, OPEN_FLAGS) : NULL;
}

/* A library of the Toolkit: where the environment says that it is, where the system looks for libraries, where it
 * usually is. */
static void *find_named(const char *name)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    const char *const *below = toolkit_library_folders;
    void *handle = NULL;
    for (size_t i = 0; i < COUNT(variables); i++) {
        const char *home = getenv(variables[i]);
        for (size_t j = 0; home && *home && !handle && below[j]; j++)
            handle = open_in(home, below[j], name);
    }
    if (!handle)
        handle = dlopen(name, OPEN_FLAGS);
    for (size_t j = 0; !handle && below[j]; j++)
        handle = open_in("/usr/local/cuda", below[j], name);
    return handle;
}

static void *find_nvrtc(void)
{
    static const struct {
        int major;
        const char *name;
    } candidates[] = {{13, "libnvrtc.so.13"}, {12, "libnvrtc.so.12"}, {11, "libnvrtc.so.11.2"}};

    int newest = driver_major();
    for (size_t i = 0; i < COUNT(candidates); i++) {
        void *handle = candidates[i].major <= newest ? find_named(candidates[i].name) : NULL;
        if (handle)
            return handle;
    }
    /* Otherwise one too new for the driver, or one whose name has no version. */
    for (size_t i = 0; i < COUNT(candidates); i++) {
        void *handle = candidates[i].major > newest ? find_named(candidates[i].name) : NULL;
        if (handle)
            return handle;
    }
    return find_named("libnvrtc.so");
}

/* The real name of the library's file ends in its full version: libnvrtc.so.13.0.88. */
static void locate_nvrtc(struct nvrtc_library *library)
{
    snprintf(library->version, sizeof library->version, "%d.%d", library->major, library->minor);
    struct link_map *map = NULL;
    char path[PATH_MAX];
    if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !realpath(map->l_name, path))
        return;

    const char *suffix = strstr(path, "libnvrtc.so.");
    int major, minor, build;
    if (suffix && sscanf(suffix, "libnvrtc.so.%d.%d.%d", &major, &minor, &build) == 3 && major == library->major &&
        minor == library->minor)
        snprintf(library->version, sizeof library->version, "%d.%d.%d", major, minor, build);

    char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) < sizeof library->folder) {
        memcpy(library->folder, path, (size_t)(slash - path));
        library->folder[slash - path] = '\0';
    }
}

bool nvrtc_library_open(struct nvrtc_library *library, struct error *error)
{
    *library = (struct nvrtc_library){.handle = find_nvrtc()};
    if (!library->handle) {
        error_set(error, ERROR_WORK, "NVIDIA's run-time compiler (libnvrtc.so) was not found");
        return error_hint(error, "install the CUDA Toolkit, or set CUDA_HOME to its folder");
    }
    if (!load_symbols(library->handle, "libnvrtc.so", nvrtc_symbols, COUNT(nvrtc_symbols), library, error))
        goto failed;
    enum nvrtc_result result = library->version_number(&library->major, &library->minor);
    if (result != NVRTC_SUCCESS) {
        error_set(error, ERROR_WORK, "NVRTC does not report its version: %s", library->error_string(result));
        goto failed;
    }
    locate_nvrtc(library);
    return true;

failed:
    nvrtc_library_close(library);
    return false;
}

bool jitlink_library_open(struct jitlink_library *library, const struct nvrtc_library *nvrtc, struct error *error)
{
    const char *const beside[] = {"", toolkit_linker_beside};
    char name[32];
    snprintf(name, sizeof name, "libnvJitLink.so.%d", nvrtc->major);
    *library = (struct jitlink_library){.handle = NULL};
    for (size_t i = 0; nvrtc->folder[0] && !library->handle && i < COUNT(beside); i++)
        library->handle = open_in(nvrtc->folder, beside[i], name);
    if (!library->handle)
        library->handle = find_named(name);
    if (!library->handle)
        return error_set(error, ERROR_WORK, "NVIDIA's linker (%s) was not found", name);
    if (load_symbols(library->handle, name, jitlink_symbols, COUNT(jitlink_symbols), library, error))
        return true;
    jitlink_library_close(library);
    return false;
}

static void close_handle(void **handle)
{
    if (*handle)
        dlclose(*handle);
    *handle = NULL;
}

void cuda_library_close(struct cuda_library *library)
{
    close_handle(&library->handle);
}

void nvrtc_library_close(struct nvrtc_library *library)
{
    close_handle(&library->handle);
}

void jitlink_library_close(struct jitlink_library *library)
{
    close_handle(&library->handle);
}

void nvml_library_close(struct nvml_library *library)
{
    close_handle(&library->handle);
}
