/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/compiler.h"

#include "tuner/device/cuda/architecture.h"
#include "tuner/device/cuda/compiler_log.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/cuda/linker.h"
#include "tuner/device/cuda/toolkit.h"
#include "tuner/device/headers.h"
#include "tuner/device/line_directive.h"
#include "tuner/device/monotonic.h"
#include "tuner/device/parameter_check.h"
#include "tuner/error/text_stream.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIXED_OPTIONS = 10, OPTION_SIZE = PATH_MAX + 32 };

/* Of every compilation, unless the request overrides them. */
static const char language[] = "-std=c++17", no_cache[] = "--no-cache", figures[] = "--ptxas-options=-v";
/* A function or variable that is neither __host__ nor __device__ is for kernels, as on the CPU device. */
static const char for_device[] = "-default-device";
/* Functions side by side; NVRTC 13 is the first that we know to have it. */
static const char all_cores[] = "--split-compile=0";
/* Only for what is linked afterwards (linker.h). */
static const char relocatable[] = "-rdc=true", long_relocatable[] = "--relocatable-device-code=true";

struct compilation {
    struct nvrtc_library nvrtc;
    const struct compile_request *request;
    char *source;
    char toolkit[PATH_MAX]; /* the folder of the Toolkit's headers; "": none */
    struct headers headers; /* of our own */
    char (*fixed)[OPTION_SIZE];
    const char **options;
    int option_count;         /* without the last, which makes the assembler report its figures */
    struct image_name *names; /* kernels, then variables as "&name" */
    size_t name_count;
    nvrtc_program program;
    char *log;
    bool relocatable;
    struct linker linker; /* open if `relocatable` */
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

static bool build_source(struct compilation *compilation, struct error *error)
{
    const struct compile_request *request = compilation->request;
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    line_directive(stream.out, 1, "<parameters>");
    fprintf(stream.out, "%s%s\n", request->preamble ? request->preamble : "",
            request->defines ? request->defines : "");
    stream.failed = !parameter_check_write(request, request->text, request->length, stream.out) || stream.failed;
    compilation->source = text_stream_close(&stream, error);
    return compilation->source != NULL;
}

/* Does an option of the request replace a fixed one? */
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

    if (!overrides(request, "-arch", "--gpu-architecture"))
        add_option(compilation, "-arch=%s", architecture);
    if (!overrides(request, "-std", "--std"))
        add_option(compilation, "%s", language);
    if (nvrtc->major > 12 || (nvrtc->major == 12 && nvrtc->minor >= 9))
        add_option(compilation, "%s", no_cache);
    if (request->awaited && nvrtc->major >= 13)
        add_option(compilation, "%s", all_cores);
    if (!overrides(request, for_device, "--device-as-default-execution-space"))
        add_option(compilation, "%s", for_device);
    if (request->folder)
        add_option(compilation, "-I%s", request->folder);
    if (compilation->toolkit[0]) {
        add_option(compilation, "-I%s", compilation->toolkit);
        add_option(compilation, "-I%s/cccl", compilation->toolkit);
    }
    char *verbose = compilation->fixed[FIXED_OPTIONS - 1];
    snprintf(verbose, OPTION_SIZE, "%s", figures);
    for (size_t i = 0; i < request->option_count; i++)
        compilation->options[compilation->option_count++] = request->options[i];
    compilation->options[compilation->option_count] = verbose;
    return true;
}

static bool build_headers(struct compilation *compilation, struct error *error)
{
    const char *folder = compilation->nvrtc.folder;
    bool found = toolkit_find(folder, compilation->toolkit, sizeof compilation->toolkit);
    return headers_collect(compilation->request, found ? HEADERS_FOR_NVRTC : HEADERS_FOR_NVRTC_ALONE,
                           &compilation->headers) ||
           error_out_of_memory(error);
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

/* Run the compiler. False if it does not work; `*result` says how the source fared. */
static bool run_compiler(struct compilation *compilation, bool verbose, enum nvrtc_result *result,
                         struct error *error)
{
    const struct nvrtc_library *nvrtc = &compilation->nvrtc;
    close_program(compilation);
    *result = nvrtc->create(&compilation->program, compilation->source, compilation->request->path,
                            (int)compilation->headers.count, (const char *const *)compilation->headers.texts,
                            compilation->headers.names);
    for (size_t i = 0; *result == NVRTC_SUCCESS && i < compilation->name_count; i++)
        *result = nvrtc->add_name(compilation->program, compilation->names[i].name);
    if (*result != NVRTC_SUCCESS)
        return error_set(error, *result == NVRTC_OUT_OF_MEMORY ? ERROR_DOES_NOT_FIT : ERROR_WORK,
                         "NVRTC rejects the program %s: %s", compilation->request->path,
                         nvrtc->error_string(*result));

    *result =
        nvrtc->compile(compilation->program, compilation->option_count + (verbose ? 1 : 0), compilation->options);
    if (!fetch_log(compilation, error))
        return false;
    if (*result == NVRTC_OUT_OF_MEMORY)
        return error_set(error, ERROR_DOES_NOT_FIT, "NVRTC exceeded its memory limit");
    if (*result == NVRTC_BUILTIN_OPERATION_FAILURE) {
        error_set(error, ERROR_WORK, "NVRTC %s does not work: %.800s", nvrtc->version, compilation->log);
        return error_hint(error, "is libnvrtc-builtins.so.%d.%d beside libnvrtc.so?", nvrtc->major, nvrtc->minor);
    }
    return true;
}

/* The option's value that counts: the last one. */
static const char *target_of(const struct compilation *compilation)
{
    static const char *const options[] = {"-arch=", "--gpu-architecture="};
    const char *target = "";
    for (int i = 0; i < compilation->option_count; i++) {
        for (size_t j = 0; j < sizeof options / sizeof *options; j++) {
            if (strncmp(compilation->options[i], options[j], strlen(options[j])) == 0)
                target = compilation->options[i] + strlen(options[j]);
        }
    }
    return target;
}

/* The caller frees `*cubin`. */
static bool fetch_cubin(struct compilation *compilation, void **cubin, size_t *bytes, struct error *error)
{
    const struct nvrtc_library *nvrtc = &compilation->nvrtc;
    enum nvrtc_result status = nvrtc->cubin_size(compilation->program, bytes);
    *cubin = status == NVRTC_SUCCESS && *bytes > 0 ? malloc(*bytes) : NULL;
    if (status == NVRTC_SUCCESS && *bytes > 0 && !*cubin)
        return error_out_of_memory(error);
    if (*cubin)
        status = nvrtc->cubin(compilation->program, *cubin);
    if (*cubin && status == NVRTC_SUCCESS)
        return true;
    free(*cubin);
    *cubin = NULL;
    return error_set(error, ERROR_WORK, "NVRTC returned no cubin for %s: %s", compilation->request->path,
                     nvrtc->error_string(status));
}

/* Exchange relocatable code for linked code; NULL, and messages in the result: it cannot be linked. */
static bool link_cubin(struct compilation *compilation, void **cubin, size_t *bytes, struct compile_result *result,
                       struct error *error)
{
    struct linked linked;
    bool done = linker_run(&compilation->linker, target_of(compilation), compilation->request->path, *cubin, *bytes,
                           &linked, error);
    free(*cubin);
    *cubin = linked.cubin;
    *bytes = linked.bytes;
    if (!done)
        return false;
    char *log = NULL;
    if (!linked.cubin &&
        asprintf(&log, "%s: error: the linker fails: %s\n", compilation->request->path, linked.log) < 0)
        done = error_out_of_memory(error);
    else if (log) {
        free(result->log);
        result->log = log;
    }
    free(linked.log);
    return done;
}

static bool fetch_image(struct compilation *compilation, struct compile_result *result, struct error *error)
{
    const struct nvrtc_library *nvrtc = &compilation->nvrtc;
    enum nvrtc_result status = NVRTC_SUCCESS;
    for (size_t i = 0; status == NVRTC_SUCCESS && i < compilation->name_count; i++)
        status =
            nvrtc->lowered_name(compilation->program, compilation->names[i].name, &compilation->names[i].lowered);
    if (status != NVRTC_SUCCESS)
        return error_set(error, ERROR_WORK, "NVRTC knows no name of a kernel of %s: %s", compilation->request->path,
                         nvrtc->error_string(status));

    void *cubin = NULL, *place;
    size_t size = 0;
    if (!fetch_cubin(compilation, &cubin, &size, error) ||
        (compilation->relocatable && !link_cubin(compilation, &cubin, &size, result, error)))
        return false;
    if (!cubin)
        return true;
    result->image = image_create(compilation->names, compilation->name_count, size, &place, &result->image_bytes);
    if (result->image)
        memcpy(place, cubin, size);
    free(cubin);
    if (!result->image)
        return error_out_of_memory(error);
    result->spill_bytes =
        compiler_log_spills(compilation->log, compilation->names, compilation->request->kernel_count);
    result->compiled = true;
    return true;
}

/* Why code that has to be linked cannot be: of the configuration, as other ones need no linker. */
static bool note_missing_linker(const struct compilation *compilation, const struct error *missing,
                                struct compile_result *result, struct error *error)
{
    const char *path = compilation->request->path;
    result->unlinked = true;
    return asprintf(&result->log, "%s: its kernels launch kernels, which needs a linker: %s (%s)", path,
                    missing->text, missing->hint) >= 0 ||
           error_out_of_memory(error);
}

static bool wants_relocatable(const struct compilation *compilation)
{
    return overrides(compilation->request, relocatable, long_relocatable);
}

static bool compile(struct compilation *compilation, struct compile_result *result, struct error *error)
{
    enum nvrtc_result status;
    struct error missing = {0};
    if (!run_compiler(compilation, true, &status, error))
        return false;
    bool missed = status == NVRTC_COMPILATION && linker_is_missed(compilation->log);
    if (missed || wants_relocatable(compilation)) {
        compilation->relocatable = linker_open(&compilation->linker, &compilation->nvrtc, &missing);
        if (!compilation->relocatable)
            return note_missing_linker(compilation, &missing, result, error);
    }
    if (missed) {
        compilation->options[compilation->option_count + 1] = compilation->options[compilation->option_count];
        compilation->options[compilation->option_count++] = relocatable;
        if (!run_compiler(compilation, true, &status, error))
            return false;
    }
    /* With its figures on, the assembler can suppress its errors: compile again without. */
    if (status == NVRTC_COMPILATION && !strstr(compilation->log, "error") &&
        !run_compiler(compilation, false, &status, error))
        return false;
    /* ptxas on static shared, local and constant memory beyond the limit. */
    result->too_large = status == NVRTC_COMPILATION && strstr(compilation->log, "uses too much ");
    result->log = compiler_log_messages(compilation->log, compilation->request->path, compilation->names,
                                        compilation->name_count,
                                        status == NVRTC_SUCCESS ? NULL : compilation->nvrtc.error_string(status));
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
    headers_clear(&compilation->headers);
    if (compilation->relocatable)
        linker_close(&compilation->linker);
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
    bool done = architecture_choose(&compilation.nvrtc, description->architecture, architecture, sizeof architecture,
                                    error) &&
                build_source(&compilation, error) && build_headers(&compilation, error) &&
                build_options(&compilation, architecture, error) && build_names(&compilation, error) &&
                compile(&compilation, result, error);
    compilation_close(&compilation);
    if (!done) {
        free(result->log);
        *result = (struct compile_result){.spill_bytes = -1};
    }
    result->seconds = monotonic_seconds() - start;
    return done;
}

/* The library and its headers are those of the description's compiler, unless these variables name others, or headers
 * were exchanged. */
bool cuda_compile_identity(const struct device_description *description, char **text, struct error *error)
{
    (void)description;
    struct text_stream stream;
    *text = NULL;
    if (!text_stream_open(&stream, error))
        return false;
    fprintf(stream.out, "%s %s %s %s %s\n", language, no_cache, figures, for_device, relocatable);
    toolkit_write_stamps(stream.out);
    headers_write_all(stream.out);
    *text = text_stream_close(&stream, error);
    return *text != NULL;
}
