/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/home.h"

#include "tuner/error/text_stream.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static char *chosen_home(const char *chosen, struct error *error)
{
    char *home;
    if (try_home(strdup(chosen), &home, error) && !home) {
        error_set(error, ERROR_INPUT, "%s holds no folder 'templates'", chosen);
        error_hint(error, "name the folder that holds templates/ and spaces/");
    }
    return home;
}

/* The folder that $TUNE_HOME names. */
static char *named_home(const char *chosen, struct error *error)
{
    char *home;
    if (try_home(strdup(chosen), &home, error) && !home) {
        error_set(error, ERROR_INPUT, "$TUNE_HOME is '%s', which holds no folder 'templates'", chosen);
        error_hint(error, "unset TUNE_HOME, or set it to the folder that holds templates/ and spaces/");
    }
    return home;
}

/* The file that this code is in, a program or a shared library; NULL: it has no name. The dynamic linker has none for
 * the program itself. */
static char *own_file(void)
{
    static const char here;
    Dl_info info;
    struct link_map *object = NULL;
    bool found = dladdr1(&here, &info, (void **)&object, RTLD_DL_LINKMAP) != 0;
    return realpath(found && object && object->l_name[0] ? object->l_name : "/proc/self/exe", NULL);
}

/* Beside or above that file; `*home` is NULL if it is in neither place. */
static bool find_near(char **home, struct error *error)
{
    static const char *const places[] = {"../share/tune", "../../share/tune", ".."};
    char *folder = own_file();
    char *slash = folder ? strrchr(folder, '/') : NULL;
    bool done = true;
    *home = NULL;
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && done && !*home && i < sizeof places / sizeof *places; i++)
        done = try_home(path_join(folder, places[i]), home, error);
    free(folder);
    if (!*home)
        return done;
    char *plain = realpath(*home, NULL);
    free(*home);
    *home = plain;
    return plain || error_set(error, ERROR_SYSTEM, "cannot resolve the folder of templates: %s", strerror(errno));
}

char *home_find(const char *chosen, struct error *error)
{
    if (chosen)
        return chosen_home(chosen, error);
    chosen = getenv("TUNE_HOME");
    if (chosen && *chosen)
        return named_home(chosen, error);
    char *home;
    if (!find_near(&home, error))
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
