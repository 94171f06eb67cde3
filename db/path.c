/* SPDX-License-Identifier: Apache-2.0 */
#include "db/path.h"
#include "db/store.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *folder, const char *rest)
{
    char *path;
    return asprintf(&path, "%s%s", folder, rest) < 0 ? NULL : path;
}

static const char *home_folder(void)
{
    const char *home = getenv("HOME");
    if (home && home[0])
        return home;
    const struct passwd *entry = getpwuid(getuid());
    return entry && entry->pw_dir ? entry->pw_dir : "";
}

char *store_default_path(const char *path)
{
    if (path)
        return strdup(path);
    const char *variable = getenv("TUNE_DB");
    if (variable && variable[0])
        return strdup(variable);
    /* The XDG specification says to ignore relative paths. */
    const char *data = getenv("XDG_DATA_HOME");
    if (data && data[0] == '/')
        return join(data, "/tune/tune.db");
    return join(home_folder(), "/.local/share/tune/tune.db");
}

static bool make_folder(const char *folder, const char *path, struct error *error)
{
    if (mkdir(folder, 0700) == 0)
        return true;
    int cause = errno;
    struct stat status;
    if (stat(folder, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return true;
        cause = ENOTDIR;
    }
    error_set(error, ERROR_SYSTEM, "cannot create the folder %s for the database %s: %s", folder, path,
              strerror(cause));
    return error_hint(error, "name another file with --db or $TUNE_DB");
}

bool path_make_folders(const char *path, struct error *error)
{
    char *folder = strdup(path);
    if (!folder)
        return error_out_of_memory(error);
    bool done = true;
    for (char *slash = strchr(folder + 1, '/'); done && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        done = make_folder(folder, path, error);
        *slash = '/';
    }
    free(folder);
    return done;
}
