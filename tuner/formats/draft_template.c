/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/draft_template.h"

#include "tuner/formats/draft_parts.h"

#include <string.h>

static void write_sizes(FILE *out, const struct draft_plan *plan)
{
    static const char *const values[] = {
        "2 ** 16 if device.kind == \"cpu\" else 2 ** 24", "256 if device.kind == \"cpu\" else 4096",
        "32 if device.kind == \"cpu\" else 256", "8 if device.kind == \"cpu\" else 64"};
    enum { MOST = sizeof values / sizeof *values };
    size_t factors = plan->size_count > 1 ? plan->size_count : plan->kernel->dimensions;
    const char *value = values[factors > MOST ? MOST - 1 : factors - 1];
    if (plan->size)
        fprintf(out, "size %s = %s # the kernel is told no size\n", plan->size, value);
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        if (plan->arguments[i].role == DRAFT_SIZE)
            fprintf(out, "size %s = %s\n", plan->arguments[i].name, value);
    }
    fprintf(out,
            "# awkward %s = %s # if the kernel takes any size: every configuration is then validated at it, too\n",
            draft_plan_size(plan, 0), factors > 1 ? "65" : "8193");
}

static void write_parameters(FILE *out, const struct draft_plan *plan)
{
    static const char *const purposes[] = {[DRAFT_BLOCK] = "threads per block",
                                           [DRAFT_ITEMS] = "elements per thread",
                                           [DRAFT_TILE] = "size of a tile",
                                           [DRAFT_SWITCH] = "1: on",
                                           [DRAFT_OTHER] = "what it does"};
    static const char *const axes[] = {", along x", ", along y", ", along z", ""};
    for (size_t i = 0; i < plan->parameter_count; i++) {
        const struct draft_parameter *parameter = &plan->parameters[i];
        bool along = parameter->purpose != DRAFT_SWITCH && parameter->purpose != DRAFT_OTHER;
        if (parameter->generic)
            fprintf(out, "parameter %s \"the template argument %s\"\n", parameter->name, parameter->generic->name);
        else
            fprintf(out, "parameter %s \"%s%s\"\n", parameter->name, purposes[parameter->purpose],
                    along ? axes[parameter->axis] : "");
    }
}

static void write_buffer(FILE *out, const struct draft_plan *plan, const struct draft_argument *argument)
{
    fprintf(out, "buffer %s : %s[", argument->name, argument->element.whole);
    draft_write_extent(out, plan);
    fputs(argument->known ? "] " : " * 16] ", out);
    if (argument->access == KERNEL_WRITES)
        fputs("out", out);
    else if (draft_is_output(argument))
        fputs("inout constant(0)", out);
    else if (argument->element.floating)
        fputs("in uniform(-1, 1)", out);
    else
        fputs("in uniform(0, 100)", out);
    if (!argument->known)
        fprintf(out, " # %s *: 16 bytes each?", argument->type);
    else if (argument->access == KERNEL_UNUSED)
        fputs(" # the kernel does not use it", out);
    fputc('\n', out);
}

static void write_reference_block(FILE *out, const struct draft_plan *plan)
{
    fputs("\n# The kernel in its first configuration: this shows that all configurations agree, not that they are\n"
          "# right. reference.cu has the frame of an independent reference, which is launched like this:\n"
          "#     expected<<<ceil_div(",
          out);
    draft_write_extent(out, plan);
    fputs(", 256), 256>>>(", out);
    const char *comma = "";
    for (size_t i = 0; i < plan->kernel->parameter_count; i++, comma = ", ") {
        const struct draft_argument *argument = &plan->arguments[i];
        fputs(comma, out);
        if (draft_is_output(argument))
            fprintf(out, "ref(%s), mag(%s)", argument->name, argument->name);
        else
            draft_write_argument(out, plan, argument);
    }
    fputs(")\nreference \"reference.cu\" {\n", out);
    draft_write_launch(out, plan, DRAFT_BY_VALUE);
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        const struct draft_argument *argument = &plan->arguments[i];
        if (!draft_is_output(argument))
            continue;
        fprintf(out, "    tune_widen_%s<<<ceil_div(", argument->element.name);
        for (int end = 0; end < 2; end++) {
            if (argument->element.width > 1)
                fprintf(out, "%u * ", argument->element.width);
            draft_write_extent(out, plan);
            fputs(argument->known ? "" : " * 16", out);
            if (!end)
                fprintf(out, ", 256), 256>>>(%s, ref(%s), long(", argument->name, argument->name);
        }
        fputs("))\n", out);
    }
    fputs("}\n", out);
}

static void write_checks(FILE *out, const struct draft_plan *plan)
{
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        const struct draft_argument *argument = &plan->arguments[i];
        if (!draft_is_output(argument))
            continue;
        fprintf(out, "check %s ", argument->name);
        if (argument->element.floating)
            fprintf(out, "within %s # a guess: sum_error(n) bounds the rounding of a sum of n terms\n",
                    strcmp(argument->element.name, "double") == 0 ? "1e-10" : "1e-4");
        else
            fputs("exact\n", out);
    }
}

static void write_notes(FILE *out, const char *notes)
{
    for (const char *note = notes; *note; note += strcspn(note, "\n") + 1)
        fprintf(out, "# Note: %.*s\n", (int)strcspn(note, "\n"), note);
}

bool draft_write_template(const struct draft_subject *subject, const struct draft_plan *plan, struct draft *draft,
                          struct error *error)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, error))
        return false;
    FILE *out = stream.out;
    fprintf(out,
            "# A first draft from the signature of %s: sizes, extents, roles, values and the bound are guesses.\n",
            plan->kernel->name);
    write_notes(out, draft->notes);
    fprintf(out, "template %s\n\n", subject->name);
    write_sizes(out, plan);
    fputc('\n', out);
    write_parameters(out, plan);
    fprintf(out, "\nsource \"%s\"\n", subject->source_file);
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        if (plan->arguments[i].role == DRAFT_BUFFER)
            write_buffer(out, plan, &plan->arguments[i]);
    }
    fputs("\nlaunch {\n", out);
    draft_write_launch(out, plan, DRAFT_BY_NAME);
    fputs("}\n", out);
    if (draft_has_outputs(plan)) {
        write_reference_block(out, plan);
        write_checks(out, plan);
    }
    fputs("\n# What a launch must do at least, for rates and shares of what the device can do:\n# work flops = 2 * ",
          out);
    draft_write_extent(out, plan);
    fputs(", bytes = 8 * ", out);
    draft_write_extent(out, plan);
    fputc('\n', out);
    draft->template = text_stream_close(&stream, error);
    return draft->template;
}
