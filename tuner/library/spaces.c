/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/spaces.h"

#include "tuner/library/home.h"
#include "tuner/library/named.h"

#include <stdlib.h>
#include <string.h>

static int rank(const char *name, const char *default_space)
{
    if (strcmp(name, "full") == 0)
        return 0;
    return default_space && strcmp(name, default_space) == 0 ? 1 : 2;
}

static void arrange(struct names *names, const char *default_space)
{
    for (size_t i = 1; i < names->count; i++) {
        char *name = names->list[i];
        size_t at = i;
        for (; at > 0 && rank(names->list[at - 1], default_space) > rank(name, default_space); at--)
            names->list[at] = names->list[at - 1];
        names->list[at] = name;
    }
}

static bool read_one(const char *folder, const char *name, struct spaces *spaces, struct error *error)
{
    struct error own = {0};
    char *path;
    if (asprintf(&path, "%s/%s.space", folder, name) < 0)
        return error_out_of_memory(error);
    if (space_read(path, spaces->template, &spaces->list[spaces->count], &own))
        spaces->count++;
    free(path);
    return own.code != ERROR_OUT_OF_MEMORY || error_out_of_memory(error);
}

bool spaces_read(const struct template *template, struct spaces *spaces, struct error *error)
{
    struct names names = {0};
    *spaces = (struct spaces){.template = template};
    char *folder = template_space_folder(template, error);
    bool done = folder && names_list(folder, ".space", &names, error);
    if (done) {
        arrange(&names, template->default_space);
        spaces->list = calloc(names.count + 1, sizeof(struct space *));
        done = spaces->list || error_out_of_memory(error);
    }
    for (size_t i = 0; i < names.count && done; i++)
        done = read_one(folder, names.list[i], spaces, error);
    names_free(&names);
    free(folder);
    return done;
}

static bool has_member(const struct space *space, const char *path)
{
    bool has = false;
    for (size_t i = 0; i < space->member_count && !has; i++)
        has = strcmp(space->members[i]->path, path) == 0 || has_member(space->members[i], path);
    return has;
}

bool spaces_is_covered(const struct spaces *spaces, size_t index)
{
    bool covered = false;
    for (size_t i = 0; i < index && !covered; i++)
        covered = has_member(spaces->list[i], spaces->list[index]->path);
    return covered;
}

void spaces_clear(struct spaces *spaces)
{
    for (size_t i = 0; i < spaces->count; i++)
        space_free(spaces->list[i]);
    free(spaces->list);
    *spaces = (struct spaces){0};
}
