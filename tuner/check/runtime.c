/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/runtime.h"

#include "tuner/check/program_output.h"
#include "tuner/device/cpu/toolchain.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GCC's name of it, and clang's. A compiler that does not have a file prints its name without a folder. */
static const char *const names[] = {
    "libasan.so",
#if defined(__x86_64__)
    "libclang_rt.asan-x86_64.so",
#elif defined(__aarch64__)
    "libclang_rt.asan-aarch64.so",
#endif
};

static bool ask(char *compiler, const char *name, char *path, size_t size)
{
    enum { SECONDS = 20 };
    char question[64], *answer = NULL;
    snprintf(question, sizeof question, "-print-file-name=%s", name);
    char *const arguments[] = {compiler, question, NULL};
    if (!program_output(arguments, NULL, SECONDS, &answer, NULL))
        return false;
    answer[strcspn(answer, "\n")] = '\0';
    snprintf(path, size, "%s", answer);
    free(answer);
    return path[0] == '/' && access(path, R_OK) == 0;
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
        if (strstr(names[i], "clang") && !clang)
            continue;
        if (!strstr(names[i], "clang") && clang)
            continue;
        if (ask(compiler, names[i], path, size))
            return true;
    }
    error_set(error, ERROR_WORK, "%s has no run time library of AddressSanitizer", compiler);
    return error_hint(error, "install it: apt-get install %s",
                      clang ? "libclang-rt-dev" : "g++ (or libgcc-N-dev, N being its version, which holds libasan)");
}
