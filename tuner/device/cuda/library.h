/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.h - NVIDIA's libraries, opened at run time: the driver, the run-time compiler, its linker, the management
 * library.
 *
 * One binary runs everywhere, with or without them. Names, values and signatures are those of the public binary
 * interface (CUDA Driver API, NVRTC, nvJitLink and NVML reference manuals), with the version suffixes of the current
 * headers. Only what is used is declared.
 *
 * Closing releases the handle, but the code stays mapped for the life of the process: NVIDIA's libraries have threads
 * and exit handlers of their own and do not survive being unmapped. It also makes opening again cheap.
 */
#ifndef TUNE_DEVICE_CUDA_LIBRARY_H
#define TUNE_DEVICE_CUDA_LIBRARY_H

#include "tuner/error/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Driver API. Results are plain numbers; result.c knows those that matter. */
typedef int cuda_result;
typedef int cuda_device;
typedef uint64_t cuda_address;
typedef struct CUctx_st *cuda_context;
typedef struct CUmod_st *cuda_module;
typedef struct CUfunc_st *cuda_function;
typedef struct CUstream_st *cuda_stream;
typedef struct CUevent_st *cuda_event;
typedef struct CUarray_st *cuda_array;

struct cuda_uuid {
    unsigned char bytes[16];
};

enum {
    CUDA_SUCCESS = 0,
    CUDA_STREAM_NON_BLOCKING = 1,
    CUDA_EVENT_DEFAULT = 0,
    CUDA_EVENT_NO_TIMES = 2,
    CUDA_HOST_MAPPED = 2,
    CUDA_CAPTURE_RELAXED = 2
};

/* CUfunction_attribute */
enum cuda_function_attribute {
    CUDA_FUNCTION_MAX_THREADS = 0,
    CUDA_FUNCTION_STATIC_SHARED = 1,
    CUDA_FUNCTION_LOCAL = 3,
    CUDA_FUNCTION_REGISTERS = 4,
    CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    CUDA_FUNCTION_CLUSTER_WIDTH = 11, /* height and depth follow */
    CUDA_FUNCTION_LARGE_CLUSTERS = 14,
};

/* CUlaunchAttribute, CUlaunchConfig */
enum { CUDA_LAUNCH_COOPERATIVE = 2, CUDA_LAUNCH_CLUSTER = 4 };

struct cuda_launch_attribute {
    int id;
    union {
        uint64_t room[8];
        int cooperative;
        unsigned cluster[3];
    } value;
};

struct cuda_launch_config {
    unsigned grid[3], block[3], dynamic_shared;
    cuda_stream stream;
    struct cuda_launch_attribute *attributes;
    unsigned attribute_count;
};

enum { CUDA_LIMIT_LAUNCHES = 4 }; /* CUlimit: by kernels, that may wait */

enum { CUDA_ARRAY_SURFACE = 2, CUDA_MEMORY_DEVICE = 2, CUDA_MEMORY_ARRAY = 3 };
enum { CUDA_RESOURCE_ARRAY = 0, CUDA_RESOURCE_LINEAR = 2 };
enum { CUDA_TEXTURE_READ_AS_INTEGER = 1, CUDA_TEXTURE_NORMALIZED = 2 };

/* CUarray_format */
enum cuda_format {
    CUDA_FORMAT_UINT8 = 1,
    CUDA_FORMAT_UINT16 = 2,
    CUDA_FORMAT_UINT32 = 3,
    CUDA_FORMAT_INT8 = 8,
    CUDA_FORMAT_INT16 = 9,
    CUDA_FORMAT_INT32 = 10,
    CUDA_FORMAT_FLOAT = 32,
};

/* CUaddress_mode */
enum { CUDA_ADDRESS_WRAP = 0, CUDA_ADDRESS_CLAMP = 1, CUDA_ADDRESS_MIRROR = 2, CUDA_ADDRESS_BORDER = 3 };

/* CUDA_ARRAY3D_DESCRIPTOR */
struct cuda_array_shape {
    size_t width, height, depth; /* 0 beyond the array's dimensions */
    unsigned format, channels, flags;
};

/* One side of CUDA_MEMCPY3D; host pointers are not used. */
struct cuda_copy_side {
    size_t x_bytes, y, z, level;
    unsigned memory;
    const void *host;
    cuda_address address;
    cuda_array array;
    void *reserved;
    size_t pitch, height;
};

/* CUDA_MEMCPY3D */
struct cuda_copy {
    struct cuda_copy_side from, to;
    size_t width_bytes, height, depth;
};

/* CUDA_RESOURCE_DESC */
struct cuda_resource {
    unsigned kind;
    union {
        cuda_array array;
        struct {
            cuda_address address;
            unsigned format, channels;
            size_t bytes;
        } linear;
        int reserved[32];
    };
    unsigned flags;
};

/* CUDA_TEXTURE_DESC */
struct cuda_texture {
    unsigned address[3], filter, flags, anisotropy, mipmap_filter;
    float bias, least_level, most_level, border[4];
    int reserved[12];
};

struct cuda_library {
    void *handle;
    cuda_result (*init)(unsigned flags);
    cuda_result (*driver_version)(int *version);
    cuda_result (*error_name)(cuda_result result, const char **name);
    cuda_result (*error_string)(cuda_result result, const char **text);
    cuda_result (*device_count)(int *count);
    cuda_result (*device_get)(cuda_device *device, int ordinal);
    cuda_result (*device_name)(char *name, int size, cuda_device device);
    cuda_result (*device_uuid)(struct cuda_uuid *uuid, cuda_device device);
    cuda_result (*device_memory)(size_t *bytes, cuda_device device);
    cuda_result (*device_attribute)(int *value, int attribute, cuda_device device);
    cuda_result (*context_retain)(cuda_context *context, cuda_device device);
    cuda_result (*context_release)(cuda_device device);
    cuda_result (*context_use)(cuda_context context);
    cuda_result (*context_current)(cuda_context *context); /* NULL: there is none */
    cuda_result (*context_device)(cuda_device *device);
    cuda_result (*context_push)(cuda_context context);
    cuda_result (*context_pop)(cuda_context *context);
    cuda_result (*limit)(size_t *value, int limit);
    cuda_result (*limit_set)(int limit, size_t value);
    cuda_result (*module_load)(cuda_module *module, const void *image);
    cuda_result (*module_unload)(cuda_module module);
    cuda_result (*module_function)(cuda_function *function, cuda_module module, const char *name);
    cuda_result (*module_global)(cuda_address *address, size_t *bytes, cuda_module module, const char *name);
    cuda_result (*function_attribute)(int *value, int attribute, cuda_function function);
    cuda_result (*function_set)(cuda_function function, int attribute, int value);
    /* NULL before CUDA 12.4. CUDA_INVALID_VALUE: no such parameter. */
    cuda_result (*parameter)(cuda_function function, size_t index, size_t *offset, size_t *bytes);
    cuda_result (*occupancy)(int *blocks, cuda_function function, int block_threads, size_t dynamic_shared);
    cuda_result (*allocate)(cuda_address *address, size_t bytes);
    cuda_result (*release)(cuda_address address);
    cuda_result (*host_allocate)(void **memory, size_t bytes, unsigned flags);
    cuda_result (*host_release)(void *memory);
    cuda_result (*host_address)(cuda_address *address, void *memory, unsigned flags);
    cuda_result (*upload)(cuda_address to, const void *from, size_t bytes, cuda_stream stream);
    cuda_result (*download)(void *to, cuda_address from, size_t bytes, cuda_stream stream);
    cuda_result (*copy)(cuda_address to, cuda_address from, size_t bytes, cuda_stream stream);
    cuda_result (*copy_any)(cuda_address to, cuda_address from, size_t bytes, cuda_stream stream);
    cuda_result (*fill)(cuda_address address, unsigned char byte, size_t bytes, cuda_stream stream);
    cuda_result (*stream_create)(cuda_stream *stream, unsigned flags);
    cuda_result (*stream_destroy)(cuda_stream stream);
    cuda_result (*stream_synchronize)(cuda_stream stream);
    cuda_result (*stream_capturing)(cuda_stream stream, int *status);
    cuda_result (*capture_mode)(int *mode); /* of the calling thread: exchanged */
    cuda_result (*stream_wait)(cuda_stream stream, cuda_event event, unsigned flags);
    cuda_result (*event_create)(cuda_event *event, unsigned flags);
    cuda_result (*event_destroy)(cuda_event event);
    cuda_result (*event_record)(cuda_event event, cuda_stream stream);
    cuda_result (*event_query)(cuda_event event);
    cuda_result (*event_synchronize)(cuda_event event);
    cuda_result (*event_elapsed)(float *milliseconds, cuda_event start, cuda_event stop);
    cuda_result (*array_create)(cuda_array *array, const struct cuda_array_shape *shape);
    cuda_result (*array_destroy)(cuda_array array);
    cuda_result (*copy_3d)(const struct cuda_copy *copy, cuda_stream stream);
    cuda_result (*texture_create)(uint64_t *object, const struct cuda_resource *resource,
                                  const struct cuda_texture *texture, const void *view);
    cuda_result (*texture_destroy)(uint64_t object);
    cuda_result (*surface_create)(uint64_t *object, const struct cuda_resource *resource);
    cuda_result (*surface_destroy)(uint64_t object);
    cuda_result (*launch)(cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned dynamic_shared, cuda_stream stream,
                          void **arguments, void **extra);
    cuda_result (*launch_host)(cuda_stream stream, void (*function)(void *), void *argument);
    /* Both NULL before CUDA 11.8. */
    cuda_result (*launch_config)(const struct cuda_launch_config *config, cuda_function function, void **arguments,
                                 void **extra);
    cuda_result (*occupancy_clusters)(int *clusters, cuda_function function, const struct cuda_launch_config *config);
};

/* NVRTC */
typedef struct nvrtcProgram_st *nvrtc_program;

enum nvrtc_result {
    NVRTC_SUCCESS = 0,
    NVRTC_OUT_OF_MEMORY = 1,
    NVRTC_INVALID_OPTION = 5,
    NVRTC_COMPILATION = 6,
    NVRTC_BUILTIN_OPERATION_FAILURE = 7,
};

struct nvrtc_library {
    void *handle;
    int major, minor;
    char version[64]; /* "13.0.88", or "13.0" if the file's name lacks the build */
    char folder[512]; /* where the library is; its headers are near */
    enum nvrtc_result (*version_number)(int *major, int *minor);
    const char *(*error_string)(enum nvrtc_result result);
    enum nvrtc_result (*architecture_count)(int *count);
    enum nvrtc_result (*architectures)(int *architectures);
    enum nvrtc_result (*create)(nvrtc_program *program, const char *source, const char *name, int header_count,
                                const char *const *headers, const char *const *include_names);
    enum nvrtc_result (*destroy)(nvrtc_program *program);
    enum nvrtc_result (*compile)(nvrtc_program program, int option_count, const char *const *options);
    enum nvrtc_result (*cubin_size)(nvrtc_program program, size_t *size);
    enum nvrtc_result (*cubin)(nvrtc_program program, char *cubin);
    enum nvrtc_result (*log_size)(nvrtc_program program, size_t *size);
    enum nvrtc_result (*log)(nvrtc_program program, char *log);
    enum nvrtc_result (*add_name)(nvrtc_program program, const char *expression);
    enum nvrtc_result (*lowered_name)(nvrtc_program program, const char *expression, const char **lowered);
};

/* nvJitLink */
typedef struct nvJitLink *jitlink_handle;

enum { JITLINK_SUCCESS = 0, JITLINK_CUBIN = 1, JITLINK_LIBRARY = 6 };

struct jitlink_library {
    void *handle;
    int (*create)(jitlink_handle *link, uint32_t option_count, const char **options);
    int (*destroy)(jitlink_handle *link);
    int (*add_data)(jitlink_handle link, int kind, const void *data, size_t size, const char *name);
    int (*add_file)(jitlink_handle link, int kind, const char *path);
    int (*complete)(jitlink_handle link);
    int (*log_size)(jitlink_handle link, size_t *size); /* of errors */
    int (*log)(jitlink_handle link, char *log);
    int (*cubin_size)(jitlink_handle link, size_t *size);
    int (*cubin)(jitlink_handle link, void *cubin);
};

/* NVML */
typedef struct nvmlDevice_st *nvml_device;

enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_TEMPERATURE_GPU = 0 };

struct nvml_library {
    void *handle;
    int (*init)(void);
    int (*shutdown)(void);
    int (*driver_version)(char *text, unsigned size);
    int (*device_count)(unsigned *count);
    int (*device_by_index)(unsigned index, nvml_device *device);
    int (*device_by_uuid)(const char *uuid, nvml_device *device);
    int (*capability)(nvml_device device, int *major, int *minor);
    int (*clock)(nvml_device device, int type, unsigned *mhz);
    int (*temperature)(nvml_device device, int sensor, unsigned *celsius);
    int (*power)(nvml_device device, unsigned *milliwatts);
    int (*throttle_reasons)(nvml_device device, unsigned long long *reasons);
    int (*energy)(nvml_device device, unsigned long long *millijoules);
};

/*
 * Each open fills in a table or reports what is missing, with a hint; nothing stays open after a failure.
 *
 * cuda_library_start also initialises the driver, which is when it reads CUDA_VISIBLE_DEVICES.
 *
 * nvrtc_library_open prefers the newest NVRTC whose major version the installed driver supports: an older driver does
 * not load the code of a newer compiler. jitlink_library_open takes the linker of NVRTC's major version, one beside
 * it if there is any.
 */
bool cuda_library_open(struct cuda_library *library, struct error *error);
bool cuda_library_start(struct cuda_library *library, struct error *error);
bool nvrtc_library_open(struct nvrtc_library *library, struct error *error);
bool jitlink_library_open(struct jitlink_library *library, const struct nvrtc_library *nvrtc, struct error *error);
bool nvml_library_open(struct nvml_library *library, struct error *error);

void cuda_library_close(struct cuda_library *library);
void nvrtc_library_close(struct nvrtc_library *library);
void jitlink_library_close(struct jitlink_library *library);
void nvml_library_close(struct nvml_library *library);

#endif
