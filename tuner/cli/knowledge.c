/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/knowledge.h"

#include "tuner/engine/rejudge.h"
#include "tuner/lang/template.h"
#include "tuner/library/home.h"

#include <stdlib.h>

/* The folder of the shipped files; NULL: there is none, or an error. Allocated. */
static char *shipped_folder(struct error *error)
{
    char *home = home_find(NULL, error);
    char *folder = home ? path_join(home, "db/known") : NULL;
    if (home && !folder)
        error_out_of_memory(error);
    free(home);
    return folder;
}

/* Of one template; NULL: of all. */
static bool load_shipped(struct store *store, const char *folder, const char *template_name, struct error *error)
{
    return !path_is_folder(folder) || store_known_load_of(store, folder, template_name, error);
}

/* A database that has the shipped files is only read. */
static bool open_as_it_is(const char *file, const char *folder, const char *template_name, struct store **store)
{
    if (!folder || !store_open(file, true, store, NULL))
        return false;
    if (load_shipped(*store, folder, template_name, NULL))
        return true;
    store_close(*store);
    return false;
}

static bool open_knowledge(const char *path, const char *template_name, struct store **store, struct error *error)
{
    struct error trouble = {0};
    char *file = store_default_path(path);
    if (!file)
        return error_out_of_memory(error);
    char *folder = shipped_folder(&trouble);
    bool opened = open_as_it_is(file, folder, template_name, store);
    if (!opened && store_open(file, false, store, error)) {
        opened = true;
        if (!folder || !load_shipped(*store, folder, template_name, &trouble))
            error_print(&trouble, stderr);
    } else if (!opened) {
        opened = store_open(file, true, store, NULL);
    }
    free(folder);
    free(file);
    return opened;
}

bool knowledge_open(const char *path, struct store **store, struct error *error)
{
    return open_knowledge(path, NULL, store, error);
}

bool knowledge_open_to_write(const char *path, struct store **store, struct error *error)
{
    char *file = store_default_path(path);
    if (!file)
        return error_out_of_memory(error);
    bool opened = store_open(file, false, store, error);
    free(file);
    return opened;
}

/* Open it again to write; `*store` stays as it is where that cannot be done. */
static bool rejudge_written(const struct template *template, struct store **store, struct error *error)
{
    struct store *writable;
    if (!store_open(store_path(*store), false, &writable, error))
        return false;
    store_close(*store);
    *store = writable;
    return rejudge(template, writable, error);
}

bool knowledge_open_for(const struct template *template, const char *path, struct store **store, struct error *error)
{
    struct error trouble = {0};
    bool due = false;
    if (!open_knowledge(path, template ? template->name : NULL, store, error))
        return false;
    if (template &&
        (!rejudge_due(template, *store, &due, &trouble) || (due && !rejudge_written(template, store, &trouble))))
        error_print(&trouble, stderr);
    return true;
}
