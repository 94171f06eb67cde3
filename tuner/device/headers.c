/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/headers.h"

#include "tuner/device/line_directive.h"
#include "tuner/source/closure.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the table ---- */

/* Texts that are embedded (CMakeLists.txt). */
extern const char tune_header_cfloat[], tune_header_climits[], tune_header_cmath[],
    tune_header_cpu_cooperative_groups_h[], tune_header_cpu_cuComplex_h[], tune_header_cpu_cuda_bf16_h[],
    tune_header_cpu_cuda_fp16_h[], tune_header_cpu_groups_part_h[], tune_header_cpu_math_constants_h[],
    tune_header_cpu_small_float_hpp[], tune_header_cub_cuh[], tune_header_cstddef[], tune_header_cstdint[],
    tune_header_cstdio[], tune_header_cstdlib[], tune_header_cstring[], tune_header_empty_h[], tune_header_float_h[],
    tune_header_limits[], tune_header_limits_h[], tune_header_math_h[], tune_header_stddef_h[],
    tune_header_stdint_h[], tune_header_type_traits[], tune_header_utility[];

enum header_kind {
    HEADER_OWN,     /* our text on every device */
    HEADER_CHOSEN,  /* our choice of the Toolkit's, refused on the CPU device */
    HEADER_HOST,    /* refused on every device */
    HEADER_KNOWN,   /* the Toolkit's, whose declarations every compiler has built in as far as kernels need them */
    HEADER_WRITTEN, /* the Toolkit's, and our text on the CPU device */
    HEADER_TOOLKIT, /* the Toolkit's, refused on the CPU device */
};

struct known_header {
    const char *name; /* HEADER_TOOLKIT: what names begin with */
    enum header_kind kind;
    const char *text; /* or what to say of a refused one */
};

static const char host_advice[] = "put it inside #ifndef __CUDACC_RTC__";
static const char guard_advice[] = "guard it with #ifndef TUNE_CPU";

static const struct known_header known[] = {
    {"assert.h", HEADER_OWN, tune_header_empty_h},
    {"cassert", HEADER_OWN, tune_header_empty_h},
    {"cfloat", HEADER_OWN, tune_header_cfloat},
    {"climits", HEADER_OWN, tune_header_climits},
    {"cmath", HEADER_OWN, tune_header_cmath},
    {"cstddef", HEADER_OWN, tune_header_cstddef},
    {"cstdint", HEADER_OWN, tune_header_cstdint},
    {"cstdio", HEADER_OWN, tune_header_cstdio},
    {"cstdlib", HEADER_OWN, tune_header_cstdlib},
    {"cstring", HEADER_OWN, tune_header_cstring},
    {"float.h", HEADER_OWN, tune_header_float_h},
    {"limits", HEADER_OWN, tune_header_limits},
    {"limits.h", HEADER_OWN, tune_header_limits_h},
    {"math.h", HEADER_OWN, tune_header_math_h},
    {"stdbool.h", HEADER_OWN, tune_header_empty_h},
    {"stddef.h", HEADER_OWN, tune_header_stddef_h},
    {"stdint.h", HEADER_OWN, tune_header_stdint_h},
    {"stdio.h", HEADER_OWN, tune_header_empty_h},
    {"stdlib.h", HEADER_OWN, tune_header_empty_h},
    {"string.h", HEADER_OWN, tune_header_empty_h},
    {"type_traits", HEADER_OWN, tune_header_type_traits},
    {"utility", HEADER_OWN, tune_header_utility},
    {"cub/cub.cuh", HEADER_CHOSEN, tune_header_cub_cuh},

    {"builtin_types.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda_device_runtime_api.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda_runtime.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda_runtime_api.h", HEADER_KNOWN, tune_header_empty_h},
    {"device_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"device_launch_parameters.h", HEADER_KNOWN, tune_header_empty_h},
    {"device_types.h", HEADER_KNOWN, tune_header_empty_h},
    {"driver_types.h", HEADER_KNOWN, tune_header_empty_h},
    {"host_defines.h", HEADER_KNOWN, tune_header_empty_h},
    {"math_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_20_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_30_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_32_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_35_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_60_atomic_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"vector_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"vector_types.h", HEADER_KNOWN, tune_header_empty_h},

    {"cooperative_groups.h", HEADER_WRITTEN, tune_header_cpu_cooperative_groups_h},
    {"cooperative_groups/memcpy_async.h", HEADER_WRITTEN, tune_header_cpu_groups_part_h},
    {"cooperative_groups/reduce.h", HEADER_WRITTEN, tune_header_cpu_groups_part_h},
    {"cooperative_groups/scan.h", HEADER_WRITTEN, tune_header_cpu_groups_part_h},
    {"cuComplex.h", HEADER_WRITTEN, tune_header_cpu_cuComplex_h},
    {"cuda_bf16.h", HEADER_WRITTEN, tune_header_cpu_cuda_bf16_h},
    {"cuda_fp16.h", HEADER_WRITTEN, tune_header_cpu_cuda_fp16_h},
    {"math_constants.h", HEADER_WRITTEN, tune_header_cpu_math_constants_h},
    {"tune/small_float.hpp", HEADER_WRITTEN, tune_header_cpu_small_float_hpp},

#define HOST(name)                                                                                                   \
    {                                                                                                                \
        name, HEADER_HOST, host_advice                                                                               \
    }
    {"algorithm", HEADER_HOST, "min and max are built in"},
    {"array", HEADER_HOST, "use an array"},
    HOST("any"),
    HOST("atomic"),
    HOST("bits/stdc++.h"),
    HOST("bitset"),
    HOST("cctype"),
    HOST("cerrno"),
    HOST("cfenv"),
    HOST("chrono"),
    HOST("cinttypes"),
    HOST("complex"),
    HOST("complex.h"),
    HOST("condition_variable"),
    HOST("csignal"),
    HOST("cstdarg"),
    HOST("ctime"),
    HOST("ctype.h"),
    HOST("deque"),
    HOST("errno.h"),
    HOST("exception"),
    HOST("execution"),
    HOST("fenv.h"),
    HOST("filesystem"),
    HOST("forward_list"),
    HOST("fstream"),
    HOST("functional"),
    HOST("future"),
    HOST("initializer_list"),
    HOST("inttypes.h"),
    HOST("iomanip"),
    HOST("ios"),
    HOST("iosfwd"),
    HOST("iostream"),
    HOST("istream"),
    HOST("iterator"),
    HOST("list"),
    HOST("locale"),
    HOST("locale.h"),
    HOST("malloc.h"),
    HOST("map"),
    HOST("memory"),
    HOST("memory.h"),
    HOST("mutex"),
    HOST("new"),
    HOST("numeric"),
    HOST("omp.h"),
    HOST("optional"),
    HOST("ostream"),
    HOST("pthread.h"),
    HOST("queue"),
    HOST("random"),
    HOST("ratio"),
    HOST("regex"),
    HOST("set"),
    HOST("setjmp.h"),
    HOST("shared_mutex"),
    HOST("signal.h"),
    HOST("sstream"),
    HOST("stack"),
    HOST("stdarg.h"),
    HOST("stdexcept"),
    HOST("string"),
    HOST("string_view"),
    HOST("sys/time.h"),
    HOST("sys/types.h"),
    HOST("system_error"),
    HOST("thread"),
    HOST("time.h"),
    HOST("tuple"),
    HOST("typeindex"),
    HOST("typeinfo"),
    HOST("unistd.h"),
    HOST("unordered_map"),
    HOST("unordered_set"),
    HOST("valarray"),
    HOST("variant"),
    HOST("vector"),
#undef HOST

#define TOOLKIT(name)                                                                                                \
    {                                                                                                                \
        name, HEADER_TOOLKIT, guard_advice                                                                           \
    }
    TOOLKIT("cooperative_groups"),
    TOOLKIT("crt/"),
    TOOLKIT("cub/"),
    TOOLKIT("cuda"),
    TOOLKIT("curand"),
    TOOLKIT("mma.h"),
    TOOLKIT("nv/"),
    TOOLKIT("sm_"),
    TOOLKIT("surface_"),
    TOOLKIT("texture_"),
    TOOLKIT("thrust/"),
#undef TOOLKIT
};
enum { KNOWN = sizeof known / sizeof *known };

static const struct known_header *find(const char *name, size_t length)
{
    for (size_t i = 0; i < KNOWN; i++) {
        size_t whole = strlen(known[i].name);
        bool fits = known[i].kind == HEADER_TOOLKIT ? length >= whole : length == whole;
        if (fits && memcmp(name, known[i].name, whole) == 0)
            return &known[i];
    }
    return NULL;
}

/* ---- a set ---- */

struct collection {
    struct headers *headers;
    enum headers_for compiler;
    char **users; /* names that the user's own files have */
    size_t user_count;
    bool others; /* the Toolkit's headers are included */
};

static bool is_in(const char *const *names, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    }
    return false;
}

/* NULL: out of memory. */
static char *text_of(const struct known_header *header, const char *name, size_t length, bool cpu)
{
    static const char *const refusals[] = {
        [HEADER_HOST] = "kernels cannot include the host's header %.*s: no device has it (%s)",
        [HEADER_WRITTEN] = "the CUDA Toolkit's header %.*s is not beside NVRTC (%s)",
        [HEADER_CHOSEN] = "the CPU device does not have the CUDA header %.*s (%s)",
        [HEADER_TOOLKIT] = "the CPU device does not have the CUDA header %.*s (%s)",
    };
    static const char toolkit_advice[] = "install the Toolkit's headers, or set CUDA_HOME to its folder";
    char *message, *text;
    if (header->kind == HEADER_OWN || header->kind == HEADER_KNOWN || (cpu && header->kind == HEADER_WRITTEN) ||
        (!cpu && header->kind == HEADER_CHOSEN))
        return strdup(header->text);
    const char *advice = header->kind == HEADER_WRITTEN  ? toolkit_advice
                         : header->kind == HEADER_CHOSEN ? guard_advice
                                                         : header->text;
    if (asprintf(&message, refusals[header->kind], (int)length, name, advice) < 0)
        return NULL;
    if (asprintf(&text, "#error \"%s\"\n", message) < 0)
        text = NULL;
    free(message);
    return text;
}

static bool add(struct collection *collection, const char *name, size_t length);

/* What a text of ours includes. */
static bool add_included(struct collection *collection, const char *text)
{
    static const char include[] = "#include <";
    for (const char *at = text; (at = strstr(at, include));) {
        at += sizeof include - 1;
        if (!add(collection, at, strcspn(at, ">\n")))
            return false;
    }
    return true;
}

static bool keep(struct headers *headers, char *name, char *text)
{
    size_t count = headers->count + 1;
    const char **names = realloc(headers->names, count * sizeof *names);
    if (names)
        headers->names = names;
    char **all = realloc(headers->texts, count * sizeof *all);
    if (all)
        headers->texts = all;
    if (!names || !all || !name || !text) {
        free(name);
        free(text);
        return false;
    }
    names[headers->count] = name;
    all[headers->count++] = text;
    return true;
}

static bool add(struct collection *collection, const char *name, size_t length)
{
    const struct known_header *header = find(name, length);
    struct headers *headers = collection->headers;
    if (is_in((const char *const *)collection->users, collection->user_count, name, length) ||
        is_in(headers->names, headers->count, name, length))
        return true;
    bool cpu = collection->compiler == HEADERS_FOR_CPU;
    collection->others |= !cpu && (!header || header->kind >= HEADER_KNOWN);
    if (!header || (collection->compiler == HEADERS_FOR_NVRTC && header->kind >= HEADER_KNOWN) ||
        (!cpu && header->kind == HEADER_TOOLKIT))
        return true; /* the compiler finds it, or says that nobody does */
    char *text = text_of(header, name, length, cpu);
    return keep(headers, strndup(name, length), text) && add_included(collection, headers->texts[headers->count - 1]);
}

static bool see_include(void *context, const struct closure_include *include)
{
    struct collection *collection = context;
    if (!include->found)
        return true;
    char **users = realloc(collection->users, (collection->user_count + 1) * sizeof *users);
    if (!users)
        return false;
    collection->users = users;
    users[collection->user_count] = strndup(include->name, include->length);
    return users[collection->user_count++] != NULL;
}

static bool see_absent(void *context, const struct closure_include *include)
{
    return include->found || add(context, include->name, include->length);
}

static bool scan(const struct compile_request *request, const struct closure_visitor *visitor,
                 struct collection *collection, bool *hidden)
{
    const struct closure_setting setting = {.folder = request->folder,
                                            .options = request->options,
                                            .option_count = request->option_count,
                                            .visitor = visitor,
                                            .context = collection};
    struct closure *closure = closure_create(&setting);
    bool done = closure && closure_scan(closure, request->path, request->text, request->length);
    *hidden = done && closure_findings(closure)->hidden;
    closure_free(closure);
    return done;
}

/* Includes that the scan cannot name, and those of the Toolkit's headers. */
static bool add_all(struct collection *collection)
{
    for (size_t i = 0; i < KNOWN; i++) {
        if (known[i].kind == HEADER_OWN && !add(collection, known[i].name, strlen(known[i].name)))
            return false;
    }
    return true;
}

bool headers_collect(const struct compile_request *request, enum headers_for compiler, struct headers *headers)
{
    static const struct closure_visitor first = {.include = see_include}, second = {.include = see_absent};
    struct collection collection = {.headers = headers, .compiler = compiler};
    bool hidden = false;
    *headers = (struct headers){0};
    bool done = scan(request, &first, &collection, &hidden) && scan(request, &second, &collection, &hidden) &&
                ((!hidden && !collection.others) || add_all(&collection));
    for (size_t i = 0; i < collection.user_count; i++)
        free(collection.users[i]);
    free(collection.users);
    if (!done)
        headers_clear(headers);
    return done;
}

void headers_clear(struct headers *headers)
{
    for (size_t i = 0; i < headers->count; i++) {
        free((char *)headers->names[i]);
        free(headers->texts[i]);
    }
    free(headers->names);
    free(headers->texts);
    *headers = (struct headers){0};
}

/* ---- as files ---- */

static bool file_path(char *path, const char *folder, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length > 0 && length < PATH_MAX;
}

/* Those above the file, from the one whose name ends at `from` on. */
static bool make_folders(char *path, size_t from)
{
    for (char *slash = path + from; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Messages name the header as it is included. */
static bool write_one(const char *path, const char *name, const char *text)
{
    FILE *stream = fopen(path, "we");
    if (!stream)
        return false;
    line_directive(stream, 1, name);
    fputs(text, stream);
    bool written = !ferror(stream);
    return fclose(stream) == 0 && written;
}

bool headers_write(const struct headers *headers, const char *folder, struct error *error)
{
    for (size_t i = 0; i < headers->count; i++) {
        char path[PATH_MAX];
        if (!file_path(path, folder, headers->names[i]))
            return error_set(error, ERROR_SYSTEM, "the path '%.200s...' is too long", folder);
        if (access(path, R_OK) == 0)
            continue;
        if (!make_folders(path, strlen(folder)) || !write_one(path, headers->names[i], headers->texts[i])) {
            error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
            unlink(path);
            return false;
        }
    }
    return true;
}

void headers_remove(const struct headers *headers, const char *folder)
{
    for (size_t i = 0; i < headers->count; i++) {
        char path[PATH_MAX];
        if (!file_path(path, folder, headers->names[i]))
            continue;
        unlink(path);
        for (char *slash; (slash = strrchr(path, '/')) && slash >= path + strlen(folder);) {
            *slash = '\0';
            rmdir(path); /* fails while there are others in it */
        }
    }
}

void headers_write_all(FILE *stream)
{
    for (size_t i = 0; i < KNOWN; i++)
        fprintf(stream, "%s %d\n%s", known[i].name, (int)known[i].kind, known[i].text);
}
