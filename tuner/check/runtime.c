/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/runtime.h"

#include "tuner/check/program_output.h"
#include "tuner/device/cpu/toolchain.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GCC's name for it, and clang's. */
static const char *const names[] = {
    "libasan.so",
#if defined(__x86_64__)
    "libclang_rt.asan-x86_64.so",
#elif defined(__aarch64__)
    "libclang_rt.asan-aarch64.so",
#endif
};

/* A compiler that lacks the file prints its bare name; then the path is left empty. */
static bool ask(char *compiler, const char *name, char *path, size_t size, struct error *error)
{
    enum { SECONDS = 20 };
    char question[64], *answer = NULL;
    snprintf(question, sizeof question, "-print-file-name=%s", name);
    char *const arguments[] = {compiler, question, NULL};
    path[0] = '\0';
    if (!program_output(arguments, NULL, SECONDS, &answer, error))
        return false;
    answer[strcspn(answer, "\n")] = '\0';
    if (answer[0] == '/' && access(answer, R_OK) == 0)
        snprintf(path, size, "%s", answer);
    free(answer);
    return true;
}

bool runtime_find(char *path, size_t size, struct error *error)
{
    char compiler[PATH_MAX], version[64];
    if (!toolchain_find(compiler, sizeof compiler, error))
        return false;
    if (!toolchain_version(version, sizeof version, error))
        return false;
    bool clang = strstr(version, "clang") != NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (clang != (strstr(names[i], "clang") != NULL))
            continue;
        if (!ask(compiler, names[i], path, size, error))
            return false;
        if (path[0])
            return true;
    }
    error_set(error, ERROR_WORK, "%s has no AddressSanitizer runtime library", compiler);
    return error_hint(error, "install it: apt-get install %s",
                      clang ? "libclang-rt-dev" : "g++ (or libgcc-N-dev, N being its version, which holds libasan)");
}
