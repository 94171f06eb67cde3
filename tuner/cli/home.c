/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/home.h"

#include "tuner/error/text_stream.h"

#include <dirent.h>
#include <errno.h>
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

/* Takes ownership of `folder` (NULL: out of memory). `*home` becomes `folder` if that holds templates, else NULL. */
static bool try_home(char *folder, char **home, struct error *error)
{
    *home = NULL;
    char *templates = folder ? path_join(folder, "templates") : NULL;
    if (!templates) {
        free(folder);
        return error_out_of_memory(error);
    }
    if (path_is_folder(templates))
        *home = folder;
    else
        free(folder);
    free(templates);
    return true;
}

/* The folder that $TUNE_HOME names. */
static char *chosen_home(const char *chosen, struct error *error)
{
    char *home;
    if (try_home(strdup(chosen), &home, error) && !home) {
        error_set(error, ERROR_INPUT, "$TUNE_HOME is '%s', which holds no folder 'templates'", chosen);
        error_hint(error, "unset TUNE_HOME, or set it to the folder that holds templates/ and spaces/");
    }
    return home;
}

/* Beside or above the program; `*home` is NULL if it is in neither place. */
static bool find_near_program(char **home, struct error *error)
{
    static const char *const places[] = {"../share/tune", ".."};
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    *home = NULL;
    if (length <= 0)
        return true;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; !*home && i < sizeof places / sizeof *places; i++) {
        if (!try_home(path_join(program, places[i]), home, error))
            return false;
    }
    if (!*home)
        return true;
    char *plain = realpath(*home, NULL);
    free(*home);
    *home = plain;
    return plain || error_set(error, ERROR_SYSTEM, "cannot resolve the folder of templates: %s", strerror(errno));
}

char *home_find(struct error *error)
{
    const char *chosen = getenv("TUNE_HOME");
    if (chosen && *chosen)
        return chosen_home(chosen, error);
    char *home;
    if (!find_near_program(&home, error))
        return NULL;
    if (!home && try_home(strdup(TUNE_SOURCE_FOLDER), &home, error) && !home) {
        error_set(error, ERROR_SYSTEM, "cannot find the folder with templates/ and spaces/");
        error_hint(error, "set the environment variable TUNE_HOME to it");
    }
    return home;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Is this entry of the kind that is listed? */
static bool is_listed(const char *path, const char *entry, const char *suffix)
{
    if (entry[0] == '.' || (suffix && !has_suffix(entry, suffix)))
        return false;
    return suffix ? path_is_file(path) : path_is_folder(path);
}

/* Takes ownership of `name`. */
static bool append_name(struct names *names, char *name)
{
    char **grown = name ? realloc(names->list, (names->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(name);
        return false;
    }
    names->list = grown;
    names->list[names->count++] = name;
    return true;
}

static bool add_entry(struct names *names, const char *folder, const char *entry, const char *suffix)
{
    char *path = path_join(folder, entry);
    if (!path)
        return false;
    bool listed = is_listed(path, entry, suffix);
    free(path);
    return !listed || append_name(names, strndup(entry, strlen(entry) - (suffix ? strlen(suffix) : 0)));
}

bool names_list(const char *folder, const char *suffix, struct names *names, struct error *error)
{
    *names = (struct names){0};
    DIR *directory = opendir(folder);
    if (!directory)
        return true;
    struct dirent *entry;
    bool done = true;
    while (done && (entry = readdir(directory)))
        done = add_entry(names, folder, entry->d_name, suffix);
    closedir(directory);
    if (!done) {
        names_free(names);
        return error_out_of_memory(error);
    }
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

char *names_text(const struct names *names)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        fprintf(stream.out, "%s%s", i ? ", " : "", names->list[i]);
    return text_stream_close(&stream, NULL);
}
