/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/compiler.h"

#include "tuner/device/cpu/child.h"
#include "tuner/device/cpu/missing_names.h"
#include "tuner/device/cpu/options.h"
#include "tuner/device/cpu/source.h"
#include "tuner/device/cpu/toolchain.h"
#include "tuner/device/cpu/words.h"
#include "tuner/device/headers.h"
#include "tuner/device/monotonic.h"
#include "tuner/evaluation/transient.h"

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

enum { LOG_LIMIT = 256 << 10 };

struct compilation {
    const struct compile_request *request;
    const struct device_description *description;
    char compiler[PATH_MAX], linker[PATH_MAX]; /* `linker` is "" if there is none */
    char source[PATH_MAX], object[PATH_MAX], image[PATH_MAX], include[PATH_MAX], words[PATH_MAX];
    struct headers headers; /* that the source includes */
    char headers_folder[PATH_MAX];
    bool words_ahead; /* the words of CUDA come from the file `words` */
    int log;          /* a file in memory: a full disk is told there too. -1: none yet */
    int status;       /* of the last program */
};

static bool is_clang(const struct compilation *c)
{
    return strstr(c->description->compiler, "clang") != NULL;
}

/* ---- the command line ---- */

static void add_compiler(struct arguments *to, const struct compilation *c, const char *language)
{
    arguments_add(to, c->compiler);
    arguments_add(to, "-x");
    arguments_add(to, language);
    arguments_add_base(to, is_clang(c));
}

static void add_source(struct arguments *to, const struct compilation *c)
{
    if (c->request->folder && *c->request->folder)
        arguments_add(to, c->include);
    if (c->words_ahead) {
        arguments_add(to, "-include");
        arguments_add(to, c->words);
    }
    if (c->headers.count > 0) { /* searched last: files of the user come first */
        arguments_add(to, "-idirafter");
        arguments_add(to, c->headers_folder);
    }
    arguments_add(to, c->source);
}

static void add_link(struct arguments *to, const struct compilation *c)
{
    arguments_add_link(to);
    arguments_add(to, "-o");
    arguments_add(to, c->image);
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
           join(c->image, scratch, "/kernel.so", error) &&
           join(c->include, "-I", c->request->folder ? c->request->folder : "", error);
}

static bool write_source(struct compilation *c, struct error *error)
{
    FILE *stream = fopen(c->source, "we");
    if (!stream)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->source, strerror(errno));
    bool written = source_write(c->request, c->words_ahead, stream, error);
    if (fclose(stream) != 0 && written)
        return error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", c->source, strerror(errno));
    return written;
}

static bool read_all(int file, char *content, size_t size, size_t *have)
{
    for (*have = 0; *have < size;) {
        ssize_t got = read(file, content + *have, size - *have);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return false;
        *have += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* What is left of an open file, at most `limit` bytes, and a NUL. NULL: failed. The caller frees it. */
static char *read_open(int file, const char *name, size_t limit, size_t *bytes, struct error *error)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", name, strerror(errno));
        return NULL;
    }
    size_t size = (size_t)status.st_size < limit ? (size_t)status.st_size : limit;
    char *content = malloc(size + 1);
    if (!content) {
        error_out_of_memory(error);
    } else if (read_all(file, content, size, bytes)) {
        content[*bytes] = '\0';
    } else {
        error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", name, strerror(errno));
        free(content);
        content = NULL;
    }
    return content;
}

static char *read_image(const struct compilation *c, size_t *bytes, struct error *error)
{
    int file = open(c->image, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        error_set(error, ERROR_SYSTEM, "cannot read '%s': %s", c->image, strerror(errno));
        return NULL;
    }
    char *content = read_open(file, c->image, SIZE_MAX - 1, bytes, error);
    close(file);
    return content;
}

static char *read_log(const struct compilation *c, size_t *bytes, struct error *error)
{
    lseek(c->log, 0, SEEK_SET);
    return read_open(c->log, "compiler.log", LOG_LIMIT, bytes, error);
}

static bool run(struct compilation *c, const struct arguments *arguments, int output, struct error *error)
{
    return child_run(arguments->list, c->request->scratch_folder, output, &c->status, error);
}

static bool prepare_headers(struct compilation *c, struct error *error)
{
    const struct compile_request *request = c->request;
    const char *folder = request->keep_folder ? request->keep_folder : request->scratch_folder;
    if (!headers_collect(request, HEADERS_FOR_CPU, &c->headers))
        return error_out_of_memory(error);
    return join(c->headers_folder, folder, "/headers", error) && headers_write(&c->headers, c->headers_folder, error);
}

/* The words of CUDA are precompiled where that helps: for GCC, and without options of the request. */
static bool prepare_words(struct compilation *c, struct error *error)
{
    struct arguments arguments;
    if (!c->request->keep_folder || is_clang(c))
        return true;
    if (!arguments_begin(&arguments, c->request, error))
        return false;
    if (arguments_add_request(&arguments, c->request) == 0) {
        add_compiler(&arguments, c, "c++-header");
        c->words_ahead = words_prepare(c->request->keep_folder, arguments.list, arguments.count, c->words);
    }
    free(arguments.list);
    return true;
}

/* Options of the request may concern any step, so the compiler driver runs all of them. */
static bool compile_with_options(struct compilation *c, struct arguments *arguments, struct error *error)
{
    arguments->count = 0;
    add_compiler(arguments, c, "c++");
    add_link(arguments, c); /* before the options, which may override it */
    arguments_add_request(arguments, c->request);
    add_source(arguments, c);
    arguments_add_libraries(arguments);
    return run(c, arguments, c->log, error);
}

/*
 * Most kernels call no library. Linking them alone takes the linker a fifth of the time that it needs to read the C
 * library's symbols. If that fails, the compiler driver links, and has the messages.
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
    arguments_add(arguments, c->compiler);
    arguments_add(arguments, c->object);
    add_link(arguments, c);
    arguments_add_libraries(arguments);
    arguments_add(arguments, NULL);
    return run(c, arguments, c->log, error);
}

static bool compile(struct compilation *c, struct error *error)
{
    struct arguments arguments;
    if (!arguments_begin(&arguments, c->request, error))
        return false;
    bool done;
    if (arguments_add_request(&arguments, c->request) > 0) {
        done = compile_with_options(c, &arguments, error);
    } else {
        add_compiler(&arguments, c, "c++");
        add_source(&arguments, c);
        arguments_add(&arguments, "-c");
        arguments_add(&arguments, "-o");
        arguments_add(&arguments, c->object);
        done = run(c, &arguments, c->log, error) && (!child_succeeded(c->status) || link_image(c, &arguments, error));
    }
    free(arguments.list);
    return done;
}

static bool run_compiler(struct compilation *c, struct error *error)
{
    c->log = memfd_create("compiler.log", MFD_CLOEXEC);
    if (c->log < 0)
        return error_set(error, ERROR_SYSTEM, "cannot keep the compiler's messages: %s", strerror(errno));
    return compile(c, error);
}

/* Append how the compiler died to its messages. */
static bool explain(char **log, size_t bytes, int status, struct error *error)
{
    if (!WIFSIGNALED(status))
        return true;
    char note[96];
    snprintf(note, sizeof note, "the C++ compiler was killed by signal %d (%s)\n", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
    char *longer = realloc(*log, bytes + strlen(note) + 1);
    if (!longer)
        return error_out_of_memory(error);
    strcpy(longer + bytes, note);
    *log = longer;
    return true;
}

/*
 * The driver g++ reports the death of the compiler proper only in its messages. A program that runs out of memory
 * says so (in the words of cc1plus, of the GNU libraries, of LLVM) and exits as if it had found errors.
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

/* A compiler that cannot write its files, or fails without a message, says nothing about the source. */
static bool check_usable(const struct compilation *c, const char *log, struct error *error)
{
    struct statvfs space;
    bool full = log[0] == '\0' && statvfs(c->request->scratch_folder, &space) == 0 && space.f_bavail == 0;
    if (!full && log[0] == '\0' && WIFEXITED(c->status) && transient_status(WEXITSTATUS(c->status)))
        return error_set(error, ERROR_SYSTEM, "the C++ compiler '%s' was killed: it exited with status %d",
                         c->compiler, WEXITSTATUS(c->status));
    if (!full && log[0] == '\0' && WIFEXITED(c->status)) {
        error_set(error, ERROR_WORK, "the C++ compiler '%s' exited with status %d and no message", c->compiler,
                  WEXITSTATUS(c->status));
        return error_hint(error, "set TUNE_CXX to one that works");
    }
    if (!full && !strstr(log, strerrordesc_np(ENOSPC)))
        return true;
    error_set(error, ERROR_SYSTEM, "no space left in %s for the C++ compiler's files", c->request->scratch_folder);
    return error_hint(error, "free some space, or set TMPDIR to another folder");
}

static bool collect_failure(const struct compilation *c, size_t log_bytes, struct compile_result *result,
                            struct error *error)
{
    result->crashed = has_crashed(result->log, c->status);
    if (!check_usable(c, result->log, error) || !explain(&result->log, log_bytes, c->status, error))
        return false;
    char *log = missing_names_explain(result->log, c->request);
    free(result->log);
    result->log = log;
    return log || error_out_of_memory(error);
}

static bool collect(const struct compilation *c, struct compile_result *result, struct error *error)
{
    size_t log_bytes = 0;
    result->log = read_log(c, &log_bytes, error);
    if (!result->log)
        return false;
    bool done;
    if (child_succeeded(c->status)) {
        result->image = read_image(c, &result->image_bytes, error);
        done = result->compiled = result->image != NULL;
    } else {
        done = collect_failure(c, log_bytes, result, error);
    }
    if (!done) {
        free(result->log);
        result->log = NULL;
    }
    return done;
}

bool cpu_compile(const struct device_description *description, const struct compile_request *request,
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
    c->log = -1;
    bool done = toolchain_find(c->compiler, sizeof c->compiler, error) && name_files(c, error) &&
                prepare_headers(c, error) && prepare_words(c, error) && write_source(c, error) &&
                run_compiler(c, error) && collect(c, result, error);
    if (c->image[0]) {
        unlink(c->source);
        unlink(c->object);
        unlink(c->image);
    }
    if (c->log >= 0)
        close(c->log);
    if (!request->keep_folder)
        headers_remove(&c->headers, c->headers_folder);
    headers_clear(&c->headers);
    free(c);
    result->seconds = monotonic_seconds() - started;
    return done;
}
