/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/toolchain.h"

#include "tuner/device/cpu/child.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VERSION_LIMIT = 4096, ATTEMPTS = 3 };

bool toolchain_find(char *path, size_t bytes, struct error *error)
{
    static const char *const names[] = {"g++", "c++", "clang++"};
    const char *chosen = getenv("TUNE_CXX");
    if (chosen && *chosen) {
        bool is_path = strchr(chosen, '/') != NULL;
        if (is_path)
            snprintf(path, bytes, "%s", chosen);
        if (is_path ? access(chosen, X_OK) == 0 : child_find(chosen, path, bytes))
            return true;
        return error_set(error, ERROR_WORK, "cannot run the C++ compiler '%s' (from TUNE_CXX)", chosen);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (child_find(names[i], path, bytes))
            return true;
    }
    error_set(error, ERROR_WORK, "the CPU device needs a C++ compiler, but there is none on PATH");
    return error_hint(error, "install g++ (apt-get install g++), or set TUNE_CXX to a compiler");
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The last word of "g++ (Debian 12.2.0-14+deb12u1) 12.2.0", the one after "version" in "Debian clang version 14.0.6".
 */
static void parse_version(const char *name, char *line, char *version, size_t bytes)
{
    line[strcspn(line, "\r\n")] = '\0';
    const char *clang = strstr(line, "clang version ");
    if (clang) {
        const char *number = clang + strlen("clang version ");
        snprintf(version, bytes, "clang++ %.*s", (int)strcspn(number, " "), number);
    } else if (*line) {
        const char *last = strrchr(line, ' ');
        snprintf(version, bytes, "%s %s", name, last ? last + 1 : line);
    }
}

/* Results are stored under this version, so a compiler that somebody killed is asked again. */
static bool ask_version(const char *path, int output, int *status, struct error *error)
{
    const char *const arguments[] = {path, "--version", NULL};
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!child_run(arguments, "/tmp", output, status, error))
            return false;
        if (!WIFSIGNALED(*status))
            break;
    }
    return true;
}

bool toolchain_version(char *version, size_t bytes, struct error *error)
{
    char path[PATH_MAX], text[VERSION_LIMIT];
    struct error failure = {0};
    version[0] = '\0';
    if (!toolchain_find(path, sizeof path, NULL))
        return true;
    int output = memfd_create("version", MFD_CLOEXEC), status = 0;
    if (output < 0)
        return error_set(error, ERROR_SYSTEM, "cannot read the compiler's version: %s", strerror(errno));
    if (!ask_version(path, output, &status, &failure)) {
        close(output);
        if (error && error_is_of_machine(&failure))
            *error = failure;
        return !error_is_of_machine(&failure);
    }
    ssize_t got = child_succeeded(status) ? pread(output, text, sizeof text - 1, 0) : 0;
    if (got > 0) {
        text[got] = '\0';
        parse_version(base_name(path), text, version, bytes);
    }
    close(output);
    return true;
}
