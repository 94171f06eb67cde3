/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/monotonic.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIXED_OPTIONS = 8, OPTION_SIZE = PATH_MAX + 32 };

/* Of every compilation, unless the request has others. */
static const char language[] = "-std=c++17", no_cache[] = "--no-cache", figures[] = "--ptxas-options=-v";

/* What the assembler's line on a function's stack and spills says after its first number. */
static const char figures_start[] = "bytes stack frame,";

struct compilation {
    struct nvrtc_library nvrtc;
    const struct compile_request *request;
    char *source;
    char (*fixed)[OPTION_SIZE];
    const char **options;
    int option_count;         /* without the last, which asks the assembler for its figures */
    struct image_name *names; /* kernels, then variables as "&name" */
    size_t name_count;
    nvrtc_program program;
    char *log;
};

void cuda_compiler_name(char *text, size_t size)
{
    struct nvrtc_library nvrtc;
    text[0] = '\0';
    if (!nvrtc_library_open(&nvrtc, NULL))
        return;
    snprintf(text, size, "NVRTC %s", nvrtc.version);
    nvrtc_library_close(&nvrtc);
}

/* The architectures that NVRTC knows; to be freed. */
static int *known_architectures(const struct nvrtc_library *nvrtc, int *count, struct error *error)
{
    enum nvrtc_result result = nvrtc->architecture_count(count);
    int *known = NULL;
    if (result == NVRTC_SUCCESS && *count > 0) {
        known = calloc((size_t)*count, sizeof *known);
        if (!known) {
            error_out_of_memory(error);
            return NULL;
        }
        result = nvrtc->architectures(known);
    }
    if (result != NVRTC_SUCCESS || !known) {
        error_set(error, ERROR_WORK, "NVRTC does not tell its architectures: %s", nvrtc->error_string(result));
        free(known);
        return NULL;
    }
    return known;
}

bool cuda_compiler_architecture(const struct nvrtc_library *nvrtc, const char *wanted, char *architecture,
                                size_t size, struct error *error)
{
    int number, end = 0;
    if (sscanf(wanted, "sm_%d%n", &number, &end) != 1 || number <= 0 || (wanted[end] && wanted[end + 1]))
        return error_set(error, ERROR_INPUT, "'%s' is no architecture of a CUDA device, such as sm_90", wanted);

    int count;
    int *known = known_architectures(nvrtc, &count, error);
    if (!known)
        return false;
    int best = 0, least = INT_MAX, most = 0;
    for (int i = 0; i < count; i++) {
        if (known[i] / 10 == number / 10 && known[i] <= number && known[i] > best)
            best = known[i];
        least = known[i] < least ? known[i] : least;
        most = known[i] > most ? known[i] : most;
    }
    free(known);

    if (best == 0) {
        error_set(error, ERROR_WORK, "NVRTC %s cannot compile for %s (it knows sm_%d to sm_%d)", nvrtc->version,
                  wanted, least, most);
        return error_hint(error, "install %s CUDA Toolkit", number < least ? "an older" : "a newer");
    }
    /* The suffix (sm_90a) is code for that architecture alone: without it when falling back. */
    snprintf(architecture, size, "sm_%d%s", best, best == number ? wanted + end : "");
    return true;
}

/* Text for a #line directive. */
static char *append_quoted(char *at, const char *path)
{
    *at++ = '"';
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            *at++ = '\\';
        *at++ = *path == '\n' ? ' ' : *path;
    }
    *at++ = '"';
    *at++ = '\n';
    return at;
}

static bool build_source(struct compilation *compilation, struct error *error)
{
    const struct compile_request *request = compilation->request;
    const char *defines = request->defines ? request->defines : "";
    size_t size = strlen(defines) + 2 * strlen(request->path) + request->length + 128;
    char *at = compilation->source = malloc(size);
    if (!at)
        return error_out_of_memory(error);
    at = stpcpy(at, "#line 1 \"<parameters>\"\n");
    at = stpcpy(at, defines);
    at = stpcpy(at, "\n#line 1 ");
    at = append_quoted(at, request->path);
    memcpy(at, request->text, request->length);
    at[request->length] = '\0';
    return true;
}

static bool holds_headers(const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/cuda_fp16.h", folder);
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* CUDA's own headers: beside the library, or where the toolkit is said to be. */
static bool find_headers(const struct nvrtc_library *nvrtc, char *folder, size_t size)
{
    const char *home = getenv("CUDA_HOME"), *path = getenv("CUDA_PATH");
    const struct {
        const char *base, *below;
    } places[] = {
        {nvrtc->folder[0] ? nvrtc->folder : NULL, "/../include"},
        {nvrtc->folder[0] ? nvrtc->folder : NULL, "/../../include"},
        {nvrtc->folder[0] ? nvrtc->folder : NULL, "/../../cuda_runtime/include"},
        {home, "/include"},
        {path, "/include"},
        {"/usr/local/cuda", "/include"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!places[i].base)
            continue;
        int length = snprintf(folder, size, "%s%s", places[i].base, places[i].below);
        if (length > 0 && (size_t)length < size && holds_headers(folder))
            return true;
    }
    return false;
}

/* Does the request have an option that takes the place of a fixed one? */
static bool overrides(const struct compile_request *request, const char *option, const char *long_option)
{
    for (size_t i = 0; i < request->option_count; i++) {
        if (strncmp(request->options[i], option, strlen(option)) == 0 ||
            strncmp(request->options[i], long_option, strlen(long_option)) == 0)
            return true;
    }
    return false;
}

__attribute__((format(printf, 2, 3))) static void add_option(struct compilation *compilation, const char *format, ...)
{
    char *to = compilation->fixed[compilation->option_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to, OPTION_SIZE, format, arguments);
    va_end(arguments);
    compilation->options[compilation->option_count++] = to;
}

static bool build_options(struct compilation *compilation, const char *architecture, struct error *error)
{
    const struct compile_request *request = compilation->request;
    const struct nvrtc_library *nvrtc = &compilation->nvrtc;
    compilation->fixed = calloc(FIXED_OPTIONS, sizeof *compilation->fixed);
    compilation->options = calloc(FIXED_OPTIONS + request->option_count, sizeof *compilation->options);
    if (!compilation->fixed || !compilation->options)
        return error_out_of_memory(error);

    char headers[PATH_MAX];
    if (!overrides(request, "-arch", "--gpu-architecture"))
        add_option(compilation, "-arch=%s", architecture);
    if (!overrides(request, "-std", "--std"))
        add_option(compilation, "%s", language);
    if (nvrtc->major > 12 || (nvrtc->major == 12 && nvrtc->minor >= 9))
        add_option(compilation, "%s", no_cache);
    if (request->folder)
        add_option(compilation, "-I%s", request->folder);
    if (find_headers(nvrtc, headers, sizeof headers)) {
        add_option(compilation, "-I%s", headers);
        add_option(compilation, "-I%s/cccl", headers);
    }
    char *verbose = compilation->fixed[FIXED_OPTIONS - 1];
    snprintf(verbose, OPTION_SIZE, "%s", figures);
    for (size_t i = 0; i < request->option_count; i++)
        compilation->options[compilation->option_count++] = request->options[i];
    compilation->options[compilation->option_count] = verbose;
    return true;
}

static bool build_names(struct compilation *compilation, struct error *error)
{
    const struct compile_request *request = compilation->request;
    size_t count = request->kernel_count + request->symbol_count;
    compilation->names = calloc(count ? count : 1, sizeof *compilation->names);
    if (!compilation->names)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        bool kernel = i < request->kernel_count;
        char *name;
        if (asprintf(&name, "%s%s", kernel ? "" : "&",
                     kernel ? request->kernels[i] : request->symbols[i - request->kernel_count]) < 0)
            return error_out_of_memory(error);
        compilation->names[compilation->name_count++].name = name;
    }
    return true;
}

static void close_program(struct compilation *compilation)
{
    free(compilation->log);
    compilation->log = NULL;
    if (compilation->program)
        compilation->nvrtc.destroy(&compilation->program);
    compilation->program = NULL;
}

static bool fetch_log(struct compilation *compilation, struct error *error)
{
    size_t size = 0;
    if (compilation->nvrtc.log_size(compilation->program, &size) != NVRTC_SUCCESS)
        size = 0;
    compilation->log = calloc(1, size + 1);
    if (!compilation->log)
        return error_out_of_memory(error);
    if (size > 0 && compilation->nvrtc.log(compilation->program, compilation->log) != NVRTC_SUCCESS)
        compilation->log[0] = '\0';
    return true;
}

/* Run the compiler. False when it cannot be used; `*result` says how the source fared. */
static bool run_compiler(struct compilation *compilation, bool verbose, enum nvrtc_result *result,
                         struct error *error)
{
    const struct nvrtc_library *nvrtc = &compilation->nvrtc;
    close_program(compilation);
    *result = nvrtc->create(&compilation->program, compilation->source, compilation->request->path, 0, NULL, NULL);
    for (size_t i = 0; *result == NVRTC_SUCCESS && i < compilation->name_count; i++)
        *result = nvrtc->add_name(compilation->program, compilation->names[i].name);
    if (*result != NVRTC_SUCCESS)
        return error_set(error, *result == NVRTC_OUT_OF_MEMORY ? ERROR_DOES_NOT_FIT : ERROR_WORK,
                         "NVRTC cannot take the program %s: %s", compilation->request->path,
                         nvrtc->error_string(*result));

    *result =
        nvrtc->compile(compilation->program, compilation->option_count + (verbose ? 1 : 0), compilation->options);
    if (!fetch_log(compilation, error))
        return false;
    if (*result == NVRTC_OUT_OF_MEMORY)
        return error_set(error, ERROR_DOES_NOT_FIT, "NVRTC ran out of the memory that it may use");
    if (*result == NVRTC_BUILTIN_OPERATION_FAILURE) {
        error_set(error, ERROR_WORK, "NVRTC %s does not work: %.800s", nvrtc->version, compilation->log);
        return error_hint(error, "is libnvrtc-builtins.so.%d.%d beside libnvrtc.so?", nvrtc->major, nvrtc->minor);
    }
    return true;
}

/* Lines by which the assembler tells its figures. */
static bool is_figure(const char *line, size_t length)
{
    size_t at = length > 5 && strncmp(line, "ptxas", 5) == 0 ? 5 : 0;
    at += strspn(line + at, " ");
    return memmem(line, length, figures_start, sizeof figures_start - 1) ||
           (at > 5 && (strncmp(line + at, "info", 4) == 0 || line[at] == '.'));
}

/* The log as the user reads it: without the assembler's figures and the messages on the lookup of names. */
static void copy_messages(FILE *stream, const char *log)
{
    bool lookup = false; /* inside of a message on the lookup, which ends with an empty line */
    while (*log) {
        size_t length = strcspn(log, "\n");
        length += log[length] == '\n';
        if (strncmp(log, "__nv_name_map(", 14) == 0)
            lookup = true;
        if (!lookup && !is_figure(log, length))
            fwrite(log, 1, length, stream);
        if (*log == '\n')
            lookup = false;
        log += length;
    }
}

/* NVRTC says of a name that it cannot look up: Input name expression was: " & name" */
static bool lookup_failed(const char *log, const char *name)
{
    static const char before[] = "name expression was: \"";
    size_t length = strlen(name + (*name == '&'));
    for (const char *at = log; (at = strstr(at, before)); at++) {
        const char *expression = at + sizeof before - 1;
        expression += strspn(expression, *name == '&' ? " &" : " ");
        if (strncmp(expression, name + (*name == '&'), length) == 0 && expression[length] == '"')
            return true;
    }
    return false;
}

/* A log that says clearly why there is no program, or what the compiler warns of. NULL: out of memory. */
static char *readable_log(const struct compilation *compilation, enum nvrtc_result result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; result != NVRTC_SUCCESS && i < compilation->name_count; i++) {
        const char *name = compilation->names[i].name;
        if (lookup_failed(compilation->log, name))
            fprintf(stream, "%s: error: there is no %s '%s', or there are several\n", compilation->request->path,
                    *name == '&' ? "__constant__ or __device__ variable" : "__global__ function",
                    name + (*name == '&'));
    }
    copy_messages(stream, compilation->log);
    bool said = ftell(stream) > 0;
    if (result != NVRTC_SUCCESS && !said)
        fprintf(stream, "%s: error: the compiler gives up without a word (%s)\n", compilation->request->path,
                compilation->nvrtc.error_string(result));
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

static bool is_requested_kernel(const struct compilation *compilation, const char *name, size_t length)
{
    for (size_t i = 0; i < compilation->request->kernel_count; i++) {
        const char *lowered = compilation->names[i].lowered;
        if (strlen(lowered) == length && strncmp(lowered, name, length) == 0)
            return true;
    }
    return false;
}

/*
 * The assembler lists, after each "Compiling entry function '<name>'", what the kernel and the functions it calls
 * spill.
 */
static int64_t count_spills(const struct compilation *compilation)
{
    static const char entry[] = "Compiling entry function '";
    int64_t sum = -1;
    bool requested = false;
    for (const char *line = compilation->log; *line; line += line[0] == '\n') {
        size_t length = strcspn(line, "\n");
        const char *name = memmem(line, length, entry, sizeof entry - 1);
        const char *figures = memmem(line, length, figures_start, sizeof figures_start - 1);
        long long stores, loads;
        if (name) {
            name += sizeof entry - 1;
            requested = is_requested_kernel(compilation, name, strcspn(name, "'\n"));
        } else if (figures && requested &&
                   sscanf(figures, "bytes stack frame, %lld bytes spill stores, %lld bytes spill loads", &stores,
                          &loads) == 2) {
            sum = (sum < 0 ? 0 : sum) + stores + loads;
        }
        line += length;
    }
    return sum;
}

static bool fetch_image(struct compilation *compilation, struct compile_result *result, struct error *error)
{
    const struct nvrtc_library *nvrtc = &compilation->nvrtc;
    enum nvrtc_result status = NVRTC_SUCCESS;
    for (size_t i = 0; status == NVRTC_SUCCESS && i < compilation->name_count; i++)
        status =
            nvrtc->lowered_name(compilation->program, compilation->names[i].name, &compilation->names[i].lowered);
    size_t size = 0;
    if (status == NVRTC_SUCCESS)
        status = nvrtc->cubin_size(compilation->program, &size);
    if (status != NVRTC_SUCCESS || size == 0)
        return error_set(error, ERROR_WORK, "NVRTC gives no cubin of %s: %s", compilation->request->path,
                         nvrtc->error_string(status));

    void *cubin;
    result->image = image_create(compilation->names, compilation->name_count, size, &cubin, &result->image_bytes);
    if (!result->image)
        return error_out_of_memory(error);
    status = nvrtc->cubin(compilation->program, cubin);
    if (status != NVRTC_SUCCESS) {
        free(result->image);
        result->image = NULL;
        return error_set(error, ERROR_WORK, "NVRTC gives no cubin of %s: %s", compilation->request->path,
                         nvrtc->error_string(status));
    }
    result->spill_bytes = count_spills(compilation);
    result->compiled = true;
    return true;
}

static bool compile(struct compilation *compilation, struct compile_result *result, struct error *error)
{
    enum nvrtc_result status;
    if (!run_compiler(compilation, true, &status, error))
        return false;
    /* When asked for its figures the assembler keeps its errors to itself: let it say them. */
    if (status == NVRTC_COMPILATION && !strstr(compilation->log, "error") &&
        !run_compiler(compilation, false, &status, error))
        return false;
    /* What ptxas says of static shared, local and constant memory beyond the limit. */
    result->too_large = status == NVRTC_COMPILATION && strstr(compilation->log, "uses too much ");
    result->log = readable_log(compilation, status);
    if (!result->log)
        return error_out_of_memory(error);
    return status != NVRTC_SUCCESS || fetch_image(compilation, result, error);
}

static void compilation_close(struct compilation *compilation)
{
    close_program(compilation);
    for (size_t i = 0; i < compilation->name_count; i++)
        free((char *)compilation->names[i].name);
    free(compilation->names);
    free(compilation->options);
    free(compilation->fixed);
    free(compilation->source);
    nvrtc_library_close(&compilation->nvrtc);
}

bool cuda_compile(const struct device_description *description, const struct compile_request *request,
                  struct compile_result *result, struct error *error)
{
    double start = monotonic_seconds();
    *result = (struct compile_result){.spill_bytes = -1};
    struct compilation compilation = {.request = request};
    if (!nvrtc_library_open(&compilation.nvrtc, error))
        return false;

    char architecture[32];
    bool done = cuda_compiler_architecture(&compilation.nvrtc, description->architecture, architecture,
                                           sizeof architecture, error) &&
                build_source(&compilation, error) && build_options(&compilation, architecture, error) &&
                build_names(&compilation, error) && compile(&compilation, result, error);
    compilation_close(&compilation);
    if (!done) {
        free(result->log);
        *result = (struct compile_result){.spill_bytes = -1};
    }
    result->seconds = monotonic_seconds() - start;
    return done;
}

/* The library and its headers are those of the description's compiler, or where these variables say. */
bool cuda_compile_identity(const struct device_description *description, char **text, struct error *error)
{
    (void)description;
    const char *home = getenv("CUDA_HOME"), *path = getenv("CUDA_PATH");
    if (asprintf(text, "%s %s %s\nCUDA_HOME=%s\nCUDA_PATH=%s\n", language, no_cache, figures, home ? home : "",
                 path ? path : "") >= 0)
        return true;
    *text = NULL;
    return error_out_of_memory(error);
}
