/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of shipped knowledge. It is loaded as a whole or not at all, and what it makes best is usable.
 */
#include "db/store.h"
#include "tests/fuzz/scratch.h"

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

static bool look(const struct store_row *row, void *context)
{
    ++*(size_t *)context;
    fuzz_require(row->outcome == OUTCOME_OK && row->time_ns > 0 && row->configuration[0] == '{');
    fuzz_require(row->template_name[0] && row->size[0] && strcmp(row->origin, "shipped") == 0);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    size_t rows = 0;
    if (!store)
        prepare();
    scratch_write(file, data, size);
    bool loaded = store_known_load(store, folder, &error);
    if (!loaded)
        fuzz_refused(&error);
    fuzz_require(store_best(store, &(struct store_filter){0}, look, &rows, &error));
    fuzz_require(loaded || rows == 0);
    if (loaded) {
        store_close(store);
        open_empty();
    }
    return 0;
}
