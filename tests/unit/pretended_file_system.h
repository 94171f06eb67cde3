/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pretended_file_system.h - files that are on a network file system, as far as statfs says.
 *
 * The linker's --wrap redirects calls of statfs here (tests/unit/CMakeLists.txt).
 */
#ifndef TUNE_TESTS_UNIT_PRETENDED_FILE_SYSTEM_H
#define TUNE_TESTS_UNIT_PRETENDED_FILE_SYSTEM_H

#include <sys/vfs.h>

static unsigned pretended_type; /* 0: what it is */

/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_statfs(const char *path, struct statfs *system);
int __wrap_statfs(const char *path, struct statfs *system);

int __wrap_statfs(const char *path, struct statfs *system)
{
    int status = __real_statfs(path, system);
    if (status == 0 && pretended_type)
        system->f_type = (__typeof__(system->f_type))pretended_type;
    return status;
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
