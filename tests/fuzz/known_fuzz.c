/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of known results, loaded and imported. What is wrong is refused and the rest is stored, the
 * same both ways, and what it makes best is usable. */
#include "db/store.h"
#include "tests/fuzz/scratch.h"
#include "tuner/dispatch/dispatch.h"

#include <sys/stat.h>

static struct store *store;
static char folder[PATH_MAX], file[PATH_MAX];

static void open_empty(void)
{
    char path[PATH_MAX];
    struct error error;
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[32];
        snprintf(name, sizeof name, "known.db%s", endings[i]);
        scratch_path(path, name);
        unlink(path);
    }
    scratch_path(path, "known.db");
    fuzz_require(store_open(path, false, &store, &error));
}

static void prepare(void)
{
    scratch_path(folder, "known");
    scratch_path(file, "known/fuzz.json");
    fuzz_require(mkdir(folder, 0700) == 0);
    open_empty();
}

static const char *origin;

static bool look(const struct store_row *row, void *context)
{
    ++*(size_t *)context;
    fuzz_require(row->outcome == OUTCOME_OK && row->time_ns > 0 && row->configuration[0] == '{');
    fuzz_require(row->template_name[0] && row->size[0] && strcmp(row->origin, origin) == 0);
    return true;
}

/* Whatever tree was stored is one. */
static bool look_at_tree(const struct store_dispatch_row *row, void *context)
{
    struct dispatch *dispatch;
    struct error error;
    ++*(size_t *)context;
    fuzz_require(dispatch_parse(row->document, "it", &dispatch, &error) && strcmp(row->origin, origin) == 0);
    dispatch_free(dispatch);
    return true;
}

static void note(const struct error *why, void *context)
{
    ++*(size_t *)context;
    fuzz_refused(why);
}

/* The best rows and the trees that there are then; and the store is empty again if there may be any. */
static size_t best_rows(const char *expected, const char *template_name, size_t *trees, bool any)
{
    struct error error = {0};
    size_t rows = 0;
    origin = expected;
    fuzz_require(store_best(store, &(struct store_filter){0}, look, &rows, &error));
    fuzz_require(
        store_dispatches(store, &(struct store_filter){.template_name = template_name}, look_at_tree, trees, &error));
    if (any) {
        store_close(store);
        open_empty();
    }
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0}, first = {0};
    struct store_known_counts counts;
    size_t refused = 0, imported_trees = 0, trees = 0;
    if (!store)
        prepare();
    char *text = fuzz_text(data, size);
    store_known_is(text, size);
    bool imported = store_known_import(store, file, text, size, note, &refused, &counts, &error);
    fuzz_require(refused == counts.refused);
    if (!imported)
        fuzz_refused(&error);
    size_t rows = best_rows("imported", counts.template_name, &imported_trees, imported);
    fuzz_require(rows <= (imported ? counts.taken : 0) && (rows > 0 || !imported || counts.taken == 0));
    fuzz_require(imported_trees <= (imported ? counts.trees : 0) &&
                 (imported_trees > 0 || !imported || counts.trees == 0));
    free(text);

    scratch_write(file, data, size);
    bool loaded = store_known_load(store, folder, &first);
    if (!loaded)
        fuzz_refused(&first);
    fuzz_require(loaded == (imported && refused == 0));
    fuzz_require(best_rows("shipped", counts.template_name, &trees, imported) == rows && trees == imported_trees);
    return 0;
}
