/* SPDX-License-Identifier: Apache-2.0 */
/* Load files of known results: shipped ones and a site's each content once, imported ones as often as somebody likes.
 */
#include "db/known_read.h"

#include "tuner/error/input_file.h"
#include "tuner/json/json_text.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { FILE_MOST = 64 << 20 };

static void hash_of(const char *text, size_t length, char hash[33])
{
    XXH128_hash_t both = XXH3_128bits(text, length);
    snprintf(hash, 33, "%016llx%016llx", (unsigned long long)both.high64, (unsigned long long)both.low64);
}

static bool is_loaded(struct store *store, const char *hash, bool *loaded, struct error *error)
{
    struct query query;
    if (!query_open_kept(&query, store, "SELECT count(*) FROM known_file WHERE hash = ?", error))
        return false;
    query_bind_text(&query, hash);
    int64_t count = 0;
    bool done = query_integer(&query, "answer", &count, error);
    *loaded = count > 0;
    return done;
}

/* `added` is false if another program has loaded this content meanwhile. */
static bool remember(struct store *store, const char *hash, const char *name, bool *added, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "INSERT INTO known_file (hash, name, loaded_at) "
                    "VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ON CONFLICT DO NOTHING",
                    error))
        return false;
    query_bind_text(&query, hash);
    query_bind_text(&query, name);
    bool done = query_run(&query, error);
    *added = sqlite3_changes(store->sqlite) > 0;
    return done;
}

/* One file, in one transaction; with `hash` (else NULL) it is remembered, and nothing is done if another program has
 * loaded it meanwhile. */
static bool load_text(struct known_reading *reading, const char *hash, struct error *error)
{
    const char *slash = strrchr(reading->path, '/');
    struct store *store = reading->store;
    json_t *json;
    if (!json_parse(reading->text, reading->length, JSON_REJECT_DUPLICATES, reading->path,
                    "not a file of known results", &json, error))
        return false;
    bool done = transaction_begin(store, error);
    if (done) {
        bool added = true;
        done = (!hash || remember(store, hash, slash ? slash + 1 : reading->path, &added, error)) &&
               (!added || known_read(reading, json, error));
        done = transaction_end(store, done, error);
    }
    json_decref(json);
    return done;
}

bool store_known_is(const char *text, size_t length)
{
    static const char *const names[] = {"format", "template_hash", "problems"};
    bool is = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && is; i++) {
        const struct json_step step = {.name = names[i]};
        size_t offset, span;
        is = json_find(text, length, &step, 1, &offset, &span);
    }
    return is;
}

bool store_known_import(struct store *store, const char *path, const char *text, size_t length,
                        store_known_refusal *refuse, void *context, struct store_known_counts *counts,
                        struct error *error)
{
    struct known_reading reading = {.store = store,
                                    .origin = ORIGIN_IMPORTED,
                                    .path = path,
                                    .text = text,
                                    .length = length,
                                    .refuse = refuse,
                                    .context = context};
    bool done = load_text(&reading, NULL, error);
    *counts = reading.counts;
    return done;
}

/* The first entry that is refused. */
static void note_refusal(const struct error *why, void *context)
{
    struct error *first = context;
    if (first->code == ERROR_NONE)
        *first = *why;
}

/* False: nothing of the file is there, or not all of it. */
static bool load_path(struct store *store, const char *path, struct error *error)
{
    struct input_file file;
    struct error refused = {0};
    char hash[33];
    bool loaded = false;
    input_file_read(path, FILE_MOST, &file);
    if (file.state != INPUT_READ)
        return input_file_error(&file, path, error);
    hash_of(file.bytes, file.length, hash);
    struct known_reading reading = {.store = store,
                                    .origin = ORIGIN_SHIPPED,
                                    .path = path,
                                    .text = file.bytes,
                                    .length = file.length,
                                    .refuse = note_refusal,
                                    .context = &refused};
    bool done = is_loaded(store, hash, &loaded, error) && (loaded || load_text(&reading, hash, error));
    free(file.bytes);
    if (!done || refused.code == ERROR_NONE)
        return done;
    if (error)
        *error = refused;
    return error_hint(error, "%zu of its entries %s left out, the others are known", reading.counts.refused,
                      reading.counts.refused == 1 ? "is" : "are");
}

static bool load_file(struct store *store, const char *folder, const char *name, struct error *error)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return error_out_of_memory(error);
    bool done = load_path(store, path, error);
    free(path);
    return done;
}

static int is_json(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && strcmp(dot, ".json") == 0;
}

/* By bytes, so that the order does not depend on the user's locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* NAME-*.json; NULL: any. */
static bool is_named_for(const char *file, const char *template_name)
{
    size_t length = template_name ? strlen(template_name) : 0;
    return !template_name || (strncmp(file, template_name, length) == 0 && file[length] == '-');
}

static bool load_folder(struct store *store, const char *folder, const char *template_name, struct error *error)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_json, by_name);
    if (count < 0) {
        return errno == ENOENT ||
               error_set(error, ERROR_SYSTEM, "cannot read the folder %s: %s", folder, strerror(errno));
    }
    bool done = true;
    for (int i = 0; i < count; i++) {
        struct error own;
        const char *name = entries[i]->d_name;
        bool wanted = is_named_for(name, template_name) || is_named_for(name, STORE_PROBES);
        if (wanted && !load_file(store, folder, name, &own) && done) {
            done = false;
            if (error)
                *error = own;
        }
        free(entries[i]);
    }
    free(entries);
    return done;
}

bool store_known_load(struct store *store, const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return load_path(store, path, error);
    return load_folder(store, path, NULL, error);
}

bool store_known_load_of(struct store *store, const char *folder, const char *template_name, struct error *error)
{
    return load_folder(store, folder, template_name, error);
}
