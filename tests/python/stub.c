/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library with the interface of tune.h that launches nothing and remembers what it was given, so that the package
 * is tested with arrays of GPUs where there is none. The kernel's name says what it is:
 *
 *     "PLACE NAME:TYPE:ROLE:BYTES:FACTOR ..."      PLACE: cpu or cuda; ROLE: 0 in, 1 out, 2 inout
 *
 * A buffer has FACTOR times the size n of elements of BYTES each. "broken" is no kernel.
 */
#include "tuner/library/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tune {
    int refreshed;
};

struct tune_answer {
    char kernel[256], size[64];
    int64_t n;
};

struct tune_kernel {
    double online;
    struct tune_answer answer;
    int kept;
};

TUNE_API int stub_alive;        /* handles that were not freed */
TUNE_API char stub_calls[4096]; /* "launch STREAM ADDRESS:SIZE ...\n" */

static enum tune_code fail(enum tune_code code, const char *text, struct tune_error *error)
{
    *error = (struct tune_error){.code = code, .line = 3, .column = 7};
    strcpy(error->text, text);
    strcpy(error->hint, "try another");
    strcpy(error->file, "stub.template");
    return code;
}

const char *tune_code_name(enum tune_code code)
{
    return code == TUNE_ERROR_INPUT ? "input" : code == TUNE_ERROR_UNVALIDATED ? "unvalidated" : "argument";
}

const char *tune_version(void)
{
    return "stub";
}

int tune_interface(void)
{
    return TUNE_INTERFACE;
}

enum tune_code tune_open(const struct tune_options *options, struct tune **tune, struct tune_error *error)
{
    if (options->bytes != sizeof *options)
        return fail(TUNE_ERROR_ARGUMENT, "options of another size", error);
    *tune = calloc(1, sizeof **tune);
    stub_alive++;
    return TUNE_OK;
}

void tune_close(struct tune *tune)
{
    stub_alive--;
    free(tune);
}

enum tune_code tune_trouble(struct tune *tune, struct tune_error *error)
{
    (void)tune;
    return fail(TUNE_ERROR_INPUT, "a file that is damaged", error);
}

void tune_refresh(struct tune *tune)
{
    tune->refreshed++;
}

enum tune_code tune_best(struct tune *tune, const struct tune_problem *problem, struct tune_answer **answer,
                         struct tune_error *error)
{
    (void)tune;
    if (problem->bytes != sizeof *problem)
        return fail(TUNE_ERROR_ARGUMENT, "a problem of another size", error);
    if (strcmp(problem->kernel, "broken") == 0)
        return fail(TUNE_ERROR_INPUT, "unknown name x", error);
    *answer = calloc(1, sizeof **answer);
    strcpy((*answer)->kernel, problem->kernel);
    (*answer)->n = 4;
    for (size_t i = 0; i < problem->size_count; i++) {
        if (strcmp(problem->sizes[i].name, "n") == 0)
            (*answer)->n = problem->sizes[i].value;
    }
    snprintf((*answer)->size, sizeof(*answer)->size, "n=%lld,k=3", (long long)(*answer)->n);
    snprintf(stub_calls + strlen(stub_calls), sizeof stub_calls - strlen(stub_calls), "best %s %s\n",
             problem->device ? problem->device : "-", problem->objective ? problem->objective : "-");
    stub_alive++;
    return TUNE_OK;
}

void tune_answer_free(struct tune_answer *answer)
{
    stub_alive--;
    free(answer);
}

void tune_answer_describe(const struct tune_answer *answer, struct tune_answer_info *info)
{
    if (info->bytes != sizeof *info)
        abort();
    *info =
        (struct tune_answer_info){.bytes = sizeof *info,
                                  .rule = TUNE_RULE_SIZE,
                                  .kernel = "stub",
                                  .size = answer->size,
                                  .device = "a device",
                                  .configuration = "{\"BLOCK\": 64, \"WIDE\": true, \"KIND\": \"a\", \"SCALE\": 0.5}",
                                  .defines = "#define BLOCK 64\n",
                                  .origin = "a stub",
                                  .time_ns = 1500,
                                  .octaves = 2.5,
                                  .validated = 1};
}

enum tune_code tune_load(struct tune *tune, const struct tune_answer *answer, const struct tune_load_options *options,
                         struct tune_kernel **kernel, struct tune_error *error)
{
    (void)tune;
    if (options->bytes != sizeof *options)
        return fail(TUNE_ERROR_ARGUMENT, "options of another size", error);
    if (strstr(answer->kernel, "new") && !(options->flags & TUNE_LOAD_UNVALIDATED))
        return fail(TUNE_ERROR_UNVALIDATED, "nothing fits", error);
    *kernel = calloc(1, sizeof **kernel);
    (*kernel)->answer = *answer;
    (*kernel)->online = options->online;
    stub_alive++;
    return TUNE_OK;
}

/* The share in hundredths is the number of calls. */
enum tune_code tune_kernel_online(const struct tune_kernel *kernel, struct tune_online_info *info,
                                  struct tune_error *error)
{
    if (info->bytes != sizeof *info)
        return fail(TUNE_ERROR_ARGUMENT, "what is known of another size", error);
    *info = (struct tune_online_info){.bytes = sizeof *info,
                                      .state = kernel->online > 0 ? TUNE_ONLINE_DONE : TUNE_ONLINE_OFF,
                                      .why = kernel->online > 0 ? "all was tried" : "not asked for",
                                      .configuration = "{\"BLOCK\":64}",
                                      .ratio = 0.75,
                                      .candidates = 7,
                                      .tried = 6,
                                      .wrong = 5,
                                      .calls = (uint64_t)(100 * kernel->online + 0.5),
                                      .tries = 3,
                                      .time_ns = 4e9,
                                      .excess_ns = 1e9,
                                      .stored = 1};
    return TUNE_OK;
}

void tune_kernel_free(struct tune_kernel *kernel)
{
    stub_alive--;
    free(kernel);
}

enum tune_code tune_kernel_fork(struct tune_kernel *kernel, struct tune_kernel **fork, struct tune_error *error)
{
    (void)error;
    *fork = malloc(sizeof **fork);
    **fork = *kernel;
    stub_alive++;
    return TUNE_OK;
}

static int is_cuda(const struct tune_kernel *kernel)
{
    return strncmp(kernel->answer.kernel, "cuda", 4) == 0;
}

void tune_kernel_describe(const struct tune_kernel *kernel, struct tune_kernel_info *info)
{
    static const unsigned char cubin[20] = {0x7f, 'E', 'L', 'F', [18] = 190},
                               object[20] = {0x7f, 'E', 'L', 'F', [18] = 62};
    if (info->bytes != sizeof *info)
        abort();
    *info = (struct tune_kernel_info){.bytes = sizeof *info,
                                      .answer = &kernel->answer,
                                      .workspace = 12,
                                      .launch_count = 1,
                                      .from_cache = 1,
                                      .image_bytes = sizeof cubin};
    info->image = is_cuda(kernel) ? cubin : object;
    info->must_prepare = info->must_finish = strstr(kernel->answer.kernel, "prepared") ? 1 : 0;
    for (const char *c = kernel->answer.kernel; *c; c++)
        info->buffer_count += *c == ' ' && strchr(c, ':') ? 1 : 0;
}

enum tune_code tune_kernel_buffer(const struct tune_kernel *kernel, size_t index, struct tune_buffer_info *info,
                                  struct tune_error *error)
{
    static char names[8][32], types[8][32];
    int role = 0;
    unsigned long bytes = 0, factor = 0;
    const char *at = kernel->answer.kernel;
    if (info->bytes != sizeof *info)
        return fail(TUNE_ERROR_ARGUMENT, "a buffer of another size", error);
    for (size_t i = 0; i <= index; i++)
        at = strchr(at, ' ') + 1;
    if (sscanf(at, "%31[^:]:%31[^:]:%d:%lu:%lu", names[index], types[index], &role, &bytes, &factor) != 5)
        abort();
    *info = (struct tune_buffer_info){
        .bytes = sizeof *info, .name = names[index], .type = types[index], .role = (enum tune_role)role};
    info->elements = factor * (uint64_t)kernel->answer.n;
    info->size = bytes * info->elements;
    return TUNE_OK;
}

enum tune_code tune_kernel_launch(const struct tune_kernel *kernel, size_t index, struct tune_launch_info *info,
                                  struct tune_error *error)
{
    if (info->bytes != sizeof *info || index > 0)
        return fail(TUNE_ERROR_ARGUMENT, "a launch of another size", error);
    *info = (struct tune_launch_info){.bytes = sizeof *info,
                                      .kernel = "k",
                                      .function = is_cuda(kernel) ? &stub_alive : NULL,
                                      .grid = {7, 2, 1},
                                      .block = {64, 1, 1},
                                      .shared_bytes = 96,
                                      .cooperative = 1};
    return TUNE_OK;
}

static enum tune_code note(const char *what, void *stream, const struct tune_buffer *buffers, size_t count)
{
    size_t used = strlen(stub_calls);
    used += (size_t)snprintf(stub_calls + used, sizeof stub_calls - used, "%s %zu", what, (size_t)stream);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(stub_calls + used, sizeof stub_calls - used, " %zu:%llu", (size_t)buffers[i].address,
                                 (unsigned long long)buffers[i].size);
    snprintf(stub_calls + used, sizeof stub_calls - used, "\n");
    return TUNE_OK;
}

enum tune_code tune_launch(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers, size_t count,
                           struct tune_error *error)
{
    (void)kernel, (void)error;
    return note("launch", stream, buffers, count);
}

enum tune_code tune_prepare(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers, size_t count,
                            struct tune_error *error)
{
    (void)kernel, (void)error;
    return note("prepare", stream, buffers, count);
}

enum tune_code tune_finish(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers, size_t count,
                           struct tune_error *error)
{
    (void)kernel, (void)error;
    return note("finish", stream, buffers, count);
}
