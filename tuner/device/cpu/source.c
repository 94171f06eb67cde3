/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/source.h"

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/cpu/missing_names.h"
#include "tuner/device/cpu/rewrite.h"
#include "tuner/device/line_directive.h"
#include "tuner/device/parameter_check.h"
#include "tuner/error/text_stream.h"
#include "tuner/source/kernel_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern const char tune_kernel_abi[], tune_cuda_words[], tune_texture_words[];
extern const size_t tune_kernel_abi_size, tune_cuda_words_size, tune_texture_words_size;

/* The names are written into the unit, so nothing but names may pass. */
static bool check_names(const char *what, const char *const *names, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!kernel_name_is_valid(names[i]))
            return error_set(error, ERROR_INPUT, "'%s' is not the name of a %s", names[i], what);
    }
    return true;
}

static void write_table(FILE *stream, const char *type, const char *table, const char *macro,
                        const char *const *names, size_t count)
{
    fprintf(stream, "extern \"C\" __attribute__((visibility(\"default\"))) const struct %s %s[] = {\n", type, table);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s(\"%s\", %s)\n", macro, names[i], names[i]);
    fputs("{}};\n", stream);
}

void source_write_words(FILE *stream)
{
    line_directive(stream, 1, "kernel_abi.h");
    fwrite(tune_kernel_abi, 1, tune_kernel_abi_size, stream);
    line_directive(stream, 1, "cuda_words.hpp");
    fwrite(tune_cuda_words, 1, tune_cuda_words_size, stream);
    line_directive(stream, 1, "texture_words.hpp");
    fwrite(tune_texture_words, 1, tune_texture_words_size, stream);
}

bool source_write(const struct compile_request *request, bool words_ahead, FILE *stream, struct error *error)
{
    if (!check_names("kernel", request->kernels, request->kernel_count, error) ||
        !check_names("symbol", request->symbols, request->symbol_count, error))
        return false;

    struct rewritten rewritten = {0};
    struct text_stream memory, list;
    char *text = NULL, *clusters = NULL;
    if (!text_stream_open(&memory, error))
        return false;
    if (text_stream_open(&list, error)) {
        memory.failed =
            !rewrite_source(request->text, request->length, memory.out, list.out, &rewritten) || memory.failed;
        clusters = text_stream_close(&list, error);
    }
    text = text_stream_close(&memory, error);
    if (!text || !clusters) {
        free(text);
        free(clusters);
        return false;
    }

    if (!words_ahead)
        source_write_words(stream);
    line_directive(stream, 1, "defines");
    fputs(request->preamble ? request->preamble : "", stream);
    fputs(request->defines ? request->defines : "", stream);
    fputc('\n', stream);
    bool checked = parameter_check_write(request, text, memory.length, stream);
    line_directive(stream, 1, MISSING_NAMES_TABLES);
    write_table(stream, "tune_kernel", TUNE_MODULE_KERNELS, "TUNE_KERNEL", request->kernels, request->kernel_count);
    write_table(stream, "tune_symbol", TUNE_MODULE_SYMBOLS, "TUNE_SYMBOL", request->symbols, request->symbol_count);
    fprintf(stream,
            "extern \"C\" __attribute__((visibility(\"default\"))) const struct tune_cluster_of " TUNE_MODULE_CLUSTERS
            "[] = {\n%s{}};\n",
            clusters);
    fprintf(stream,
            "extern \"C\" __attribute__((visibility(\"default\"))) const size_t " TUNE_MODULE_ALIGNMENT " = %zu;\n",
            rewritten.shared_alignment);
    bool written = fflush(stream) == 0 && !ferror(stream);
    if (!written)
        error_set(error, ERROR_SYSTEM, "cannot write the kernel's source to '%s': %s", request->scratch_folder,
                  strerror(errno));
    free(text);
    free(clusters);
    return checked ? written : error_out_of_memory(error);
}
