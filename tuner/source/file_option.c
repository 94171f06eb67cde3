/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/file_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer beginnings stand before those that they begin with. */
static const struct {
    const char *start;
    enum file_option use;
} starts[] = {
    {"--include-path", OPTION_FOLDER},
    {"--include-directory", OPTION_FOLDER},
    {"-include-path", OPTION_FOLDER},
    {"-iquote", OPTION_FOLDER},
    {"-isystem", OPTION_FOLDER},
    {"-idirafter", OPTION_FOLDER},
    {"--isystem", OPTION_FOLDER},
    {"-isysroot", OPTION_OPAQUE},
    {"-I", OPTION_FOLDER},
    {"--pre-include", OPTION_FILE},
    {"-pre-include", OPTION_FILE},
    {"--include", OPTION_FILE},
    {"-include-pch", OPTION_OPAQUE},
    {"-include", OPTION_FILE},
    {"--imacros", OPTION_FILE},
    {"-imacros", OPTION_FILE},
    {"-i", OPTION_OPAQUE},
    {"--i", OPTION_OPAQUE},
    {"-lineinfo", OPTION_PLAIN},
    {"-Xptxas", OPTION_PLAIN},
    {"-L", OPTION_OPAQUE},
    {"-l", OPTION_OPAQUE},
    {"-B", OPTION_OPAQUE},
    {"-Wa,", OPTION_OPAQUE},
    {"-Wl,", OPTION_OPAQUE},
    {"-Wp,", OPTION_OPAQUE},
    {"-X", OPTION_OPAQUE},
    {"--pch", OPTION_OPAQUE},
    {"-pch", OPTION_OPAQUE},
    {"--use-pch", OPTION_OPAQUE},
    {"-use-pch", OPTION_OPAQUE},
    {"--create-", OPTION_OPAQUE},
    {"-create-", OPTION_OPAQUE},
    {"--sys", OPTION_OPAQUE},
    {"-specs", OPTION_OPAQUE},
    {"--specs", OPTION_OPAQUE},
    {"-fplugin", OPTION_OPAQUE},
    {"-fprofile", OPTION_OPAQUE},
    {"-fauto-profile", OPTION_OPAQUE},
    {"-fbranch", OPTION_OPAQUE},
    {"-fmodules", OPTION_OPAQUE},
    {"-save-temps", OPTION_OPAQUE},
    {"--time", OPTION_OPAQUE},
    {"-time", OPTION_OPAQUE},
    {"-M", OPTION_OPAQUE},
    {"-x", OPTION_OPAQUE},
    {"@", OPTION_OPAQUE},
};

enum file_option file_option_classify(const char *option, const char **path)
{
    *path = "";
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t length = strlen(starts[i].start);
        if (strncmp(option, starts[i].start, length) != 0)
            continue;
        *path = option + length;
        *path += **path == '=';
        return starts[i].use;
    }
    return strchr(option, '/') ? OPTION_OPAQUE : OPTION_PLAIN;
}

char *file_option_in(const char *option, const char *folder)
{
    const char *path;
    char *joined;
    enum file_option use = file_option_classify(option, &path);
    if ((use != OPTION_FOLDER && use != OPTION_FILE) || *path == '/' || !*path || !*folder)
        return strdup(option);
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (asprintf(&joined, "%.*s%s%s%s", (int)(path - option), option, folder, slash, path) < 0)
        return NULL;
    return joined;
}
