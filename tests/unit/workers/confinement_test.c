/* SPDX-License-Identifier: Apache-2.0 */
/* What a confined process can still do. Each case runs in a child, and its exit status is the answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/workers/remains.h"
#include "tuner/workers/confinement.h"
#include "tuner/workers/landlock.h"
#include "tuner/workers/syscall_filter.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[512], scratch[600], outside[600], sources[600];
static const char *const source_list[] = {sources};

static void test_what_the_parent_says_arrives(void **state)
{
    (void)state;
    const char *const folders[] = {"/one", "/two words", "/with\nbreak"};
    const struct confinement confinement = {true, folders, 3};
    struct confined confined;
    struct error error;
    char *variable = confinement_variable(&confinement, "check_bounds");
    assert_non_null(variable);
    assert_int_equal(putenv(variable), 0);
    assert_success(confined_read(&confined, &error), &error);
    assert_true(confined.on && confined.accelerator && confined.checks && !confined.compiles);
    assert_int_equal(confined.parent, getpid());
    assert_int_equal(confined.folder_count, 2);
    assert_string_equal(confined.folders[0], "/one");
    assert_string_equal(confined.folders[1], "/two words");
    confined_clear(&confined);
    unsetenv(confinement_variable_name);
    free(variable);

    variable = confinement_variable(NULL, "measure");
    assert_non_null(variable);
    assert_int_equal(putenv(variable), 0);
    assert_success(confined_read(&confined, &error), &error);
    assert_false(confined.on);
    assert_int_equal(confined.parent, getpid());
    confined_clear(&confined);
    unsetenv(confinement_variable_name);
    free(variable);
    assert_success(confined_read(&confined, &error), &error); /* nothing: not a worker */
    assert_false(confined.on);
    assert_int_equal(confined.parent, 0);
}

typedef bool attempt(void);

/* Does it succeed in a process that is confined as a worker of `role` is? */
static bool can(attempt *attempt, const char *role, bool accelerator)
{
    pid_t child = fork();
    if (child == 0) {
        const struct confinement confinement = {accelerator, source_list, 1};
        struct confined confined;
        char *variable = confinement_variable(&confinement, role);
        if (!variable || putenv(variable) != 0 || !confined_read(&confined, NULL))
            _exit(2);
        confinement_enforce(&confined);
        confined_clear(&confined);
        _exit(attempt() ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

static bool opens(const char *parent, const char *name, int flags)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", parent, name);
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static bool writes_outside(void)
{
    return opens(outside, "new", O_WRONLY | O_CREAT) || opens(outside, "file", O_WRONLY) ||
           opens(sources, "new", O_WRONLY | O_CREAT);
}

static bool reads_outside(void)
{
    return opens(outside, "file", O_RDONLY);
}

static bool reads_sources(void)
{
    return opens(sources, "file", O_RDONLY) && opens("/etc", "passwd", O_RDONLY) &&
           opens("/proc/self", "maps", O_RDONLY);
}

static bool writes_scratch(void)
{
    char from[700], to[700];
    snprintf(from, sizeof from, "%s/deep", scratch);
    snprintf(to, sizeof to, "%s/moved", scratch);
    return opens(scratch, "new", O_RDWR | O_CREAT) && mkdir(from, 0700) == 0 && rename(from, to) == 0 &&
           rmdir(to) == 0 && opens("/dev", "null", O_WRONLY);
}

static bool writes_beside_scratch(void)
{
    return opens(folder, "beside", O_WRONLY | O_CREAT);
}

static bool runs_programs(void)
{
    return system("test -r /usr && exit 0") == 0;
}

static bool connects(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_INET6, SOCK_DGRAM, 0) >= 0;
}

static bool has_local_sockets(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool has_pairs(void)
{
    int pair[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
}

static bool reaches_parent(void)
{
    return kill(getppid(), 0) == 0;
}

static bool gains_privileges(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static bool makes_large_files(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max > (rlim_t)1 << 30;
}

static bool allocates_forty_gibibytes(void)
{
    confinement_bound_memory((uint64_t)1 << 20);
    return mmap(NULL, (size_t)40 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
           MAP_FAILED;
}

static void test_files(void **state)
{
    (void)state;
    if (landlock_version() == 0)
        skip();
    assert_false(can(writes_outside, "measure", false));
    assert_false(can(writes_outside, "compile", true));
    assert_false(can(reads_outside, "measure", false));
    assert_false(can(reads_outside, "measure", true));
    assert_false(can(writes_beside_scratch, "measure", false));
    assert_true(can(writes_beside_scratch, "check_races", false)); /* where a check's results go */
    assert_false(can(makes_large_files, "measure", false));
    assert_true(can(reads_sources, "compile", false));
    assert_true(can(writes_scratch, "measure", false));
    assert_true(can(writes_scratch, "measure", true));
    assert_true(can(runs_programs, "compile", false));
}

static void test_network_and_other_processes(void **state)
{
    (void)state;
    if (!syscall_filter_possible())
        skip();
    assert_false(can(connects, "measure", false));
    assert_false(can(connects, "measure", true));
    assert_false(can(has_local_sockets, "compile", false));
    assert_true(can(has_local_sockets, "measure", true)); /* a GPU's driver needs them */
    assert_true(can(has_pairs, "measure", false));
    assert_false(can(gains_privileges, "measure", false));
    if (landlock_version() >= 6)
        assert_false(can(reaches_parent, "measure", false));
}

static void test_memory(void **state)
{
    (void)state;
    const uint64_t gibi = (uint64_t)1 << 30;
    /* what is there, twice the buffers, 4 GiB, and 128 MiB a processor */
    assert_true(confinement_bytes(gibi, 2 * gibi, 64 * gibi, 8) == gibi + 4 * gibi + 4 * gibi + gibi);
    assert_true(confinement_bytes(gibi, 50 * gibi, 64 * gibi, 8) == gibi + 64 * gibi + 4 * gibi + gibi);
    assert_true(confinement_bytes(gibi, UINT64_MAX, 64 * gibi, 8) == gibi + 64 * gibi + 4 * gibi + gibi);
#ifndef TUNE_SANITIZED
    assert_false(can(allocates_forty_gibibytes, "measure", false));
#endif
    assert_true(can(allocates_forty_gibibytes, "measure", true)); /* as a GPU's driver does */
}

static void test_refusals_are_explained(void **state)
{
    (void)state;
    assert_null(confinement_hint("kernel.cu:3: error: expected ';'"));
    assert_mentions(confinement_hint("x.h: Permission denied"), "--unconfined");
    assert_mentions(confinement_hint("socket: Operation not permitted"), "--unconfined");
}

static void make_folder(char *path, size_t size, const char *name)
{
    char file[700];
    snprintf(path, size, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(file, sizeof file, "%s/file", path);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fclose(stream);
}

static int make_folders(void **state)
{
    (void)state;
    char below[620];
    make_folder(scratch, sizeof scratch, "scratch");
    make_folder(outside, sizeof outside, "outside");
    make_folder(sources, sizeof sources, "above");
    snprintf(below, sizeof below, "above/sources");
    make_folder(sources, sizeof sources, below);
    return setenv("TMPDIR", scratch, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_parent_says_arrives), cmocka_unit_test(test_files),
        cmocka_unit_test(test_network_and_other_processes),  cmocka_unit_test(test_memory),
        cmocka_unit_test(test_refusals_are_explained),
    };
    char command[600];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, make_folders, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? failed : 1;
}
