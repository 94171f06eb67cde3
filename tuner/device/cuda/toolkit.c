/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/toolkit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
/* From the folder of libnvrtc.so: of a Toolkit, of its targets/, of NVIDIA's Python packages. */
static const char *const beside[] = {"/../include", "/../../include", "/../../cuda_runtime/include"};
static const char usual[] = "/usr/local/cuda/include", usual_home[] = "/usr/local/cuda";

static const char runtime[] = "/libcudadevrt.a";
static const char *const runtime_beside[] = {"", "/../../cuda_runtime/lib"};
const char toolkit_linker_beside[] = "/../../nvjitlink/lib";
const char *const toolkit_library_folders[] = {"/lib64", "/lib", "/targets/x86_64-linux/lib",
                                               "/targets/sbsa-linux/lib", NULL};

static bool join(char *path, size_t size, const char *start, const char *end)
{
    int length = snprintf(path, size, "%s%s", start, end);
    if (length > 0 && (size_t)length < size)
        return true;
    path[0] = '\0';
    return false;
}

static bool holds_headers(const char *folder)
{
    char path[PATH_MAX];
    return join(path, sizeof path, folder, "/cuda_fp16.h") && access(path, R_OK) == 0;
}

bool toolkit_find(const char *library, char *folder, size_t size)
{
    for (size_t i = 0; *library && i < COUNT(beside); i++) {
        if (join(folder, size, library, beside[i]) && holds_headers(folder))
            return true;
    }
    for (size_t i = 0; i < COUNT(variables); i++) {
        const char *home = getenv(variables[i]);
        if (home && *home && join(folder, size, home, "/include") && holds_headers(folder))
            return true;
    }
    if (join(folder, size, usual, "") && holds_headers(folder))
        return true;
    folder[0] = '\0';
    return false;
}

/* The library in a folder below another. */
static bool runtime_in(const char *folder, const char *below, char *path, size_t size)
{
    char place[PATH_MAX];
    return join(place, sizeof place, folder, below) && join(path, size, place, runtime) && access(path, R_OK) == 0;
}

static bool runtime_of(const char *home, char *path, size_t size)
{
    for (size_t i = 0; toolkit_library_folders[i]; i++) {
        if (runtime_in(home, toolkit_library_folders[i], path, size))
            return true;
    }
    return false;
}

bool toolkit_find_runtime(const char *library, char *path, size_t size)
{
    for (size_t i = 0; *library && i < COUNT(runtime_beside); i++) {
        if (runtime_in(library, runtime_beside[i], path, size))
            return true;
    }
    for (size_t i = 0; i < COUNT(variables); i++) {
        const char *home = getenv(variables[i]);
        if (home && *home && runtime_of(home, path, size))
            return true;
    }
    return runtime_of(usual_home, path, size);
}

static void stamp_file(FILE *stream, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        fprintf(stream, "%s %lld %lld.%09ld\n", path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec);
}

/* The device run-time library and its linker. */
static void stamp_libraries(FILE *stream, const char *folder, const char *below)
{
    static const char *const names[] = {runtime, "/libnvJitLink.so.12", "/libnvJitLink.so.13"};
    char place[PATH_MAX], path[PATH_MAX];
    for (size_t i = 0; i < COUNT(names); i++) {
        if (join(place, sizeof place, folder, below) && join(path, sizeof path, place, names[i]))
            stamp_file(stream, path);
    }
}

static void stamp_home(FILE *stream, const char *home)
{
    for (size_t i = 0; toolkit_library_folders[i]; i++)
        stamp_libraries(stream, home, toolkit_library_folders[i]);
}

static void write_stamp(FILE *stream, const char *folder)
{
    static const char *const headers[] = {"/cuda_fp16.h",          "/cuda_bf16.h",          "/cooperative_groups.h",
                                          "/vector_types.h",       "/cccl/cub/version.cuh", "/cccl/cub/block",
                                          "/cccl/cuda/std/version"};
    for (size_t i = 0; i < COUNT(headers); i++) {
        char path[PATH_MAX];
        if (join(path, sizeof path, folder, headers[i]))
            stamp_file(stream, path);
    }
}

/* The folders of LD_LIBRARY_PATH. */
static void visit_libraries(void (*visit)(void *context, const char *folder), void *context)
{
    const char *list = getenv("LD_LIBRARY_PATH");
    char *copy = list ? strdup(list) : NULL, *rest = copy;
    for (const char *folder; (folder = strsep(&rest, ":"));) {
        if (*folder)
            visit(context, folder);
    }
    free(copy);
}

static void write_beside(void *context, const char *library)
{
    char folder[PATH_MAX];
    for (size_t i = 0; i < COUNT(beside); i++) {
        if (join(folder, sizeof folder, library, beside[i]))
            write_stamp(context, folder);
    }
    for (size_t i = 0; i < COUNT(runtime_beside); i++)
        stamp_libraries(context, library, runtime_beside[i]);
    stamp_libraries(context, library, toolkit_linker_beside);
}

void toolkit_write_stamps(FILE *stream)
{
    for (size_t i = 0; i < COUNT(variables); i++) {
        const char *home = getenv(variables[i]);
        char folder[PATH_MAX];
        fprintf(stream, "%s=%s\n", variables[i], home ? home : "");
        if (home && join(folder, sizeof folder, home, "/include"))
            write_stamp(stream, folder);
        if (home)
            stamp_home(stream, home);
    }
    visit_libraries(write_beside, stream);
    write_stamp(stream, usual);
    stamp_home(stream, usual_home);
}

struct visiting {
    void (*visit)(void *context, const char *path);
    void *context;
};

static void visit_beside(void *context, const char *library)
{
    const struct visiting *visiting = context;
    char folder[PATH_MAX];
    for (size_t i = 0; i < COUNT(beside); i++) {
        if (join(folder, sizeof folder, library, beside[i]) && holds_headers(folder))
            visiting->visit(visiting->context, folder);
    }
    for (size_t i = 0; i < COUNT(runtime_beside); i++) {
        char path[PATH_MAX];
        if (runtime_in(library, runtime_beside[i], path, sizeof path))
            visiting->visit(visiting->context, path);
    }
    if (join(folder, sizeof folder, library, toolkit_linker_beside) && access(folder, R_OK) == 0)
        visiting->visit(visiting->context, folder);
}

void toolkit_visit_places(void (*visit)(void *context, const char *path), void *context)
{
    struct visiting visiting = {visit, context};
    visit_libraries(visit_beside, &visiting);
}
