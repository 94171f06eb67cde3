/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/sweep_store.h"

#include "tuner/error/visible.h"

#include <stdlib.h>

static bool open_copy(const char *file, const char *folder, bool quiet, struct sweep_store *opened,
                      struct error *error)
{
    if (!staging_begin(file, folder, &opened->staging, error) ||
        !store_open(staging_path(opened->staging), false, &opened->store, error))
        return false;
    if (!quiet)
        visible_printf(stderr, "tune: working on a copy of %s in %s, which is saved every %d s and at the end\n",
                       file, staging_path(opened->staging), STAGING_INTERVAL);
    return store_show_as(opened->store, file) || error_out_of_memory(error);
}

bool sweep_store_open(const char *path, bool quiet, struct sweep_store *opened, struct error *error)
{
    const char *folder = getenv("TUNE_DB_LOCAL");
    char *file = store_default_path(path);
    *opened = (struct sweep_store){0};
    if (!file)
        return error_out_of_memory(error);
    if (folder && !*folder)
        folder = NULL;
    bool done = folder || staging_is_remote(file) ? open_copy(file, folder, quiet, opened, error)
                                                  : store_open(file, false, &opened->store, error);
    free(file);
    return done;
}

void sweep_watch(const struct sweep_progress *progress, const struct evaluation *latest, const char *configuration,
                 void *context)
{
    const struct sweep_watch *watch = context;
    struct error error = {0};
    if (watch->database->staging && !staging_save_now_and_then(watch->database->staging, &error))
        error_print(&error, stderr);
    watch->observe(progress, latest, configuration, watch->context);
}

bool sweep_store_close(struct sweep_store *opened, bool done, struct error *error)
{
    struct error trouble = {0};
    store_close(opened->store);
    bool saved = !opened->staging || staging_save(opened->staging, &trouble);
    staging_end(opened->staging);
    *opened = (struct sweep_store){0};
    if (!saved && done && error)
        *error = trouble;
    else if (!saved)
        error_print(&trouble, stderr);
    return saved && done;
}
