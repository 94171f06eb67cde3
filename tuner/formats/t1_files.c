/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_files.h"

#include "tuner/formats/t1_template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool t1_write_space(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    FILE *out = stream.out;
    fprintf(out, "space %s of %s \"as imported\"\n\n", t1->name, t1->name);
    for (size_t i = 0; i < t1->parameter_count; i++)
        fprintf(out, "param %s = %s\n", t1->parameters[i].name, t1->parameters[i].values_text);
    fputc('\n', out);
    for (size_t i = 0; i < t1->condition_count; i++)
        fprintf(out, "where %s\n", t1->conditions[i]);
    fputs(t1->condition_count ? "\n" : "", out);
    const char *word = "default ";
    for (size_t i = 0; i < t1->parameter_count; i++) {
        const struct t1_parameter *parameter = &t1->parameters[i];
        if (!parameter->default_text)
            continue;
        fprintf(out, "%s%s = %s", word, parameter->name, parameter->default_text);
        word = ", ";
    }
    fputc('\n', out);
    return t1_keep_text(&stream, &import->space, error);
}

/* An ending behind .cu, such as .hip, is dropped. */
bool t1_name_files(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    const char *slash = strrchr(t1->kernel_file, '/');
    const char *base = slash ? slash + 1 : t1->kernel_file;
    const char *cuda = strstr(base, ".cu");
    size_t stem = cuda && cuda != base ? (size_t)(cuda - base) : strcspn(base, ".");
    if (stem == 0 || stem > 100)
        stem = 0;
    if (asprintf(&import->source_file, "%.*s.cu", stem ? (int)stem : 6, stem ? base : "kernel") < 0)
        import->source_file = NULL;
    for (char *c = import->source_file; c && *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
            *c = '_';
    }
    bool taken = import->source_file && strcmp(import->source_file, "reference.cu") == 0;
    import->reference_file = strdup(taken ? "by_default.cu" : "reference.cu");
    import->kernel_file = strdup(t1->kernel_file);
    import->foreign = t1->foreign;
    import->name = strdup(t1->name);
    return (import->source_file && import->reference_file && import->kernel_file && import->name) ||
           error_out_of_memory(error);
}

bool t1_write_placeholder(const struct t1 *t1, struct t1_import *import, struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    fprintf(stream.out, "#error \"put the kernel here%s: ", t1->foreign ? ", in CUDA" : "");
    for (const char *c = t1->kernel_file; *c; c++)
        fputc(iscntrl((unsigned char)*c) || strchr("\"\\", *c) ? '_' : *c, stream.out);
    fprintf(stream.out, " has %s\"\n", t1->kernel);
    return t1_keep_text(&stream, &import->source, error);
}
