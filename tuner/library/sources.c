/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/sources.h"

#include "tuner/error/input_file.h"
#include "tuner/library/home.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* False: memory ran out; anything else is noted. */
static bool note(struct tune *tune, const struct error *trouble, struct error *error)
{
    if (trouble->code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    handle_note(tune, TUNE_ERROR_DATABASE, trouble);
    return true;
}

/* ---- the user's database */

/* Nothing was stored yet. */
static bool is_absent(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno == ENOENT;
    return S_ISREG(status.st_mode) && status.st_size == 0;
}

static bool read_database(struct tune *tune, source_visitor *visit, void *context, bool *changed,
                          struct error *trouble)
{
    struct store *store;
    *changed = false;
    if (!store_open_untouched(tune->database, &store, trouble))
        return false;
    bool done = visit(store, false, context, trouble);
    *changed = !store_is_unchanged(store);
    store_close(store);
    return done;
}

/* Where nobody is writing the file is read without locks; if somebody began to, what was read may not fit together,
 * and is read again. What is there twice then does no harm. */
static bool visit_database(struct tune *tune, source_visitor *visit, void *context, struct error *error)
{
    enum { ATTEMPTS = 3 };
    struct error trouble = {0};
    bool done = is_absent(tune->database), changed = !done;
    for (int i = 0; i < ATTEMPTS && changed; i++)
        done = read_database(tune, visit, context, &changed, &trouble);
    return done || note(tune, &trouble, error);
}

/* ---- the site */

static bool visit_site(struct tune *tune, source_visitor *visit, void *context, struct error *error)
{
    struct site site;
    bool done = site_open(tune->site, &site, error);
    for (size_t i = 0; i < site.count && done; i++) {
        struct error trouble = {0};
        done = visit(site.stores[i], true, context, &trouble) || note(tune, &trouble, error);
    }
    done = done && (site.refused == 0 || note(tune, &site.trouble, error));
    site_close(&site);
    return done;
}

bool sources_visit(struct tune *tune, source_visitor *visit, void *context, struct error *error)
{
    struct error trouble = {0};
    tune->looked = true;
    if (tune->known)
        return visit(tune->known, false, context, &trouble) || note(tune, &trouble, error);
    return visit_database(tune, visit, context, error) && visit_site(tune, visit, context, error);
}

/* ---- what came with tune */

/* Does the file speak of this version? */
static bool mentions(const char *path, const char *template_hash)
{
    enum { FILE_MOST = 64 << 20 };
    struct input_file file;
    input_file_read(path, FILE_MOST, &file);
    bool found = file.state == INPUT_READ && memmem(file.bytes, file.length, template_hash, strlen(template_hash));
    if (file.state == INPUT_READ)
        free(file.bytes);
    return found;
}

static bool add_file(struct tune *tune, const char *path, struct store **store, struct error *error)
{
    struct error trouble = {0};
    if (!*store && !store_open_private("(what came with tune)", store, error))
        return false;
    return store_known_load(*store, path, &trouble) || note(tune, &trouble, error);
}

bool sources_visit_shipped(struct tune *tune, const char *template_hash, source_visitor *visit, void *context,
                           struct error *error)
{
    struct names names = {0};
    struct store *store = NULL;
    if (tune->known)
        return true;
    char *folder = path_join(tune->home, "db/known");
    bool done = folder ? names_list(folder, ".json", &names, error) : error_out_of_memory(error);
    for (size_t i = 0; i < names.count && done; i++) {
        char *path;
        if (asprintf(&path, "%s/%s.json", folder, names.list[i]) < 0) {
            done = error_out_of_memory(error);
            break;
        }
        done = !mentions(path, template_hash) || add_file(tune, path, &store, error);
        free(path);
    }
    if (done && store) {
        struct error trouble = {0};
        done = visit(store, false, context, &trouble) || note(tune, &trouble, error);
    }
    store_close(store);
    names_free(&names);
    free(folder);
    return done;
}
