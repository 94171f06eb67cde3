/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/named.h"

#include "tuner/library/home.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool unknown_template(const char *argument, const char *folder, struct error *error)
{
    struct names names;
    if (!names_list(folder, NULL, &names, error))
        return false;
    error_set(error, ERROR_INPUT, "there is no template '%s'", argument);
    const char *nearest = error_nearest(argument, (const char *const *)names.list, names.count);
    char *list = names_text(&names);
    if (path_is_folder(argument))
        error_hint(error, "to use the folder of that name here, write ./%s", argument);
    else if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else
        error_hint(error, "choose %s, or the path of a folder of your own", list ? list : "one of 'tune list'");
    free(list);
    names_free(&names);
    return false;
}

bool template_named(const char *name, const char *home, struct template **template, struct error *error)
{
    if (path_is_meant(name, ".template"))
        return template_read(name, template, error);

    bool read = false;
    char *folder = path_join(home, "templates");
    char *path = folder ? path_join(folder, name) : NULL;
    if (!path)
        error_out_of_memory(error);
    else if (!path_is_folder(path))
        unknown_template(name, folder, error);
    else
        read = template_read(path, template, error);
    free(path);
    free(folder);
    return read;
}

/* FOLDER/spaces/NAME for FOLDER/templates/NAME, as shipped and imported templates have it; `*folder` is NULL where
 * there is none. */
static bool sibling_folder(const struct template *template, char **folder)
{
    *folder = NULL;
    char *real = realpath(template->folder, NULL), *path = NULL;
    if (!real)
        return true;
    char *name = strrchr(real, '/');
    *name = '\0';
    char *above = strrchr(real, '/');
    bool has_sibling = above && strcmp(above + 1, "templates") == 0;
    int length = 0;
    if (has_sibling) {
        *above = '\0';
        length = asprintf(&path, "%s/spaces/%s", real, name + 1);
    }
    free(real);
    if (length < 0)
        return false;
    if (has_sibling && access(path, F_OK) == 0)
        *folder = path;
    else
        free(path);
    return true;
}

char *template_space_folder(const struct template *template, struct error *error)
{
    char *folder;
    if (!sibling_folder(template, &folder) || (!folder && !(folder = strdup(template->folder))))
        error_out_of_memory(error);
    return folder;
}

static bool unknown_space(const char *argument, const char *folder, const struct names *names, struct error *error)
{
    error_set(error, ERROR_INPUT, "there is no space '%s' in %s", argument, folder);
    const char *nearest = error_nearest(argument, (const char *const *)names->list, names->count);
    char *list = names_text(names);
    if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    else if (names->count && list)
        error_hint(error, "choose %s", list);
    else
        error_hint(error, "use the path of a .space file");
    free(list);
    return false;
}

/* The space to use when none is named; NULL with an error where that is not clear. */
static const char *default_space(const struct template *template, const struct names *names, struct error *error)
{
    if (template->default_space)
        return template->default_space;
    if (names->count == 1)
        return names->list[0];
    char *list = names_text(names);
    error_set(error, ERROR_INPUT, "template %s names no default space", template->name);
    if (names->count && list)
        error_hint(error, "choose one with --space: %s", list);
    else
        error_hint(error, "choose one with --space FILE");
    free(list);
    return NULL;
}

bool space_named(const char *name, const struct template *template, struct space **space, struct error *error)
{
    if (name && path_is_meant(name, ".space"))
        return space_read(name, template, space, error);

    bool read = false;
    char *path = NULL;
    struct names names = {0};
    char *folder = template_space_folder(template, error);
    if (!folder || !names_list(folder, ".space", &names, error))
        goto done;
    if (!name && !(name = default_space(template, &names, error)))
        goto done;
    if (asprintf(&path, "%s/%s.space", folder, name) < 0) {
        path = NULL;
        error_out_of_memory(error);
    } else if (!path_is_file(path)) {
        unknown_space(name, folder, &names, error);
    } else {
        read = space_read(path, template, space, error);
    }
done:
    free(path);
    names_free(&names);
    free(folder);
    return read;
}
