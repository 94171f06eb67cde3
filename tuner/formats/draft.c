/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/draft.h"

#include "tuner/formats/draft_parts.h"
#include "tuner/formats/draft_template.h"
#include "tuner/formats/names.h"
#include "tuner/source/host_code.h"

#include <stdlib.h>
#include <string.h>

void draft_clear(struct draft *draft)
{
    free(draft->template);
    free(draft->space);
    free(draft->reference);
    free(draft->notes);
    *draft = (struct draft){0};
}

/* ---- the space ---- */

static bool write_space(const struct draft_subject *subject, const struct draft_plan *plan, struct draft *draft,
                        struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    FILE *out = stream.out;
    fprintf(out, "space %s of %s \"first guesses\"\n\n", subject->name, subject->name);
    for (size_t i = 0; i < plan->parameter_count; i++) {
        const struct draft_parameter *parameter = &plan->parameters[i];
        fprintf(out, "param %s = %s", parameter->name, parameter->values);
        if (parameter->line)
            fprintf(out, " # %lld in the source", parameter->first);
        fputc('\n', out);
    }
    fputs("\nwhere ", out);
    for (unsigned axis = 0; axis < plan->kernel->dimensions; axis++) {
        fputs(axis ? " * " : "", out);
        draft_write_block(out, plan, axis, DRAFT_BY_NAME);
    }
    fputs(" <= device.max_threads_per_block\n", out);
    for (size_t i = 0; i < plan->parameter_count; i++) {
        fprintf(out, "%s%s = ", i ? ", " : "default ", plan->parameters[i].name);
        draft_write_first(out, &plan->parameters[i]);
    }
    fputs(plan->parameter_count ? "\n" : "", out);
    draft->space = text_stream_close(&stream, error);
    return draft->space;
}

/* ---- the reference ---- */

static void write_widening(FILE *out, const struct draft_plan *plan)
{
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        const struct draft_argument *argument = &plan->arguments[i];
        bool first = draft_is_output(argument);
        for (size_t k = 0; k < i; k++)
            first = first && !(draft_is_output(&plan->arguments[k]) &&
                               strcmp(plan->arguments[k].element.name, argument->element.name) == 0);
        const char *name = argument->element.name;
        bool narrow = strcmp(name, "half") == 0 || strcmp(name, "bfloat16") == 0;
        if (first)
            fprintf(out,
                    "\n__global__ void tune_widen_%s(const void *values, double *expected, long long count)\n{\n"
                    "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "    if (i < count)\n"
                    "        expected[i] = %s((const %s *)values)[i];\n}\n",
                    name, narrow ? "(float)" : "", draft_type_c_name(name));
    }
}

static void write_frame(FILE *out, const struct draft_plan *plan)
{
    fputs("\n// The frame of an independent reference. Expected values are in double precision; mag holds sums of "
          "absolute\n// terms, which the rounding error scales with, and may be left out.\n/*\n__global__ void "
          "expected(",
          out);
    const char *comma = "";
    for (size_t i = 0; i < plan->kernel->parameter_count; i++, comma = ", ") {
        const struct draft_argument *argument = &plan->arguments[i];
        fputs(comma, out);
        if (draft_is_output(argument))
            fprintf(out, "double *%s, double *mag_%s", argument->name, argument->name);
        else if (argument->role == DRAFT_BUFFER && !argument->texture)
            fprintf(out, "const %s *%s", argument->type, argument->name);
        else
            fprintf(out, "%s %s", argument->type, argument->name);
    }
    fputs(")\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < ", out);
    draft_write_extent(out, plan);
    fputs(") {\n", out);
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        if (draft_is_output(&plan->arguments[i]))
            fprintf(out, "        %s[i] = ...;\n        mag_%s[i] = ...;\n", plan->arguments[i].name,
                    plan->arguments[i].name);
    }
    fputs("    }\n}\n*/\n", out);
}

static bool write_reference(const struct draft_subject *subject, const struct draft_plan *plan, struct draft *draft,
                            struct error *error)
{
    struct text_stream stream;
    if (!draft_has_outputs(plan))
        return true;
    if (!text_stream_open(&stream, error))
        return false;
    FILE *out = stream.out;
    fputs("// The kernel in its first configuration, with which all others are compared until you replace it.\n",
          out);
    for (size_t i = 0; i < plan->parameter_count; i++) {
        if (plan->parameters[i].macro)
            fprintf(out, "#define %s %lld\n", plan->parameters[i].name, plan->parameters[i].first);
    }
    fprintf(out, "#include \"%s\"\n", subject->source_file);
    write_widening(out, plan);
    write_frame(out, plan);
    draft->reference = text_stream_close(&stream, error);
    return draft->reference;
}

/* ---- */

static const struct kernel_signature *choose(const struct draft_subject *subject, const struct kernel_scan *scan,
                                             struct error *error)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < scan->count; i++) {
        const struct kernel_signature *kernel = &scan->kernels[i];
        if (subject->kernel ? strcmp(kernel->name, subject->kernel) == 0 : kernel->defined)
            return kernel;
        if (count < sizeof names / sizeof *names)
            names[count++] = kernel->name;
    }
    if (count == 0) {
        error_set(error, ERROR_INPUT, "%s: no __global__ function found", subject->path);
        error_hint(error, "a kernel whose signature macros make is not seen: write it out");
        return NULL;
    }
    error_set(error, ERROR_INPUT, "%s: there is no kernel %s%s", subject->path,
              subject->kernel ? subject->kernel : "with a body", subject->kernel ? "" : " in it");
    const char *nearest = subject->kernel ? error_nearest(subject->kernel, names, count) : NULL;
    error_hint(error, "%s %.100s", nearest ? "did you mean" : "it has", nearest ? nearest : names[0]);
    return NULL;
}

static void note_others(const struct draft_subject *subject, const struct kernel_scan *scan,
                        const struct kernel_signature *kernel, FILE *notes)
{
    for (size_t i = 0; i < scan->count && !subject->kernel; i++) {
        if (&scan->kernels[i] != kernel && scan->kernels[i].defined)
            fprintf(notes, "the source has another kernel, %s (line %u): --kernel-name %s drafts that\n",
                    scan->kernels[i].name, scan->kernels[i].line, scan->kernels[i].name);
    }
}

static void note_host_code(const struct cuda_tokens *tokens, FILE *notes)
{
    const struct cuda_token *found = host_code_find(tokens);
    if (found)
        fprintf(
            notes,
            "line %u is for a host program (%.*s): put #ifndef __CUDACC_RTC__ and #endif around such code and its "
            "headers\n",
            found->line, (int)(*found->start == '<' ? 3 : found->length), found->start);
}

/* The macros that matter to a kernel: not those that only other kernels mention. */
static bool scan_macros(const struct draft_subject *subject, const struct kernel_scan *scan,
                        const struct kernel_signature *kernel, struct kernel_macros *macros)
{
    char *text = malloc(subject->length + 1);
    if (!text)
        return false;
    memcpy(text, subject->text, subject->length);
    for (size_t i = 0; i < scan->count; i++) {
        const struct kernel_signature *other = &scan->kernels[i];
        for (size_t at = other->start; other != kernel && at < other->end; at++)
            text[at] = text[at] == '\n' ? '\n' : ' ';
    }
    bool done = kernel_macros_scan(text, subject->length, subject->complete, macros);
    free(text);
    return done;
}

static bool write_texts(const struct draft_subject *subject, struct draft_plan *plan, struct draft *draft,
                        struct error *error)
{
    draft->notes = text_stream_close(&plan->notes, error);
    return draft->notes && draft_write_template(subject, plan, draft, error) &&
           write_space(subject, plan, draft, error) && write_reference(subject, plan, draft, error);
}

bool draft_write(const struct draft_subject *subject, struct draft *draft, struct error *error)
{
    *draft = (struct draft){0};
    bool allowed = false;
    struct kernel_scan scan = {0};
    struct kernel_macros macros = {0};
    struct draft_plan plan = {0};
    struct cuda_tokens tokens = {0};
    if (!name_is_allowed(subject->name, &allowed, error))
        return false;
    if (!allowed) {
        error_set(error, ERROR_INPUT, "'%.100s' cannot be the name of a template", subject->name);
        return error_hint(error, "use letters, digits and underscores, and no word of the language");
    }
    bool done = kernel_scan(subject->text, subject->length, &scan) || error_out_of_memory(error);
    const struct kernel_signature *kernel = done ? choose(subject, &scan, error) : NULL;
    done = kernel &&
           ((scan_macros(subject, &scan, kernel, &macros) &&
             cuda_tokens_scan(subject->text, subject->length, &tokens)) ||
            error_out_of_memory(error)) &&
           draft_plan_make(kernel, &macros, &tokens, &plan, error);
    if (done) {
        note_others(subject, &scan, kernel, plan.notes.out);
        note_host_code(&tokens, plan.notes.out);
        done = write_texts(subject, &plan, draft, error);
    }
    draft_plan_clear(&plan);
    free(macros.items);
    free(tokens.items);
    kernel_scan_clear(&scan);
    return done;
}
