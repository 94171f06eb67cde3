/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/source_folders.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool has(const struct source_folders *folders, const char *path)
{
    for (size_t i = 0; i < folders->count; i++) {
        if (strcmp(folders->paths[i], path) == 0)
            return true;
    }
    return false;
}

static bool append(struct source_folders *folders, const char *path, struct error *error)
{
    char **paths = realloc(folders->paths, (folders->count + 1) * sizeof *paths);
    if (!paths)
        return error_out_of_memory(error);
    folders->paths = paths;
    paths[folders->count] = strdup(path);
    if (!paths[folders->count])
        return error_out_of_memory(error);
    folders->count++;
    return true;
}

/* Add a folder, or the one that the file is really in. */
static bool add(struct source_folders *folders, const char *path, struct error *error)
{
    char real[PATH_MAX];
    struct stat status;
    if (!realpath(path, real) || stat(real, &status) != 0)
        return true;
    char *slash = S_ISDIR(status.st_mode) ? NULL : strrchr(real, '/');
    if (slash)
        *slash = '\0';
    return !real[0] || has(folders, real) || append(folders, real, error);
}

static bool add_file(struct source_folders *folders, const struct template *template, const char *name,
                     struct error *error)
{
    char path[PATH_MAX];
    if (!name || snprintf(path, sizeof path, "%s/%s", template->folder, name) >= (int)sizeof path)
        return true;
    return add(folders, path, error);
}

/* -I../include, -include=common.h, --pre-include /opt/common.h: what follows the name, if there is such a path. */
static bool add_option(struct source_folders *folders, const char *option, struct error *error)
{
    const char *const starts[] = {strncmp(option, "-I", 2) == 0 ? option + 2 : NULL, strchr(option, '='),
                                  strchr(option, '/'), option};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *path = starts[i];
        if (!path)
            continue;
        path += strspn(path, "= ");
        if (*path && !add(folders, path, error))
            return false;
    }
    return true;
}

/* A file stands for itself, not for its folder. */
static bool add_data(struct source_folders *folders, const char *path, struct error *error)
{
    return has(folders, path) || append(folders, path, error);
}

bool source_folders_add(struct source_folders *folders, const struct inputs *inputs, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < inputs_count(inputs); i++)
        done = add_data(folders, inputs->list[i].file->path, error);
    return done;
}

bool source_folders_find(const struct template *template, const struct inputs *inputs, struct source_folders *folders,
                         struct error *error)
{
    *folders = (struct source_folders){0};
    bool done = add(folders, template->folder, error) && add_file(folders, template, template->setup.file, error) &&
                add_file(folders, template, template->reference.file, error) &&
                add_file(folders, template, template->verify.file, error);
    for (size_t i = 0; done && i < template->source_count; i++)
        done = add_file(folders, template, template->sources[i].file, error);
    for (size_t i = 0; done && i < template->option_count; i++)
        done = add_option(folders, template->options[i].text, error);
    done = done && source_folders_add(folders, inputs, error);
    if (!done)
        source_folders_clear(folders);
    return done;
}

void source_folders_clear(struct source_folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
    free(folders->paths);
    *folders = (struct source_folders){0};
}
