/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/knowledge.h"

#include "tuner/cli/home.h"

#include <stdlib.h>

static void load_shipped(struct store *store)
{
    struct error error = {0};
    char *home = home_find(&error);
    char *folder = home ? path_join(home, "db/known") : NULL;
    if (home && !folder)
        error_out_of_memory(&error);
    if (!folder || (path_is_folder(folder) && !store_known_load(store, folder, &error)))
        error_print(&error, stderr);
    free(folder);
    free(home);
}

bool knowledge_open(const char *path, struct store **store, struct error *error)
{
    char *file = store_default_path(path);
    if (!file)
        return error_out_of_memory(error);
    bool opened = store_open(file, false, store, error);
    if (opened)
        load_shipped(*store);
    else
        opened = store_open(file, true, store, NULL);
    free(file);
    return opened;
}
