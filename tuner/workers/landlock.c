/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of versions that the C library's headers may not have yet. */
#define FS_TRUNCATE  (UINT64_C(1) << 14) /* version 3 */
#define FS_IOCTL_DEV (UINT64_C(1) << 15) /* version 5 */
#define NET_BIND     (UINT64_C(1) << 0)  /* version 4 */
#define NET_CONNECT  (UINT64_C(1) << 1)
#define SCOPE_SOCKET (UINT64_C(1) << 0) /* version 6 */
#define SCOPE_SIGNAL (UINT64_C(1) << 1)

struct rules_attributes {
    uint64_t fs, net, scoped;
};

/* The size of the attributes that each version knows, and what it handles. */
static const struct version {
    size_t bytes;
    uint64_t fs;
} versions[] = {
    {8, (UINT64_C(1) << 13) - 1},  {8, (UINT64_C(1) << 14) - 1},  {8, (UINT64_C(1) << 15) - 1},
    {16, (UINT64_C(1) << 15) - 1}, {16, (UINT64_C(1) << 16) - 1}, {24, (UINT64_C(1) << 16) - 1},
};
enum { VERSIONS = sizeof versions / sizeof *versions };

static const uint64_t list = LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t read_rights =
    LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
static const uint64_t device_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
static const uint64_t write_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
                                     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_REFER;
/* What a rule about a single file may allow. */
static const uint64_t file_rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                    LANDLOCK_ACCESS_FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;

int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static const struct version *known_version(void)
{
    int version = landlock_version();
    return version > 0 ? &versions[(version < VERSIONS ? version : VERSIONS) - 1] : NULL;
}

int landlock_begin(enum landlock_scope scope)
{
    const struct version *version = known_version();
    if (!version)
        return -1;
    const struct rules_attributes attributes = {
        .fs = version->fs,
        .net = NET_BIND | NET_CONNECT,
        .scoped = scope == LANDLOCK_ALL ? SCOPE_SIGNAL | SCOPE_SOCKET : SCOPE_SIGNAL,
    };
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, version->bytes, 0);
}

static uint64_t rights_of(enum landlock_right right)
{
    static const uint64_t added[] = {[LANDLOCK_LIST] = list,
                                     [LANDLOCK_READ] = read_rights,
                                     [LANDLOCK_DEVICE] = device_rights,
                                     [LANDLOCK_WRITE] = write_rights};
    return right <= LANDLOCK_READ ? added[right] : read_rights | added[right];
}

void landlock_allow(int rules, const char *path, enum landlock_right right)
{
    struct stat status;
    const struct version *version = known_version();
    int file = rules < 0 || !version ? -1 : open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return;
    uint64_t rights = rights_of(right) & version->fs;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode))
        rights &= file_rights;
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    if (rights)
        (void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
}

bool landlock_enforce(int rules)
{
    if (rules < 0)
        return false;
    bool enforced = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return enforced;
}
