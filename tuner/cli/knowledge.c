/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/knowledge.h"

#include "tuner/engine/rejudge.h"
#include "tuner/error/visible.h"
#include "tuner/lang/template.h"
#include "tuner/library/home.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

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

static void load_or_tell(struct store *store, const char *folder, const char *template_name, struct error *trouble)
{
    if (!folder || !load_shipped(store, folder, template_name, trouble))
        error_print(trouble, stderr);
}

static bool open_file(const char *file, const char *template_name, struct store **store, struct error *error)
{
    struct error trouble = {0};
    char *folder = shipped_folder(&trouble);
    bool opened = open_as_it_is(file, folder, template_name, store);
    if (!opened && store_open(file, false, store, error)) {
        opened = true;
        load_or_tell(*store, folder, template_name, &trouble);
    } else if (!opened) {
        opened = store_open(file, true, store, NULL);
    }
    free(folder);
    return opened;
}

/* What came with tune, and nothing else. */
static bool open_without_file(const char *file, const char *template_name, struct store **store, struct error *error)
{
    struct error trouble = {0};
    char *folder = shipped_folder(&trouble);
    bool opened = store_open_private(file, store, error);
    if (opened)
        load_or_tell(*store, folder, template_name, &trouble);
    free(folder);
    return opened;
}

static bool is_missing(const char *file)
{
    return access(file, F_OK) != 0 && errno == ENOENT;
}

bool knowledge_open(const char *path, struct store **store, struct error *error)
{
    char *file = store_default_path(path);
    if (!file)
        return error_out_of_memory(error);
    bool opened;
    if (!is_missing(file))
        opened = open_file(file, NULL, store, error);
    else if (path)
        opened = store_open(file, true, store, error);
    else
        opened = open_without_file(file, NULL, store, error);
    free(file);
    return opened;
}

bool knowledge_open_unloaded(const char *path, struct store **store, struct error *error)
{
    char *file = store_default_path(path);
    if (!file)
        return error_out_of_memory(error);
    bool opened = store_open(file, true, store, error);
    if (!opened && !is_missing(file)) /* its schema may be older */
        opened = store_open(file, false, store, error);
    free(file);
    return opened;
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
    if (store_is_private(*store))
        return rejudge(template, *store, error);
    if (!store_open(store_path(*store), false, &writable, error))
        return false;
    store_close(*store);
    *store = writable;
    return rejudge(template, writable, error);
}

static bool open_for(const char *path, const char *template_name, struct store **store, struct error *error)
{
    char *file = store_default_path(path);
    if (!file)
        return error_out_of_memory(error);
    bool missing = is_missing(file);
    if (missing && path)
        visible_printf(stderr, "tune: there is no database %s: what came with tune answers\n", path);
    bool opened = (missing ? open_without_file : open_file)(file, template_name, store, error);
    free(file);
    return opened;
}

bool knowledge_open_for(const struct template *template, const char *path, struct store **store, struct error *error)
{
    struct error trouble = {0};
    bool due = false;
    if (!open_for(path, template ? template->name : NULL, store, error))
        return false;
    if (template &&
        (!rejudge_due(template, *store, &due, &trouble) || (due && !rejudge_written(template, store, &trouble))))
        error_print(&trouble, stderr);
    return true;
}
