/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/source.h"

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/cpu/rewrite.h"
#include "tuner/device/line_directive.h"
#include "tuner/device/parameter_check.h"
#include "tuner/error/text_stream.h"
#include "tuner/source/closure.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern const char tune_kernel_abi[], tune_cuda_words[];
extern const size_t tune_kernel_abi_size, tune_cuda_words_size;

static bool is_name(const char *text)
{
    if (isdigit((unsigned char)*text))
        return false;
    const char *c = text;
    while (isalnum((unsigned char)*c) || *c == '_' || *c == '$' || *c == ':')
        c++;
    return *c == '\0' && c != text;
}

/* The names are written into the unit, so nothing but names may pass. */
static bool check_names(const char *what, const char *const *names, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_name(names[i]))
            return error_set(error, ERROR_INPUT, "'%s' is not the name of a %s", names[i], what);
    }
    return true;
}

static void write_table(FILE *stream, const char *type, const char *table, const char *macro,
                        const char *const *names, size_t count)
{
    fprintf(stream, "extern \"C\" __attribute__((visibility(\"default\"))) const struct %s %s[] = {\n", type, table);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s(%s)\n", macro, names[i]);
    fputs("{}};\n", stream);
}

void source_write_words(FILE *stream)
{
    line_directive(stream, 1, "kernel_abi.h");
    fwrite(tune_kernel_abi, 1, tune_kernel_abi_size, stream);
    line_directive(stream, 1, "cuda_words.hpp");
    fwrite(tune_cuda_words, 1, tune_cuda_words_size, stream);
}

static bool see_include(void *context, const struct closure_include *include)
{
    *(bool *)context |= !include->found && rewrite_is_host_header(include->name, include->length);
    return true;
}

/* Also in files that the source includes, which are not rewritten. */
static bool find_host_headers(const struct compile_request *request, bool *host_headers)
{
    static const struct closure_visitor visitor = {.include = see_include};
    const struct closure_setting setting = {.folder = request->folder,
                                            .options = request->options,
                                            .option_count = request->option_count,
                                            .visitor = &visitor,
                                            .context = host_headers};
    struct closure *closure = closure_create(&setting);
    bool done = closure && closure_scan(closure, request->path, request->text, request->length);
    closure_free(closure);
    return done;
}

bool source_write(const struct compile_request *request, bool *words_ahead, FILE *stream, struct error *error)
{
    if (!check_names("kernel", request->kernels, request->kernel_count, error) ||
        !check_names("symbol", request->symbols, request->symbol_count, error))
        return false;

    struct rewritten rewritten = {0};
    struct text_stream memory;
    if (!text_stream_open(&memory, error))
        return false;
    memory.failed = !rewrite_source(request->text, request->length, memory.out, &rewritten) ||
                    !find_host_headers(request, &rewritten.host_headers) || memory.failed;
    char *text = text_stream_close(&memory, error);
    if (!text)
        return false;

    if (rewritten.host_headers) {
        *words_ahead = false;
        fputs("#define TUNE_HOST_HEADERS 1\n", stream);
    }
    if (!*words_ahead)
        source_write_words(stream);
    line_directive(stream, 1, "defines");
    fputs(request->preamble ? request->preamble : "", stream);
    fputs(request->defines ? request->defines : "", stream);
    fputc('\n', stream);
    bool checked = parameter_check_write(request, text, memory.length, stream);
    line_directive(stream, 1, "kernels and symbols that the template asks for");
    write_table(stream, "tune_kernel", TUNE_MODULE_KERNELS, "TUNE_KERNEL", request->kernels, request->kernel_count);
    write_table(stream, "tune_symbol", TUNE_MODULE_SYMBOLS, "TUNE_SYMBOL", request->symbols, request->symbol_count);
    fprintf(stream,
            "extern \"C\" __attribute__((visibility(\"default\"))) const size_t " TUNE_MODULE_ALIGNMENT " = %zu;\n",
            rewritten.shared_alignment);
    bool written = fflush(stream) == 0 && !ferror(stream);
    if (!written)
        error_set(error, ERROR_SYSTEM, "cannot write the kernel's source to '%s': %s", request->scratch_folder,
                  strerror(errno));
    free(text);
    return checked ? written : error_out_of_memory(error);
}
