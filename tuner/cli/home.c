/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/home.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *path_join(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

bool path_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t length = strlen(text), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

bool path_is_meant(const char *argument, const char *suffix)
{
    return strchr(argument, '/') || strcmp(argument, ".") == 0 || strcmp(argument, "..") == 0 ||
           has_suffix(argument, suffix);
}

/* `folder` if it holds templates, else NULL; takes `folder` over. */
static char *home_if_there(char *folder)
{
    if (!folder)
        return NULL;
    char *templates = path_join(folder, "templates");
    bool there = templates && path_is_folder(templates);
    free(templates);
    if (there)
        return folder;
    free(folder);
    return NULL;
}

char *home_find(struct error *error)
{
    const char *chosen = getenv("TUNE_HOME");
    if (chosen && *chosen) {
        char *home = home_if_there(strdup(chosen));
        if (!home) {
            error_set(error, ERROR_INPUT, "$TUNE_HOME is '%s', which holds no folder 'templates'", chosen);
            error_hint(error, "unset TUNE_HOME, or let it name the folder that holds templates/ and spaces/");
        }
        return home;
    }

    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
        static const char *const beside[] = {"../share/tune", ".."};
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
            char *home = home_if_there(path_join(program, beside[i]));
            if (home) {
                char *plain = realpath(home, NULL);
                free(home);
                return plain;
            }
        }
    }

    char *home = home_if_there(strdup(TUNE_SOURCE_FOLDER));
    if (!home) {
        error_set(error, ERROR_SYSTEM, "the folder with templates/ and spaces/ is not there");
        error_hint(error, "let the environment variable TUNE_HOME name it");
    }
    return home;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The name to list for a directory entry, allocated; NULL if it is not of the kind that is asked for. */
static char *entry_name(const char *folder, const char *entry, const char *suffix)
{
    if (entry[0] == '.' || (suffix && !has_suffix(entry, suffix)))
        return NULL;
    char *path = path_join(folder, entry);
    bool wanted = path && (suffix ? path_is_file(path) : path_is_folder(path));
    free(path);
    return wanted ? strndup(entry, strlen(entry) - (suffix ? strlen(suffix) : 0)) : NULL;
}

bool names_list(const char *folder, const char *suffix, struct names *names, struct error *error)
{
    *names = (struct names){0};
    DIR *directory = opendir(folder);
    if (!directory)
        return true;
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        char *name = entry_name(folder, entry->d_name, suffix);
        if (!name)
            continue;
        char **grown = realloc(names->list, (names->count + 1) * sizeof *grown);
        if (!grown) {
            free(name);
            closedir(directory);
            names_free(names);
            return error_out_of_memory(error);
        }
        names->list = grown;
        names->list[names->count++] = name;
    }
    closedir(directory);
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, compare_names);
    return true;
}

void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (struct names){0};
}

void names_text(const struct names *names, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < names->count && used < size; i++) {
        int written = snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", names->list[i]);
        if (written < 0)
            return;
        used += (size_t)written;
    }
}
