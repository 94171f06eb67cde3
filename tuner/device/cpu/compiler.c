#include "tuner/device/cpu/compiler.h"

#include "tuner/device/cpu/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOG_LIMIT = 256 << 10, VERSION_LIMIT = 4096 };

/* ---- which compiler ---- */

static bool find_on_path(const char *name, char *path, size_t bytes)
{
    const char *folders = getenv("PATH");
    if (!folders)
        folders = "/usr/local/bin:/usr/bin:/bin";
    while (*folders) {
        size_t length = strcspn(folders, ":");
        int written = snprintf(path, bytes, "%.*s/%s", (int)length, folders, name);
        if (length > 0 && written > 0 && (size_t)written < bytes && access(path, X_OK) == 0)
            return true;
        folders += length;
        folders += *folders == ':';
    }
    return false;
}

bool compiler_find(char *path, size_t bytes, struct error *error)
{
    static const char *const names[] = {"g++", "c++", "clang++"};
    const char *chosen = getenv("TUNE_CXX");
    if (chosen && *chosen) {
        if (strchr(chosen, '/') ? access(chosen, X_OK) == 0 : find_on_path(chosen, path, bytes)) {
            if (strchr(chosen, '/'))
                snprintf(path, bytes, "%s", chosen);
            return true;
        }
        return error_set(error, ERROR_WORK, "the C++ compiler '%s' that TUNE_CXX names cannot be run", chosen);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (find_on_path(names[i], path, bytes))
            return true;
    }
    error_set(error, ERROR_WORK, "the CPU device needs a C++ compiler, and there is none on PATH");
    return error_hint(error, "install g++ (apt-get install g++), or let TUNE_CXX name a compiler");
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- a child process ---- */

/* The environment with TMPDIR and a language that is the same everywhere; the strings are borrowed. */
static char **child_environment(char *tmpdir, char *language)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **child = calloc(count + 3, sizeof *child);
    if (!child)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0)
            child[kept++] = environ[i];
    }
    child[kept++] = tmpdir;
    child[kept] = language;
    return child;
}

/* Run it with no input and all output to `output`; gives waitpid's status. */
static bool run_child(char *const *arguments, char *const *environment, int output, int *status, struct error *error)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    int failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&actions, output, 2);
    pid_t child = 0;
    if (failure == 0)
        failure = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return error_set(error, ERROR_WORK, "cannot start the C++ compiler '%s': %s", arguments[0],
                         strerror(failure));
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR)
            return error_set(error, ERROR_SYSTEM, "lost the C++ compiler: %s", strerror(errno));
    }
    return true;
}

/* ---- its version ---- */

/* "g++ (Debian 12.2.0-14+deb12u1) 12.2.0": the last word; "Debian clang version 14.0.6": the one behind "version". */
static void parse_version(const char *name, char *line, char *version, size_t bytes)
{
    line[strcspn(line, "\r\n")] = '\0';
    const char *clang = strstr(line, "clang version ");
    if (clang) {
        const char *number = clang + strlen("clang version ");
        snprintf(version, bytes, "clang++ %.*s", (int)strcspn(number, " "), number);
    } else if (*line) {
        const char *last = strrchr(line, ' ');
        snprintf(version, bytes, "%s %s", name, last ? last + 1 : line);
    }
}

void compiler_version(char *version, size_t bytes)
{
    char path[PATH_MAX], text[VERSION_LIMIT];
    version[0] = '\0';
    if (!compiler_find(path, sizeof path, NULL))
        return;
    int output = memfd_create("version", MFD_CLOEXEC);
    if (output < 0)
        return;
    char flag[] = "--version", language[] = "LC_ALL=C", folder[] = "TMPDIR=/tmp";
    char *arguments[] = {path, flag, NULL};
    char **environment = child_environment(folder, language);
    int status = 0;
    bool ran = false;
    /* Rows are kept under this version: someone who kills the compiler must not give them another one. */
    for (int attempt = 0; environment && attempt < 3 && (!ran || WIFSIGNALED(status)); attempt++)
        ran = run_child(arguments, environment, output, &status, NULL);
    if (ran && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        ssize_t got = pread(output, text, sizeof text - 1, 0);
        if (got > 0) {
            text[got] = '\0';
            parse_version(base_name(path), text, version, bytes);
        }
    }
    free(environment);
    close(output);
}

/* ---- options ---- */

/* Contraction as CUDA's own default has it; no other licence with arithmetic. */
static const char *const base_options[] = {
    "-x",
    "c++",
    "-std=c++17",
    "-shared",
    "-fPIC",
    "-pipe",
    "-O2",
    "-w",
    "-fmax-errors=20",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-strict-aliasing",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=fast",
    "-fvisibility=hidden",
    "-fno-threadsafe-statics",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-Wl,-z,defs",
#ifdef __x86_64__
    "-march=native",
#endif
};

/* Behind the source. A kernel needs none of C++'s start-up and run time, and linking them takes longer than the rest.
 */
static const char *const libraries[] = {"-nostdlib", "-lm", "-lc"};

/*
 * Cheap thread-local accesses, and statics of inline functions that do not keep a module loaded for ever. The block
 * of thread-local memory is touched before any kernel runs, which the C library's lazy allocation needs: it does not
 * save vector registers (glibc bug 31372).
 */
static const char *const gcc_options[] = {
    "-fno-gnu-unique",
    "-fdiagnostics-color=never",
#ifdef __x86_64__
    "-mtls-dialect=gnu2",
#endif
    /*
     * A sweep compiles more than it runs. Of -O3, what makes kernels fast: loops are vectorized also where that takes
     * a check at run time, and short inner ones are written out before. The passes that are left out take half of its
     * time and made no kernel faster.
     */
    "-O3",
    "--param=max-completely-peel-times=4",
    "-fno-unswitch-loops",
    "-fno-split-loops",
    "-fno-split-paths",
    "-fno-loop-interchange",
    "-fno-loop-unroll-and-jam",
    "-fno-predictive-commoning",
    "-fno-tree-loop-distribution",
    "-fno-version-loops-for-strides",
    "-fno-ipa-cp-clone",
    "-fno-tree-pre",
    "-fno-code-hoisting",
    "-fno-gcse",
    "-fno-schedule-insns2",
    "-fno-cse-follow-jumps",
    "-fno-rerun-cse-after-loop",
    "-fno-caller-saves",
    "-fno-lra-remat",
    "-fno-crossjumping",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-icf",
    "-fno-ipa-vrp",
    "-fno-ipa-bit-cp",
    "-fno-ipa-ra",
    "-fno-ipa-pure-const",
    "-fno-ipa-profile",
    "-fno-ipa-reference",
    "-fno-partial-inlining",
    "-fno-devirtualize",
};

/* What NVRTC understands and the host's compiler does not: another name for it here, or NULL for nothing. */
static const struct {
    const char *start, *here;
} nvrtc_options[] = {
    {"--fmad=false", "-ffp-contract=off"},
    {"-fmad=false", "-ffp-contract=off"},
    {"--fmad", NULL},
    {"-fmad", NULL},
    {"--use_fast_math", NULL},
    {"-use_fast_math", NULL},
    {"--ftz", NULL},
    {"-ftz", NULL},
    {"--prec-", NULL},
    {"-prec-", NULL},
    {"--gpu-architecture", NULL},
    {"-arch", NULL},
    {"--maxrregcount", NULL},
    {"-maxrregcount", NULL},
    {"--ptxas-options", NULL},
    {"-Xptxas", NULL},
    {"--extra-device-vectorization", NULL},
    {"-extra-device-vectorization", NULL},
    {"-lineinfo", NULL},
    {"--generate-line-info", NULL},
    {"--std", NULL},
    {"-default-device", NULL},
    {"--device-as-default-execution-space", NULL},
    {"--restrict", NULL},
    {"-restrict", NULL},
    {"-Ofc", NULL},
    {"--dopt", NULL},
    {"-dopt", NULL},
    {"--no-cache", NULL},
};

static const char *translate(const char *option)
{
    for (size_t i = 0; i < sizeof nvrtc_options / sizeof *nvrtc_options; i++) {
        if (strncmp(option, nvrtc_options[i].start, strlen(nvrtc_options[i].start)) == 0)
            return nvrtc_options[i].here;
    }
    return option;
}

/* ---- compiling ---- */

/* All that one compilation holds. */
struct compilation {
    const struct compile_request *request;
    char compiler[PATH_MAX];
    char source[PATH_MAX], object[PATH_MAX], log[PATH_MAX], tmpdir[PATH_MAX], include[PATH_MAX];
    const char **arguments;
    size_t argument_count;
};

static void add(struct compilation *c, const char *argument)
{
    c->arguments[c->argument_count++] = argument;
}

static void add_all(struct compilation *c, const char *const *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(c, arguments[i]);
}

static bool build_arguments(struct compilation *c, const struct device_description *description, struct error *error)
{
    enum { BASE = sizeof base_options / sizeof *base_options, GCC = sizeof gcc_options / sizeof *gcc_options };
    c->arguments = calloc(BASE + GCC + c->request->option_count + 16, sizeof *c->arguments);
    if (!c->arguments)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    add(c, c->compiler);
    add_all(c, base_options, BASE);
    if (!strstr(description->compiler, "clang"))
        add_all(c, gcc_options, GCC);
    for (size_t i = 0; i < c->request->option_count; i++) {
        const char *option = translate(c->request->options[i]);
        if (option)
            add(c, option);
    }
    if (c->request->folder && *c->request->folder)
        add(c, c->include);
    add(c, "-o");
    add(c, c->object);
    add(c, c->source);
    add_all(c, libraries, sizeof libraries / sizeof *libraries);
    return true;
}

static bool join(char *path, const char *start, const char *end, struct error *error)
{
    int written = snprintf(path, PATH_MAX, "%s%s", start, end);
    if (written < 0 || written >= PATH_MAX)
        return error_set(error, ERROR_SYSTEM, "the path '%.200s...' is too long", start);
    return true;
}

static bool name_files(struct compilation *c, struct error *error)
{
    const char *scratch = c->request->scratch_folder;
    return join(c->source, scratch, "/kernel.cpp", error) && join(c->object, scratch, "/kernel.so", error) &&
           join(c->log, scratch, "/compiler.log", error) && join(c->tmpdir, "TMPDIR=", scratch, error) &&
           join(c->include, "-I", c->request->folder ? c->request->folder : "", error);
}

static bool write_source(const struct compilation *c, struct error *error)
{
    FILE *stream = fopen(c->source, "we");
    if (!stream)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->source, strerror(errno));
    bool written = source_write(c->request, stream, error);
    if (fclose(stream) != 0 && written)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->source, strerror(errno));
    return written;
}

/* The bytes of a file, at most `limit`, with a NUL behind them. NULL if it cannot be read. */
static char *read_file(const char *path, size_t limit, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat status;
    char *content = NULL;
    if (fstat(file, &status) == 0) {
        size_t size = (size_t)status.st_size < limit ? (size_t)status.st_size : limit;
        content = malloc(size + 1);
        size_t have = 0;
        while (content && have < size) {
            ssize_t got = read(file, content + have, size - have);
            if (got <= 0 && !(got < 0 && errno == EINTR))
                break;
            have += got > 0 ? (size_t)got : 0;
        }
        if (content)
            content[have] = '\0';
        *bytes = have;
    }
    close(file);
    return content;
}

/* Run the compiler with its messages in the log's file. */
static bool run_compiler(const struct compilation *c, int *status, struct error *error)
{
    int log = open(c->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (log < 0)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->log, strerror(errno));
    char language[] = "LC_ALL=C";
    char tmpdir[PATH_MAX];
    snprintf(tmpdir, sizeof tmpdir, "%s", c->tmpdir);
    char **environment = child_environment(tmpdir, language);
    bool ran = environment ? run_child((char *const *)c->arguments, environment, log, status, error)
                           : error_set(error, ERROR_SYSTEM, "out of memory");
    free(environment);
    close(log);
    return ran;
}

/* Why there is no image although the compiler may have said nothing. */
static char *explain(char *log, size_t bytes, int status)
{
    char note[96] = "";
    if (WIFSIGNALED(status))
        snprintf(note, sizeof note, "the C++ compiler was ended by signal %d (%s)\n", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (bytes == 0)
        snprintf(note, sizeof note, "the C++ compiler ended with status %d and no message\n", WEXITSTATUS(status));
    char *longer = realloc(log, bytes + strlen(note) + 1);
    if (!longer)
        return log;
    strcpy(longer + bytes, note);
    return longer;
}

/*
 * The driver g++ reports the death of the compiler proper in words alone, and what runs out of memory says so (in the
 * words of cc1plus, of what GNU programs share, of LLVM) and ends like one that found errors.
 */
static bool has_crashed(const char *log, int status)
{
    static const char *const words[] = {"internal compiler error", "signal terminated program",
                                        "out of memory allocating", "memory exhausted", "LLVM ERROR: out of memory"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(log, words[i]))
            return true;
    }
    return WIFSIGNALED(status);
}

/* A compiler that cannot write its files says nothing about the source. */
static bool check_space(const struct compilation *c, const char *log, struct error *error)
{
    struct statvfs space;
    bool full = log[0] == '\0' && statvfs(c->request->scratch_folder, &space) == 0 && space.f_bavail == 0;
    if (!full && !strstr(log, strerrordesc_np(ENOSPC)))
        return true;
    error_set(error, ERROR_SYSTEM, "there is no space left in %s for the C++ compiler's files",
              c->request->scratch_folder);
    return error_hint(error, "make room there, or set TMPDIR to another folder");
}

static bool collect(const struct compilation *c, int status, struct compile_result *result, struct error *error)
{
    size_t log_bytes = 0;
    result->log = read_file(c->log, LOG_LIMIT, &log_bytes);
    if (!result->log)
        return error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", c->log, strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        if (!check_space(c, result->log, error)) {
            free(result->log);
            result->log = NULL;
            return false;
        }
        result->crashed = has_crashed(result->log, status);
        result->log = explain(result->log, log_bytes, status);
        return true;
    }
    result->image = read_file(c->object, SIZE_MAX - 1, &result->image_bytes);
    if (!result->image) {
        free(result->log);
        result->log = NULL;
        return error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", c->object, strerror(errno));
    }
    result->compiled = true;
    return true;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- what an image depends on ---- */

extern const char tune_kernel_abi[], tune_cuda_words[];

/* -march=native: what the first processor is and can. */
static void write_processor(FILE *stream)
{
    static const char *const keys[] = {"vendor_id",   "cpu family", "model",       "stepping",
                                       "cache size",  "flags",      "Features",    "CPU implementer",
                                       "CPU variant", "CPU part",   "CPU revision"};
    FILE *processors = fopen("/proc/cpuinfo", "re");
    char *line = NULL;
    size_t size = 0;
    while (processors && getline(&line, &size, processors) > 1) { /* an empty line ends the first */
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            if (strncmp(line, keys[i], strlen(keys[i])) == 0) {
                fputs(line, stream);
                break;
            }
        }
    }
    free(line);
    if (processors)
        fclose(processors);
}

static void write_environment(FILE *stream)
{
    static const char *const names[] = {"CPATH",        "CPLUS_INCLUDE_PATH",   "GCC_EXEC_PREFIX",  "COMPILER_PATH",
                                        "LIBRARY_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        fprintf(stream, "%s=%s\n", names[i], value ? value : "");
    }
}

static void write_list(FILE *stream, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s\n", texts[i]);
}

bool compiler_identity(const struct device_description *description, char **text, struct error *error)
{
    (void)description;
    char path[PATH_MAX];
    struct stat status;
    size_t size;
    *text = NULL;
    if (!compiler_find(path, sizeof path, error))
        return false;
    if (stat(path, &status) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot look at '%s': %s", path, strerror(errno));
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    fprintf(stream, "%s %lld %lld.%09ld\n", path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec);
    write_list(stream, base_options, sizeof base_options / sizeof *base_options);
    write_list(stream, gcc_options, sizeof gcc_options / sizeof *gcc_options);
    write_list(stream, libraries, sizeof libraries / sizeof *libraries);
    write_environment(stream);
    write_processor(stream);
    fputs(tune_kernel_abi, stream);
    fputs(tune_cuda_words, stream);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return true;
    free(*text);
    *text = NULL;
    return error_set(error, ERROR_SYSTEM, "out of memory");
}

bool compiler_run(const struct device_description *description, const struct compile_request *request,
                  struct compile_result *result, struct error *error)
{
    memset(result, 0, sizeof *result);
    result->spill_bytes = -1;
    double started = now();
    struct compilation *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    c->request = request;
    int status = 0;
    bool done = compiler_find(c->compiler, sizeof c->compiler, error) && name_files(c, error) &&
                build_arguments(c, description, error) && write_source(c, error) && run_compiler(c, &status, error) &&
                collect(c, status, result, error);
    if (c->object[0]) {
        unlink(c->source);
        unlink(c->object);
        unlink(c->log);
    }
    free(c->arguments);
    free(c);
    result->seconds = now() - started;
    return done;
}
