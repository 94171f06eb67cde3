/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_beside.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_BYTES_MOST = 16 << 20 };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_with_one_of(const char *name, const char *const *endings, size_t count)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        size_t ending = strlen(endings[i]);
        if (length >= ending && strcmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

static bool is_source_name(const char *name)
{
    static const char *const endings[] = {".cu",  ".cuh", ".hip", ".cpp", ".cc", ".cxx",
                                          ".hpp", ".h",   ".c",   ".inl", ".cl", ".opencl"};
    return ends_with_one_of(name, endings, sizeof endings / sizeof *endings);
}

static bool stays_inside(const char *name)
{
    for (const char *part = name; *part; part += strspn(part, "/")) {
        size_t length = strcspn(part, "/");
        if (length == 0 || (length == 2 && memcmp(part, "..", 2) == 0))
            return false;
        part += length;
    }
    return true;
}

/* .npy and raw bytes. */
static bool is_data_name(const char *name)
{
    static const char *const endings[] = {".npy", ".bin", ".raw", ".dat"};
    return ends_with_one_of(name, endings, sizeof endings / sizeof *endings);
}

typedef bool name_test(const char *name);

/* Does the path, with links followed, lead to such a file below the folder? */
static bool check_place(const char *folder, const char *path, const char *name, name_test *is_such,
                        struct error *error)
{
    char *real_folder = realpath(folder, NULL), *real = realpath(path, NULL);
    size_t length = real_folder ? strlen(real_folder) : 0;
    bool root = length == 1;
    bool inside = real_folder && real && strncmp(real, real_folder, length) == 0 && (root || real[length] == '/');
    bool fits = real && is_such(last_part(real));
    if (real && (!inside || !fits)) {
        error_set(error, ERROR_INPUT, "%s: %.200s leads to %.500s, which is no %s beside the T1 file",
                  is_such == is_source_name ? "KernelFile" : "DataSource", name, real,
                  is_such == is_source_name ? "source" : "data");
        error_hint(error, "copy it into the T1 file's folder");
    }
    free(real_folder);
    free(real);
    return inside && fits;
}

/* The file's path, allocated, in `*path` if it is there. */
static bool find_at(const char *folder, const char *name, name_test *is_such, char **path, struct error *error)
{
    struct stat status;
    if (asprintf(path, "%s/%s", folder, name) < 0) {
        *path = NULL;
        return error_out_of_memory(error);
    }
    bool present = stat(*path, &status) == 0;
    if (present && check_place(folder, *path, name, is_such, error))
        return true;
    free(*path);
    *path = NULL;
    return !present;
}

static bool find(const char *t1_path, const char *wanted, name_test *is_such, char **path, struct error *error)
{
    const char *const names[] = {wanted, last_part(wanted)};
    char *copy = strdup(t1_path);
    bool done = copy || error_out_of_memory(error);
    *path = NULL;
    for (size_t i = 0; done && !*path && i < 2; i++)
        done = !stays_inside(names[i]) || find_at(dirname(strcpy(copy, t1_path)), names[i], is_such, path, error);
    free(copy);
    return done;
}

bool t1_beside_source(const char *t1_path, const char *kernel_file, char **path, struct input_file *source,
                      struct error *error)
{
    *path = NULL;
    *source = (struct input_file){.state = INPUT_ABSENT};
    if (!is_source_name(last_part(kernel_file))) {
        error_set(error, ERROR_INPUT, "KernelFile: %.200s has not the name of a source", kernel_file);
        return error_hint(error, "sources end in .cu, .cuh, .hip, .cpp, .h and the like");
    }
    if (!find(t1_path, kernel_file, is_source_name, path, error))
        return false;
    if (!*path)
        return true;
    input_file_read(*path, SOURCE_BYTES_MOST, source);
    return source->state == INPUT_READ || input_file_error(source, *path, error);
}

bool t1_beside_data(const char *t1_path, const char *data_source, char **path, struct error *error)
{
    *path = NULL;
    return !is_data_name(last_part(data_source)) || find(t1_path, data_source, is_data_name, path, error);
}
