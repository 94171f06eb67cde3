/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/compile_worker.h"

#include "tuner/json/json_text.h"
#include "tuner/measure/program.h"
#include "tuner/workers/remote_error.h"
#include "tuner/workers/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- the parent's side */

json_t *compile_open_request(const struct device_description *description, bool use_cache, struct error *error)
{
    json_t *request = json_pack("{s:s, s:o, s:b}", "request", "open", "device", device_description_json(description),
                                "use_cache", use_cache);
    if (!request)
        error_out_of_memory(error);
    return request;
}

json_t *compile_request(const struct job_program *program, struct error *error)
{
    json_error_t problem;
    json_t *request =
        json_pack_ex(&problem, 0, "{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "request", "compile", "path", program->path,
                     "folder", program->folder, "defines", program->defines ? program->defines : "", "kernels",
                     json_strings((const char *const *)program->kernels, program->kernel_count), "symbols",
                     json_strings((const char *const *)program->symbols, program->symbol_count), "options",
                     json_strings((const char *const *)program->options, program->option_count));
    if (request)
        return request;
    if (json_error_code(&problem) == json_error_invalid_utf8)
        error_set(error, ERROR_INPUT, "the program in %s cannot be sent to a compile worker: is all of it UTF-8?",
                  program->path ? program->path : "(no source)");
    else
        error_out_of_memory(error);
    return NULL;
}

/* {"error": ...} alone. */
static bool reported_error(const struct message *answer, struct error *error)
{
    if (json_object_size(answer->json) != 1 || answer->blob)
        return message_malformed(error, "an error with something else");
    return error_from_json(json_object_get(answer->json, "error"), error);
}

bool compile_open_answer(const struct message *answer, struct error *error)
{
    if (json_object_get(answer->json, "error"))
        return reported_error(answer, error);
    return (json_object_size(answer->json) == 0 && !answer->blob) ||
           message_malformed(error, "more than was asked for");
}

bool compile_answer(struct message *answer, struct compile_result *result, struct compile_offer *offer, bool *offered,
                    struct error *error)
{
    *result = (struct compile_result){0};
    *offered = false;
    if (json_object_get(answer->json, "error"))
        return reported_error(answer, error);
    return compile_result_from_json(answer->json, answer, result, offer, offered, error);
}

/* ---- the worker's side */

struct compiler {
    const struct device_driver *driver;
    struct device_description description;
    struct compile_cache *cache;
    struct compile_offer offer; /* of the present result */
    bool offers;
};

/* The image itself goes with the answer. */
static void note_offer(const struct compile_offer *offer, void *context)
{
    struct compiler *compiler = context;
    compiler->offer = *offer;
    compiler->offers = true;
}

static bool open_compiler(const json_t *json, struct compiler *compiler, struct error *error)
{
    if (!device_description_from_json(json_object_get(json, "device"), &compiler->description, error))
        return false;
    compiler->driver = device_driver_find(compiler->description.kind);
    if (!compiler->driver)
        return error_set(error, ERROR_INPUT, "there is no device of kind '%s'", compiler->description.kind);
    bool use_cache = json_is_true(json_object_get(json, "use_cache"));
    compile_cache_free(compiler->cache);
    compiler->cache =
        compile_cache_create(use_cache ? cache_open_to_read() : NULL, compiler->driver, &compiler->description);
    if (!compiler->cache)
        return error_out_of_memory(error);
    compile_cache_offer_to(compiler->cache, note_offer, compiler);
    return true;
}

static const char **strings_from_json(const json_t *array, size_t *count)
{
    *count = json_array_size(array);
    const char **strings = calloc(*count + 1, sizeof *strings);
    for (size_t i = 0; strings && i < *count; i++) {
        strings[i] = json_string_value(json_array_get(array, i));
        if (!strings[i]) {
            free(strings);
            return NULL;
        }
    }
    return strings;
}

/* A fresh folder for one compilation inside the worker's own; `path` holds PATH_MAX-like bytes. */
static bool make_job_folder(char *path, size_t size, struct error *error)
{
    const char *own = getenv("TMPDIR");
    int length = snprintf(path, size, "%s/compile-XXXXXX", own ? own : "/tmp");
    if (length < 0 || (size_t)length >= size || !mkdtemp(path))
        return error_set(error, ERROR_SYSTEM, "cannot make a folder in %s: %s", own ? own : "/tmp", strerror(errno));
    return true;
}

/* From the cache, or by the compiler, in a folder of its own. */
static bool make(const struct compiler *compiler, struct compile_request *request, struct compile_result *result,
                 struct error *error)
{
    char folder[1024] = "";
    struct compile_lookup lookup;
    bool done = compile_lookup_begin(compiler->cache, request, &lookup, result);
    if (!done && make_job_folder(folder, sizeof folder, error)) {
        request->scratch_folder = folder;
        request->keep_folder = getenv("TMPDIR"); /* the worker's own */
        done = compiler->driver->compile(&compiler->description, request, result, error);
        if (done)
            compile_lookup_keep(&lookup, request, result);
        folder_remove(folder);
    }
    compile_lookup_end(&lookup);
    return done;
}

static bool compile(const json_t *json, const struct compiler *compiler, struct compile_result *result,
                    struct error *error)
{
    struct compile_request request = {0};
    char *text = NULL;
    const char **kernels = strings_from_json(json_object_get(json, "kernels"), &request.kernel_count);
    const char **symbols = strings_from_json(json_object_get(json, "symbols"), &request.symbol_count);
    const char **options = strings_from_json(json_object_get(json, "options"), &request.option_count);
    bool done = false;
    if (!compiler->driver || !kernels || !symbols || !options ||
        json_unpack((json_t *)json, "{s:s, s:s, s:s}", "path", &request.path, "folder", &request.folder, "defines",
                    &request.defines) != 0) {
        error_set(error, ERROR_SYSTEM, "a compile worker was sent an incomplete request");
        goto out;
    }
    if (!program_read(request.path, &text, &request.length, error))
        goto out;
    request.text = text;
    request.kernels = kernels;
    request.symbols = symbols;
    request.options = options;
    done = make(compiler, &request, result, error);
out:
    free(text);
    free(kernels);
    free(symbols);
    free(options);
    return done;
}

static bool answer(struct channel *channel, json_t *json, const struct compile_result *result, struct error *error)
{
    if (!json)
        return error_out_of_memory(error);
    bool sent = channel_send(channel, json, result->image, result->image_bytes, error);
    json_decref(json);
    return sent;
}

static bool serve(struct channel *channel, const json_t *request, struct compiler *compiler, struct error *error)
{
    struct compile_result result = {0};
    struct error failure;
    const char *name = json_string_value(json_object_get(request, "request"));
    json_t *json;
    compiler->offers = false;
    if (name && strcmp(name, "open") == 0)
        json = open_compiler(request, compiler, &failure) ? json_object()
                                                          : json_pack("{s:o}", "error", error_to_json(&failure));
    else if (compile(request, compiler, &result, &failure))
        json = compile_result_to_json(&result, compiler->offers ? &compiler->offer : NULL);
    else
        json = json_pack("{s:o}", "error", error_to_json(&failure));
    bool sent = answer(channel, json, &result, error);
    compile_result_clear(&result);
    return sent;
}

static bool serve_all(struct channel *channel, struct compiler *compiler, struct error *error)
{
    for (;;) {
        struct message request;
        bool ended = false;
        if (!channel_receive(channel, &request, &ended, error))
            return false;
        if (ended)
            return true;
        bool served = serve(channel, request.json, compiler, error);
        message_clear(&request);
        if (!served)
            return false;
    }
}

/* Bytes of data that this process has, or 0 if that cannot be told. */
static rlim_t data_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*s %*s %*s %*s %*s %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/*
 * A compiler that eats memory must not bring the machine down: it may have a quarter of it, from 1 to 8 GiB, beyond
 * what the worker has by now. A compiler that the worker runs inherits the bound.
 */
static bool bound_memory(struct error *error)
{
    const rlim_t least = (rlim_t)1 << 30, most = (rlim_t)8 << 30;
    rlim_t quarter = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE) / 4, present = data_bytes();
    rlim_t bound = present + (quarter < least ? least : quarter > most ? most : quarter);
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur <= bound)
        return true;
    limit.rlim_cur = bound;
    return setrlimit(RLIMIT_DATA, &limit) == 0 ||
           error_set(error, ERROR_SYSTEM, "the compiler's memory cannot be bounded: %s", strerror(errno));
}

/* Nor must one that prints for ever fill the disk. */
static bool bound_files(struct error *error)
{
    const rlim_t bound = (rlim_t)1 << 30;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur <= bound)
        return true;
    limit.rlim_cur = bound;
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 ||
           error_set(error, ERROR_SYSTEM, "the compiler's files cannot be bounded: %s", strerror(errno));
}

bool compile_worker(struct channel *channel, struct error *error)
{
    struct compiler compiler = {0};
    bool served = bound_memory(error) && bound_files(error) && serve_all(channel, &compiler, error);
    compile_cache_free(compiler.cache);
    return served;
}
