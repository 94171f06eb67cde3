/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/compiler.h"

#include "tuner/device/cpu/child.h"
#include "tuner/device/cpu/source.h"
#include "tuner/device/cpu/words.h"
#include "tuner/device/monotonic.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_LIMIT = 256 << 10, VERSION_LIMIT = 4096 };

/* ---- which compiler ---- */

bool compiler_find(char *path, size_t bytes, struct error *error)
{
    static const char *const names[] = {"g++", "c++", "clang++"};
    const char *chosen = getenv("TUNE_CXX");
    if (chosen && *chosen) {
        if (strchr(chosen, '/') ? access(chosen, X_OK) == 0 : child_find(chosen, path, bytes)) {
            if (strchr(chosen, '/'))
                snprintf(path, bytes, "%s", chosen);
            return true;
        }
        return error_set(error, ERROR_WORK, "the C++ compiler '%s' that TUNE_CXX names cannot be run", chosen);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (child_find(names[i], path, bytes))
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
    const char *const arguments[] = {path, "--version", NULL};
    int status = 0;
    bool ran = false;
    /* Rows are kept under this version: someone who kills the compiler must not give them another one. */
    for (int attempt = 0; attempt < 3 && (!ran || WIFSIGNALED(status)); attempt++)
        ran = child_run(arguments, "/tmp", output, &status, NULL);
    if (ran && child_succeeded(status)) {
        ssize_t got = pread(output, text, sizeof text - 1, 0);
        if (got > 0) {
            text[got] = '\0';
            parse_version(base_name(path), text, version, bytes);
        }
    }
    close(output);
}

/* ---- options ---- */

/* Contraction as CUDA's own default has it; no other licence with arithmetic. */
static const char *const base_options[] = {
    "-std=c++17",
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
#ifdef __x86_64__
    "-march=native",
#endif
};

/* Around what is linked. A kernel needs none of C++'s start-up and run time. */
static const char *const link_options[] = {"-shared", "-Wl,-z,defs"};
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
     * time and made no kernel faster. Passes were tried alone and together on gemm's spaces: instructions that the
     * compiler executes, against the processor time of the kernels. Not left out, since some kernels then run slower:
     * copy propagation, selection of induction variables, complete unrolling beyond two steps.
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
    "-fno-tree-vrp",
    "-fno-thread-jumps",
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
    "-fno-tree-dominator-opts",
    "-fno-tree-dse",
    "-fno-cprop-registers",
    "-fno-gcse-after-reload",
    "-fno-ree",
    "-fno-peephole2",
    "-fno-compare-elim",
    "-fno-combine-stack-adjustments",
    "--param=max-combine-insns=2",
    "-fira-algorithm=priority",
    "-fira-region=one",
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
    const struct device_description *description;
    char compiler[PATH_MAX], linker[PATH_MAX]; /* `linker` is "" where there is none */
    char source[PATH_MAX], object[PATH_MAX], image[PATH_MAX], log[PATH_MAX], include[PATH_MAX], words[PATH_MAX];
    bool words_ahead; /* the words of CUDA come from the file `words` */
    int log_file;
    int status; /* of the program that ran last */
};

/* A list of arguments that grows, NULL last. */
struct arguments {
    const char **list;
    size_t count;
};

static bool begin_arguments(const struct compilation *c, struct arguments *arguments, struct error *error)
{
    enum {
        OWN = (sizeof base_options + sizeof gcc_options + sizeof link_options + sizeof libraries) / sizeof(char *)
    };
    arguments->count = 0;
    arguments->list = calloc(OWN + c->request->option_count + 16, sizeof *arguments->list);
    return arguments->list || error_out_of_memory(error);
}

static void add(struct arguments *arguments, const char *argument)
{
    arguments->list[arguments->count++] = argument;
}

static void add_all(struct arguments *to, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(to, list[i]);
}

static size_t add_request_options(struct arguments *to, const struct compile_request *request)
{
    size_t before = to->count;
    for (size_t i = 0; i < request->option_count; i++) {
        const char *option = translate(request->options[i]);
        if (option)
            add(to, option);
    }
    return to->count - before;
}

static void add_compiler(struct arguments *to, const struct compilation *c, const char *language)
{
    add(to, c->compiler);
    add(to, "-x");
    add(to, language);
    add_all(to, base_options, sizeof base_options / sizeof *base_options);
    if (!strstr(c->description->compiler, "clang"))
        add_all(to, gcc_options, sizeof gcc_options / sizeof *gcc_options);
}

static void add_source(struct arguments *to, const struct compilation *c)
{
    if (c->request->folder && *c->request->folder)
        add(to, c->include);
    if (c->words_ahead) {
        add(to, "-include");
        add(to, c->words);
    }
    add(to, c->source);
}

static void add_link(struct arguments *to, const struct compilation *c)
{
    add_all(to, link_options, sizeof link_options / sizeof *link_options);
    add(to, "-o");
    add(to, c->image);
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
    if (!child_find("ld", c->linker, sizeof c->linker))
        c->linker[0] = '\0';
    return join(c->source, scratch, "/kernel.cpp", error) && join(c->object, scratch, "/kernel.o", error) &&
           join(c->image, scratch, "/kernel.so", error) && join(c->log, scratch, "/compiler.log", error) &&
           join(c->include, "-I", c->request->folder ? c->request->folder : "", error);
}

static bool write_source(struct compilation *c, struct error *error)
{
    FILE *stream = fopen(c->source, "we");
    if (!stream)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->source, strerror(errno));
    bool written = source_write(c->request, &c->words_ahead, stream, error);
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

static bool run(struct compilation *c, const struct arguments *arguments, int output, struct error *error)
{
    return child_run(arguments->list, c->request->scratch_folder, output, &c->status, error);
}

/* The words of CUDA are compiled ahead where that helps: with our own options alone, and by GCC. */
static bool prepare_words(struct compilation *c, struct error *error)
{
    struct arguments arguments;
    if (!c->request->keep_folder || strstr(c->description->compiler, "clang"))
        return true;
    if (!begin_arguments(c, &arguments, error))
        return false;
    if (add_request_options(&arguments, c->request) == 0) {
        add_compiler(&arguments, c, "c++-header");
        c->words_ahead = words_prepare(c->request->keep_folder, arguments.list, arguments.count, c->words);
    }
    free(arguments.list);
    return true;
}

/* With further options: the driver sees to all of it, since they may be meant for any step. */
static bool compile_with_options(struct compilation *c, struct arguments *arguments, struct error *error)
{
    arguments->count = 0;
    add_compiler(arguments, c, "c++");
    add_link(arguments, c); /* ahead of the options, which may say otherwise */
    add_request_options(arguments, c->request);
    add_source(arguments, c);
    add_all(arguments, libraries, sizeof libraries / sizeof *libraries);
    return run(c, arguments, c->log_file, error);
}

/*
 * Most kernels call no library, and to find that out takes the linker a fifth of the time that it takes to read the C
 * library's symbols. Where it does not succeed, the driver knows how to link, and has the messages.
 */
static bool link_image(struct compilation *c, struct arguments *arguments, struct error *error)
{
    const char *const alone[] = {c->linker, "-shared", "-z", "defs", "-o", c->image, c->object, NULL};
    int nowhere = c->linker[0] ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    bool linked = nowhere >= 0 && child_run(alone, c->request->scratch_folder, nowhere, &c->status, NULL) &&
                  child_succeeded(c->status);
    if (nowhere >= 0)
        close(nowhere);
    if (linked)
        return true;
    arguments->count = 0;
    add(arguments, c->compiler);
    add(arguments, c->object);
    add_link(arguments, c);
    add_all(arguments, libraries, sizeof libraries / sizeof *libraries);
    add(arguments, NULL);
    return run(c, arguments, c->log_file, error);
}

static bool compile(struct compilation *c, struct error *error)
{
    struct arguments arguments;
    if (!begin_arguments(c, &arguments, error))
        return false;
    bool done;
    if (add_request_options(&arguments, c->request) > 0) {
        done = compile_with_options(c, &arguments, error);
    } else {
        add_compiler(&arguments, c, "c++");
        add_source(&arguments, c);
        add(&arguments, "-c");
        add(&arguments, "-o");
        add(&arguments, c->object);
        done = run(c, &arguments, c->log_file, error) &&
               (!child_succeeded(c->status) || link_image(c, &arguments, error));
    }
    free(arguments.list);
    return done;
}

/* With the messages in the log's file. */
static bool run_compiler(struct compilation *c, struct error *error)
{
    c->log_file = open(c->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (c->log_file < 0)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->log, strerror(errno));
    bool ran = compile(c, error);
    close(c->log_file);
    return ran;
}

/* How it ended, behind what it said. */
static char *explain(char *log, size_t bytes, int status)
{
    char note[96] = "";
    if (WIFSIGNALED(status))
        snprintf(note, sizeof note, "the C++ compiler was ended by signal %d (%s)\n", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
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

/* A compiler that cannot write its files, or ends without a word, says nothing about the source. */
static bool check_usable(const struct compilation *c, const char *log, struct error *error)
{
    struct statvfs space;
    bool full = log[0] == '\0' && statvfs(c->request->scratch_folder, &space) == 0 && space.f_bavail == 0;
    if (!full && log[0] == '\0' && WIFEXITED(c->status)) {
        error_set(error, ERROR_WORK, "the C++ compiler '%s' ended with status %d and no message", c->compiler,
                  WEXITSTATUS(c->status));
        return error_hint(error, "let TUNE_CXX name one that works");
    }
    if (!full && !strstr(log, strerrordesc_np(ENOSPC)))
        return true;
    error_set(error, ERROR_SYSTEM, "there is no space left in %s for the C++ compiler's files",
              c->request->scratch_folder);
    return error_hint(error, "make room there, or set TMPDIR to another folder");
}

static bool collect(const struct compilation *c, struct compile_result *result, struct error *error)
{
    size_t log_bytes = 0;
    result->log = read_file(c->log, LOG_LIMIT, &log_bytes);
    if (!result->log)
        return error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", c->log, strerror(errno));
    if (!child_succeeded(c->status)) {
        if (!check_usable(c, result->log, error)) {
            free(result->log);
            result->log = NULL;
            return false;
        }
        result->crashed = has_crashed(result->log, c->status);
        result->log = explain(result->log, log_bytes, c->status);
        return true;
    }
    result->image = read_file(c->image, SIZE_MAX - 1, &result->image_bytes);
    if (!result->image) {
        free(result->log);
        result->log = NULL;
        return error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", c->image, strerror(errno));
    }
    result->compiled = true;
    return true;
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
        return error_out_of_memory(error);
    fprintf(stream, "%s %lld %lld.%09ld\n", path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec);
    write_list(stream, base_options, sizeof base_options / sizeof *base_options);
    write_list(stream, gcc_options, sizeof gcc_options / sizeof *gcc_options);
    write_list(stream, link_options, sizeof link_options / sizeof *link_options);
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
    return error_out_of_memory(error);
}

bool compiler_run(const struct device_description *description, const struct compile_request *request,
                  struct compile_result *result, struct error *error)
{
    memset(result, 0, sizeof *result);
    result->spill_bytes = -1;
    double started = monotonic_seconds();
    struct compilation *c = calloc(1, sizeof *c);
    if (!c)
        return error_out_of_memory(error);
    c->request = request;
    c->description = description;
    bool done = compiler_find(c->compiler, sizeof c->compiler, error) && name_files(c, error) &&
                prepare_words(c, error) && write_source(c, error) && run_compiler(c, error) &&
                collect(c, result, error);
    if (c->log[0]) {
        unlink(c->source);
        unlink(c->object);
        unlink(c->image);
        unlink(c->log);
    }
    free(c);
    result->seconds = monotonic_seconds() - started;
    return done;
}
