/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/draft_parts.h"

#include <string.h>

void draft_write_first(FILE *out, const struct draft_parameter *parameter)
{
    bool flag = parameter->generic && strcmp(parameter->generic->kind, "bool") == 0;
    if (flag)
        fputs(parameter->first ? "true" : "false", out);
    else
        fprintf(out, "%lld", parameter->first);
}

static void write_parameter(FILE *out, const struct draft_parameter *parameter, enum draft_spelling spelling)
{
    if (spelling == DRAFT_BY_NAME)
        fputs(parameter->name, out);
    else
        draft_write_first(out, parameter);
}

void draft_write_extent(FILE *out, const struct draft_plan *plan)
{
    const char *times = "";
    if (plan->size_count <= 1) {
        for (unsigned axis = 0; axis < plan->kernel->dimensions; axis++, times = " * ")
            fprintf(out, "%s%s", times, draft_plan_size(plan, 0));
        return;
    }
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        if (plan->arguments[i].role != DRAFT_SIZE)
            continue;
        fprintf(out, "%s%s", times, plan->arguments[i].name);
        times = " * ";
    }
}

void draft_write_block(FILE *out, const struct draft_plan *plan, unsigned axis, enum draft_spelling spelling)
{
    long long fixed;
    const struct draft_parameter *block = draft_plan_block(plan, axis, &fixed);
    if (block)
        write_parameter(out, block, spelling);
    else
        fprintf(out, "%lld", fixed);
}

static void write_grid(FILE *out, const struct draft_plan *plan, unsigned axis, enum draft_spelling spelling)
{
    fprintf(out, "ceil_div(%s, ", draft_plan_size(plan, axis));
    draft_write_block(out, plan, axis, spelling);
    for (size_t i = 0; i < plan->parameter_count; i++) {
        if (!draft_plan_multiplies(plan, &plan->parameters[i], axis))
            continue;
        fputs(" * ", out);
        write_parameter(out, &plan->parameters[i], spelling);
    }
    fputc(')', out);
}

typedef void extent_writer(FILE *out, const struct draft_plan *plan, unsigned axis, enum draft_spelling spelling);

static void write_shape(FILE *out, const struct draft_plan *plan, extent_writer *write, enum draft_spelling spelling)
{
    unsigned dimensions = plan->kernel->dimensions;
    fputs(dimensions > 1 ? "(" : "", out);
    for (unsigned axis = 0; axis < dimensions; axis++) {
        fputs(axis ? ", " : "", out);
        write(out, plan, axis, spelling);
    }
    fputs(dimensions > 1 ? ")" : "", out);
}

static const struct draft_parameter *find_argument(const struct draft_plan *plan,
                                                   const struct kernel_template_parameter *generic)
{
    for (size_t i = 0; i < plan->parameter_count; i++) {
        if (plan->parameters[i].generic == generic)
            return &plan->parameters[i];
    }
    return NULL;
}

/* k<TILE, float> */
static void write_kernel(FILE *out, const struct draft_plan *plan, enum draft_spelling spelling)
{
    const struct kernel_signature *kernel = plan->kernel;
    fputs(kernel->name, out);
    fputs(kernel->generic_count ? "<" : "", out);
    for (size_t i = 0; i < kernel->generic_count; i++) {
        const struct kernel_template_parameter *generic = &kernel->generic[i];
        const struct draft_parameter *parameter = find_argument(plan, generic);
        fputs(i ? ", " : "", out);
        if (parameter)
            write_parameter(out, parameter, spelling);
        else
            fputs(*generic->value ? generic->value : "float", out);
    }
    fputs(kernel->generic_count ? ">" : "", out);
}

/* texture(x, width, height): of one dimension it may also be the buffer itself. */
static void write_texture(FILE *out, const struct draft_plan *plan, const struct draft_argument *argument)
{
    fprintf(out, "texture(%s", argument->name);
    for (unsigned axis = 0; plan->kernel->dimensions > 1 && axis < plan->kernel->dimensions; axis++)
        fprintf(out, ", %s", draft_plan_size(plan, axis));
    fputc(')', out);
}

/* float4(1.0, 1.0, 1.0, 1.0) */
static void write_vector(FILE *out, const struct draft_type *type)
{
    fprintf(out, "%s(", type->whole);
    for (unsigned i = 0; i < type->width; i++)
        fprintf(out, "%s%s", i ? ", " : "", type->floating ? "1.0" : "1");
    fputc(')', out);
}

void draft_write_argument(FILE *out, const struct draft_plan *plan, const struct draft_argument *argument)
{
    const char *type = argument->element.name;
    bool plain = argument->role == DRAFT_SIZE && strcmp(type, "int") == 0;
    if (argument->texture)
        write_texture(out, plan, argument);
    else if (argument->role == DRAFT_BUFFER || plain)
        fputs(argument->name, out);
    else if (argument->element.width > 1)
        write_vector(out, &argument->element);
    else if (argument->role == DRAFT_SIZE)
        fprintf(out, "%s(%s)", type, argument->name);
    else if (strcmp(type, "float") == 0)
        fputs("1.0", out);
    else
        fprintf(out, argument->element.floating ? "%s(1.0)" : "%s(1)", type);
}

void draft_write_launch(FILE *out, const struct draft_plan *plan, enum draft_spelling spelling)
{
    fputs("    ", out);
    write_kernel(out, plan, spelling);
    fputs("<<<", out);
    write_shape(out, plan, write_grid, spelling);
    fputs(", ", out);
    write_shape(out, plan, draft_write_block, spelling);
    fputs(">>>(", out);
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        fputs(i ? ", " : "", out);
        draft_write_argument(out, plan, &plan->arguments[i]);
    }
    fputs(")\n", out);
}

bool draft_is_output(const struct draft_argument *argument)
{
    return argument->role == DRAFT_BUFFER &&
           (argument->access == KERNEL_WRITES || argument->access == KERNEL_READ_WRITE);
}

bool draft_has_outputs(const struct draft_plan *plan)
{
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        if (draft_is_output(&plan->arguments[i]))
            return true;
    }
    return false;
}
