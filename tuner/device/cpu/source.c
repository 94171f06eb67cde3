/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/source.h"

#include "tuner/device/cpu/inclusion.h"
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

extern const char tune_kernel_abi[], tune_cuda_words[], tune_texture_words[], tune_launch_words[];
extern const size_t tune_kernel_abi_size, tune_cuda_words_size, tune_texture_words_size, tune_launch_words_size;

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
    line_directive(stream, 1, "launch_words.hpp");
    fwrite(tune_launch_words, 1, tune_launch_words_size, stream);
}

/* What the rewriting of a text makes; free all but the numbers. */
struct pieces {
    char *text, *clusters, *launched; /* of tables, but for what surrounds them */
    size_t length;                    /* of the text */
    struct rewritten found;
};

static void free_pieces(struct pieces *pieces)
{
    free(pieces->text);
    free(pieces->clusters);
    free(pieces->launched);
}

static bool rewrite(const struct compile_request *request, struct pieces *pieces, struct error *error)
{
    enum { TEXT, CLUSTERS, LAUNCHED, STREAMS };
    struct text_stream streams[STREAMS] = {0};
    char **const results[STREAMS] = {&pieces->text, &pieces->clusters, &pieces->launched};
    size_t opened = 0, length;
    char *text = inclusion_expand(request, &length, error);
    if (!text)
        return false;
    while (opened < STREAMS && text_stream_open(&streams[opened], error))
        opened++;
    if (opened == STREAMS) {
        const struct rewrite_to to = {streams[TEXT].out, streams[CLUSTERS].out, streams[LAUNCHED].out};
        streams[TEXT].failed = !rewrite_source(text, length, &to, &pieces->found) || streams[TEXT].failed;
    }
    free(text);
    bool done = opened == STREAMS;
    while (opened-- > 0) {
        *results[opened] = text_stream_close(&streams[opened], error);
        done = done && *results[opened];
    }
    pieces->length = streams[TEXT].length;
    return done;
}

static void write_tables(const struct compile_request *request, const struct pieces *pieces, FILE *stream)
{
    static const char export[] = "extern \"C\" __attribute__((visibility(\"default\"))) const";
    line_directive(stream, 1, MISSING_NAMES_TABLES);
    write_table(stream, "tune_kernel", TUNE_MODULE_KERNELS, "TUNE_KERNEL", request->kernels, request->kernel_count);
    write_table(stream, "tune_symbol", TUNE_MODULE_SYMBOLS, "TUNE_SYMBOL", request->symbols, request->symbol_count);
    fprintf(stream, "%s struct tune_cluster_of " TUNE_MODULE_CLUSTERS "[] = {\n%s{}};\n", export, pieces->clusters);
    fprintf(stream, "%s char *const " TUNE_MODULE_LAUNCHED "[] = {\n%s0};\n", export, pieces->launched);
    fprintf(stream, "%s size_t " TUNE_MODULE_ALIGNMENT " = %zu;\n", export, pieces->found.shared_alignment);
}

bool source_write(const struct compile_request *request, bool words_ahead, FILE *stream, struct error *error)
{
    struct pieces pieces = {0};
    if (!check_names("kernel", request->kernels, request->kernel_count, error) ||
        !check_names("symbol", request->symbols, request->symbol_count, error))
        return false;
    if (!rewrite(request, &pieces, error)) {
        free_pieces(&pieces);
        return false;
    }
    if (!words_ahead)
        source_write_words(stream);
    line_directive(stream, 1, "defines");
    fputs(request->preamble ? request->preamble : "", stream);
    fputs(request->defines ? request->defines : "", stream);
    fputc('\n', stream);
    bool checked = parameter_check_write(request, pieces.text, pieces.length, stream);
    write_tables(request, &pieces, stream);
    bool written = fflush(stream) == 0 && !ferror(stream);
    if (!written)
        error_set(error, ERROR_SYSTEM, "cannot write the kernel's source to '%s': %s", request->scratch_folder,
                  strerror(errno));
    free_pieces(&pieces);
    return checked ? written : error_out_of_memory(error);
}
