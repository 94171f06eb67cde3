/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/select/site.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

bool site_note(struct site *site, const struct error *trouble, struct error *error)
{
    if (trouble->code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    if (site->refused++ == 0)
        site->trouble = *trouble;
    return true;
}

/* Takes the store, also if it fails. */
static bool add(struct site *site, struct store *store, struct error *error)
{
    struct store **more = realloc(site->stores, (site->count + 1) * sizeof *more);
    if (!more) {
        store_close(store);
        return error_out_of_memory(error);
    }
    site->stores = more;
    site->stores[site->count++] = store;
    return true;
}

static bool add_database(struct site *site, const char *path, struct error *error)
{
    struct store *store;
    struct error trouble = {0};
    return store_open_untouched(path, &store, &trouble) ? add(site, store, error) : site_note(site, &trouble, error);
}

/* The files of known results, all in one database of our own. */
static bool add_known(struct site *site, const char *path, struct error *error)
{
    struct store *store;
    struct error trouble = {0};
    if (!store_open_private(path, &store, error))
        return false;
    bool loaded = store_known_load(store, path, &trouble);
    return add(site, store, error) && (loaded || site_note(site, &trouble, error));
}

static int is_database(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && has_ending(entry->d_name, ".db");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool note_system(struct site *site, const char *what, const char *path, struct error *error)
{
    struct error trouble = {0};
    error_set(&trouble, errno == ENOMEM ? ERROR_OUT_OF_MEMORY : ERROR_SYSTEM, "cannot read %s%s: %s", what, path,
              strerror(errno));
    return site_note(site, &trouble, error);
}

static bool note_surplus(struct site *site, const char *path, struct error *error)
{
    struct error trouble = {0};
    error_set(&trouble, ERROR_INPUT, "%s is not read: a folder has at most %d databases, which 'tune merge' can join",
              path, SITE_DATABASES_MOST);
    return site_note(site, &trouble, error);
}

static bool add_folder(struct site *site, const char *path, struct error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_database, by_name);
    if (count < 0)
        return note_system(site, "the folder ", path, error);
    bool done = add_known(site, path, error);
    for (int i = 0; i < count; i++) {
        char *file = NULL;
        if (done && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0) {
            file = NULL;
            done = error_out_of_memory(error);
        }
        done = done && (i < SITE_DATABASES_MOST ? add_database : note_surplus)(site, file, error);
        free(file);
        free(entries[i]);
    }
    free(entries);
    return done;
}

bool site_open(const char *path, struct site *site, struct error *error)
{
    struct stat status;
    *site = (struct site){0};
    if (!path || !*path)
        return true;
    if (stat(path, &status) != 0)
        return note_system(site, "", path, error);
    if (S_ISDIR(status.st_mode))
        return add_folder(site, path, error);
    return (has_ending(path, ".json") ? add_known : add_database)(site, path, error);
}

void site_close(struct site *site)
{
    for (size_t i = 0; i < site->count; i++)
        store_close(site->stores[i]);
    free(site->stores);
    *site = (struct site){0};
}
