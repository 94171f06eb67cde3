/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/confinement.h"

#include "tuner/cache/disk.h"
#include "tuner/device/cpu/machine.h"
#include "tuner/device/cpu/toolchain.h"
#include "tuner/device/cuda/toolkit.h"
#include "tuner/error/text_stream.h"
#include "tuner/workers/guardian.h"
#include "tuner/workers/landlock.h"
#include "tuner/workers/syscall_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/capability.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char confinement_variable_name[] = "TUNE_CONFINEMENT";

/* ---- from parent to worker: lines of text, a path each after the first */

char *confinement_variable(const struct confinement *confinement, const char *role)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    fprintf(stream.out, "%s=%s %s %s %d", confinement_variable_name, confinement ? "on" : "off", role,
            confinement && confinement->accelerator ? "accelerator" : "host", (int)getpid());
    for (size_t i = 0; confinement && i < confinement->folder_count; i++) {
        if (!strchr(confinement->folders[i], '\n'))
            fprintf(stream.out, "\n%s", confinement->folders[i]);
    }
    return text_stream_close(&stream, NULL);
}

bool confined_read(struct confined *confined, struct error *error)
{
    const char *text = getenv(confinement_variable_name);
    char on[8], role[32], device[16];
    int parent;
    *confined = (struct confined){0};
    if (!text || sscanf(text, "%7s %31s %15s %d", on, role, device, &parent) != 4)
        return true; /* not started by worker_start */
    confined->on = strcmp(on, "on") == 0;
    confined->compiles = strcmp(role, "compile") == 0;
    confined->checks = strncmp(role, "check", strlen("check")) == 0;
    confined->accelerator = strcmp(device, "accelerator") == 0;
    confined->parent = (pid_t)parent;
    confined->text = strdup(text);
    if (!confined->text)
        return error_out_of_memory(error);
    char *rest = confined->text;
    (void)strsep(&rest, "\n");
    while (rest && confined->folder_count < CONFINED_FOLDERS)
        confined->folders[confined->folder_count++] = strsep(&rest, "\n");
    return true;
}

void confined_clear(struct confined *confined)
{
    free(confined->text);
    *confined = (struct confined){0};
}

/* ---- files */

/* The system: programs, libraries, headers, settings, and what the kernel tells. */
static const char *const system_folders[] = {"/usr",
                                             "/bin",
                                             "/sbin",
                                             "/lib",
                                             "/lib32",
                                             "/lib64",
                                             "/libx32",
                                             "/etc",
                                             "/opt",
                                             "/nix",
                                             "/gnu",
                                             "/snap",
                                             "/proc",
                                             "/sys",
                                             "/run/opengl-driver",
                                             "/run/current-system"};

/* Lists of folders that the user set for programs like these. */
static const char *const folder_lists[] = {
    "PATH",          "LD_LIBRARY_PATH", "CPATH",     "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
    "COMPILER_PATH", "GCC_EXEC_PREFIX", "CUDA_HOME", "CUDA_PATH",      "TUNE_HOME"};

static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};

/* What CUDA's driver opens: desktop and server GPUs, Tegra, WSL; shared memory and the pipes of MPS. */
static const char *const accelerator_files[] = {"/dev/nvidia*", "/dev/nvhost*",  "/dev/nvmap",
                                                "/dev/nvgpu",   "/dev/nvsciipc", "/dev/dri",
                                                "/dev/dxg",     "/dev/shm",      "/run/nvidia-persistenced",
                                                "/run/nvidia*"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Is it the user's home, or above that? Such a folder would allow everything. */
static bool is_too_wide(const char *path)
{
    const char *const private[] = {getenv("HOME"), "/home", "/root", "/tmp", "/var/tmp", "/dev/shm"};
    size_t length = strlen(path);
    if (strcmp(path, "/") == 0)
        return true;
    for (size_t i = 0; i < COUNT(private); i++) {
        char real[PATH_MAX];
        if (private[i] && realpath(private[i], real) && strncmp(real, path, length) == 0 &&
            (real[length] == '/' || real[length] == '\0'))
            return true;
    }
    return false;
}

static void allow_folder(int rules, const char *path)
{
    char real[PATH_MAX];
    if (path[0] == '/' && realpath(path, real) && !is_too_wide(real))
        landlock_allow(rules, real, LANDLOCK_READ);
}

/* Cut the last part off; false: there is none. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return false;
    *slash = '\0';
    return true;
}

/* Sources include headers of the folder above, "../common.cuh". Of a data file nothing but itself is needed. */
static void allow_sources(int rules, const char *folder)
{
    char real[PATH_MAX];
    struct stat status;
    if (!realpath(folder, real) || stat(real, &status) != 0)
        return;
    landlock_allow(rules, real, LANDLOCK_READ);
    if (S_ISDIR(status.st_mode) && go_up(real))
        allow_folder(rules, real);
}

static void allow_list(int rules, const char *list)
{
    char *copy = list ? strdup(list) : NULL, *rest = copy;
    for (const char *folder; (folder = strsep(&rest, ":"));)
        allow_folder(rules, folder);
    free(copy);
}

/* A compiler that is installed somewhere else has its parts beside its programs. */
static void allow_compiler(int rules)
{
    char path[PATH_MAX], real[PATH_MAX];
    if (!toolchain_find(path, sizeof path, NULL) || !realpath(path, real))
        return;
    landlock_allow(rules, real, LANDLOCK_READ);
    if (go_up(real))
        allow_folder(rules, real);
    if (go_up(real))
        allow_folder(rules, real);
}

/* The Toolkit's headers, linker and device run-time library lie beside NVRTC, which LD_LIBRARY_PATH may name. */
static void allow_toolkit(void *rules, const char *path)
{
    allow_folder(*(int *)rules, path);
}

static void allow_matching(int rules, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            landlock_allow(rules, found.gl_pathv[i], LANDLOCK_DEVICE);
    }
    globfree(&found);
}

static void allow_accelerator(int rules)
{
    const char *pipes = getenv("CUDA_MPS_PIPE_DIRECTORY");
    for (size_t i = 0; i < COUNT(accelerator_files); i++)
        allow_matching(rules, accelerator_files[i]);
    landlock_allow(rules, "/dev/shm", LANDLOCK_WRITE);
    landlock_allow(rules, pipes && *pipes ? pipes : "/tmp/nvidia-mps", LANDLOCK_DEVICE);
    landlock_allow(rules, "/proc/self", LANDLOCK_DEVICE); /* the driver names its threads */
    landlock_allow(rules, "/dev", LANDLOCK_LIST);
}

static void allow_reading(int rules, const struct confined *confined)
{
    char self[PATH_MAX];
    const char *preloaded = getenv("LD_PRELOAD");
    for (size_t i = 0; i < COUNT(system_folders); i++)
        landlock_allow(rules, system_folders[i], LANDLOCK_READ);
    for (size_t i = 0; i < COUNT(folder_lists); i++)
        allow_list(rules, getenv(folder_lists[i]));
    for (size_t i = 0; i < confined->folder_count; i++)
        allow_sources(rules, confined->folders[i]);
    allow_compiler(rules);
    toolkit_visit_places(allow_toolkit, &rules);
    if (preloaded)
        landlock_allow(rules, preloaded, LANDLOCK_READ);
    if (realpath("/proc/self/exe", self))
        landlock_allow(rules, self, LANDLOCK_READ);
    landlock_allow(rules, "/dev/random", LANDLOCK_READ);
    landlock_allow(rules, "/dev/urandom", LANDLOCK_READ);
}

/* The scratch folder; a check's results lie beside it. */
static void allow_scratch(int rules, const struct confined *confined)
{
    char path[PATH_MAX];
    const char *scratch = getenv("TMPDIR");
    if (!scratch || (size_t)snprintf(path, sizeof path, "%s", scratch) >= sizeof path)
        return;
    if (confined->checks)
        go_up(path);
    landlock_allow(rules, path, LANDLOCK_WRITE);
}

/* Images are for reading (image_offer.h); only the locks of claims need a file that can be written. */
static void allow_cache(int rules)
{
    struct cache *cache = cache_open_to_read(); /* makes that file */
    if (cache) {
        landlock_allow(rules, cache_path(cache), LANDLOCK_READ);
        landlock_allow(rules, cache_claims_path(cache), LANDLOCK_DEVICE);
    }
    cache_close(cache);
}

/* Builds with sanitizers write reports, which the tests of the program gather (tests/program/tune.mjs). */
static void allow_reports(int rules)
{
#ifdef TUNE_SANITIZED
    const char *folder = getenv("TUNE_SANITIZER_REPORTS");
    if (folder)
        landlock_allow(rules, folder, LANDLOCK_WRITE);
#else
    (void)rules;
#endif
}

static bool confine_files(const struct confined *confined)
{
    int rules = landlock_begin(confined->accelerator ? LANDLOCK_ALL_BUT_SOCKETS : LANDLOCK_ALL);
    if (rules < 0)
        return false;
    allow_reading(rules, confined);
    for (size_t i = 0; i < COUNT(devices); i++)
        landlock_allow(rules, devices[i], LANDLOCK_DEVICE);
    if (confined->accelerator)
        allow_accelerator(rules);
    allow_scratch(rules, confined);
    allow_cache(rules);
    allow_reports(rules);
    return landlock_enforce(rules);
}

/* ---- limits */

static void bound(__rlimit_resource_t resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_max <= most)
        return;
    limit.rlim_max = most;
    if (limit.rlim_cur > most)
        limit.rlim_cur = most;
    (void)setrlimit(resource, &limit);
}

static void write_number(const char *path, int number)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return;
    fprintf(file, "%d", number);
    fclose(file);
}

static void confine_limits(const struct confined *confined)
{
    enum { FILES_OPEN = 4096, KILLED_FIRST = 900 };
    const rlim_t file_bytes = (rlim_t)1 << 30;
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_FSIZE, file_bytes);
    if (!confined->accelerator)
        bound(RLIMIT_NOFILE, FILES_OPEN);
    write_number("/proc/self/oom_score_adj", KILLED_FIRST);
}

uint64_t confinement_bytes(uint64_t present, uint64_t bytes, uint64_t available, long processors)
{
    /* Beside the buffers: programs and inputs of other sizes, and address space that malloc reserves by thread. */
    const uint64_t rest = (uint64_t)4 << 30, by_thread = (uint64_t)128 << 20;
    uint64_t most = available, wanted = bytes < most / 2 ? 2 * bytes : most;
    uint64_t own = rest + by_thread * (uint64_t)(processors > 0 ? processors : 1);
    return present + own + (wanted < most ? wanted : most);
}

/* Bytes of address space. */
static uint64_t present_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A driver of accelerators, beside which no code of a template runs, reserves address space at will; a process under
 * AddressSanitizer has terabytes of it. */
void confinement_bound_memory(uint64_t bytes)
{
    const uint64_t sanitized = (uint64_t)1 << 40;
    const char *text = getenv(confinement_variable_name);
    uint64_t present = present_bytes();
    struct rlimit limit;
    if (!text || strncmp(text, "on measure host ", strlen("on measure host ")) != 0 || present == 0 ||
        present > sanitized)
        return;
    int64_t available = machine_available_bytes();
    uint64_t spare = available > 0 ? (uint64_t)available : 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY) /* the first time: no later one may have more */
        limit.rlim_max = confinement_bytes(present, UINT64_MAX, spare, processors);
    limit.rlim_cur = confinement_bytes(present, bytes, spare, processors);
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_AS, &limit);
}

uint64_t confinement_memory(uint64_t bytes)
{
    struct rlimit limit;
    int64_t available = machine_available_bytes();
    uint64_t most =
        confinement_bytes(0, bytes, available > 0 ? (uint64_t)available : 0, sysconf(_SC_NPROCESSORS_ONLN));
    return getrlimit(RLIMIT_RSS, &limit) == 0 && limit.rlim_cur < most ? (uint64_t)limit.rlim_cur : most;
}

/* ---- everything else */

/* Root keeps what it needs to read other users' sources; everyone else has none to lose but in a namespace. */
static void drop_capabilities(bool accelerator)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
    uint32_t kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
    if (accelerator)
        kept |= 1u << CAP_IPC_LOCK;
    if (syscall(SYS_capget, &header, data) != 0)
        return;
    data[0].effective &= kept;
    data[0].permitted &= kept;
    data[0].inheritable = 0;
    data[1] = (struct __user_cap_data_struct){0};
    (void)syscall(SYS_capset, &header, data);
}

/* Programs that would write elsewhere: the compiler cache of others, the driver's cache of images. */
static void redirect(const struct confined *confined)
{
    char path[PATH_MAX];
    const char *scratch = getenv("TMPDIR");
    (void)setenv("CCACHE_DISABLE", "1", 1);
    if (confined->accelerator && scratch && (size_t)snprintf(path, sizeof path, "%s/nv", scratch) < sizeof path)
        (void)setenv("CUDA_CACHE_PATH", path, 1);
}

/* The driver makes missing device files by a program that runs as root, which no_new_privs would prevent. */
static void make_device_files(void)
{
    static char program[] = "/usr/bin/nvidia-modprobe", create[] = "-c", first[] = "0", unified[] = "-u";
    char *const arguments[] = {program, create, first, unified, NULL};
    pid_t child;
    if (access("/dev/nvidia-uvm", F_OK) == 0 || access(program, X_OK) != 0 ||
        posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0)
        return;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

void confinement_enforce(const struct confined *confined)
{
    if (!confined->on)
        return;
    if (confined->accelerator)
        make_device_files();
    confine_limits(confined);
    redirect(confined);
    drop_capabilities(confined->accelerator);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    (void)confine_files(confined);
    (void)syscall_filter_enforce(confined->accelerator);
}

struct confinement_offer confinement_offered(void)
{
    return (struct confinement_offer){
        .landlock = landlock_version(),
        .filter = syscall_filter_possible(),
        .process_namespace = guardian_has_namespace(),
    };
}

const char *confinement_hint(const char *text)
{
    static const char *const refusals[] = {"Permission denied", "Operation not permitted", "File size limit exceeded",
                                           "File too large", "Bad system call"};
    for (size_t i = 0; i < COUNT(refusals); i++) {
        if (strstr(text, refusals[i]))
            return "it was confined (no network; its own scratch folder to write; sources, system and Toolkit to "
                   "read); --unconfined lifts that";
    }
    return NULL;
}
