/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/draft_plan.h"

#include "tuner/formats/names.h"
#include "tuner/source/kernel_alias.h"
#include "tuner/source/word.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MOST = 64 };

static char *format(struct draft_plan *plan, struct error *error, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

static char *format(struct draft_plan *plan, struct error *error, const char *text, ...)
{
    char *formatted = NULL, *copy = NULL;
    va_list arguments;
    va_start(arguments, text);
    int length = vasprintf(&formatted, text, arguments);
    va_end(arguments);
    if (length >= 0) {
        copy = arena_string(&plan->arena, formatted, (size_t)length);
        free(formatted);
    }
    if (!copy)
        error_out_of_memory(error);
    return copy;
}

/* ---- parameters ---- */

static bool is_taken(const struct draft_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->parameter_count; i++) {
        if (strcmp(plan->parameters[i].name, name) == 0)
            return true;
    }
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        if (plan->arguments[i].name && strcmp(plan->arguments[i].name, name) == 0)
            return true;
    }
    return false;
}

struct origin {
    bool macro, flag, known;
    const struct kernel_template_parameter *generic; /* NULL: it is none */
    long long value;
    unsigned line;
};

static bool add_parameter(struct draft_plan *plan, const char *name, struct origin origin, struct error *error)
{
    char values[64];
    bool allowed;
    const char *own =
        !origin.generic ? name : format(plan, error, "%s_ARG", name); /* macros would rewrite the source */
    if (!own || !name_is_allowed(own, &allowed, error))
        return false;
    if (!allowed || plan->parameter_count == PARAMETERS_MOST || is_taken(plan, own)) {
        fprintf(plan->notes.out, "%s looks like a parameter, but tune cannot have one of that name here\n", name);
        return true;
    }
    struct draft_parameter *parameter = &plan->parameters[plan->parameter_count];
    *parameter = (struct draft_parameter){.purpose = origin.flag ? DRAFT_SWITCH : draft_purpose_of(name),
                                          .axis = draft_axis_of(name),
                                          .macro = origin.macro,
                                          .line = origin.line};
    draft_values(parameter->purpose, parameter->axis, plan->kernel->dimensions, origin.known, origin.value, values,
                 sizeof values, &parameter->first);
    bool beyond = parameter->axis != DRAFT_NO_AXIS && (unsigned)parameter->axis >= plan->kernel->dimensions;
    if (beyond && origin.known)
        snprintf(values, sizeof values, "[%lld]", origin.value);
    parameter->name = format(plan, error, "%s", own);
    parameter->generic = origin.generic;
    bool truth = origin.generic && origin.flag;
    parameter->values = format(plan, error, "%s", truth ? "[false, true]" : values);
    plan->parameter_count++;
    return parameter->name && parameter->values;
}

static bool is_generic(const struct kernel_signature *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->generic_count; i++) {
        if (strcmp(kernel->generic[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool add_macros(struct draft_plan *plan, const struct kernel_macros *macros, struct error *error)
{
    for (size_t i = 0; i < macros->count; i++) {
        const struct kernel_macro *macro = &macros->items[i];
        bool known = macro->kind == KERNEL_MACRO_DEFAULT;
        struct origin origin = {
            .macro = true, .known = known, .value = macro->value, .line = known ? macro->line : 0};
        if (macro->kind == KERNEL_MACRO_FIXED)
            fprintf(plan->notes.out,
                    "line %u fixes %s: put #ifndef %s and #endif around it to make it tunable, or a size (size %s = "
                    "%lld, define %s)\n",
                    macro->line, macro->name, macro->name, macro->name, macro->value, macro->name);
        else if (!is_generic(plan->kernel, macro->name) && !add_parameter(plan, macro->name, origin, error))
            return false;
    }
    return true;
}

/* Whole template parameters are tunable. */
static bool add_generic(struct draft_plan *plan, struct error *error)
{
    for (size_t i = 0; i < plan->kernel->generic_count; i++) {
        const struct kernel_template_parameter *generic = &plan->kernel->generic[i];
        struct draft_type type;
        char *end;
        long long value = strtoll(generic->value, &end, 10);
        struct origin origin = {.generic = generic,
                                .flag = strcmp(generic->kind, "bool") == 0,
                                .known = *generic->value && !*end,
                                .value = value};
        if (strcmp(generic->value, "true") == 0 || strcmp(generic->value, "false") == 0)
            origin.known = true, origin.value = *generic->value == 't';
        bool whole = draft_type_find(generic->kind, &type) && type.integer;
        if (whole && *generic->name && !add_parameter(plan, generic->name, origin, error))
            return false;
    }
    return true;
}

/* ---- the kernel's parameters ---- */

/* The type with a template parameter's default, or float, in its place. */
static const char *plain_type(const struct kernel_signature *kernel, const char *type)
{
    for (size_t i = 0; i < kernel->generic_count; i++) {
        if (strcmp(kernel->generic[i].name, type) == 0)
            return *kernel->generic[i].value ? kernel->generic[i].value : "float";
    }
    return type;
}

static bool name_argument(struct draft_plan *plan, size_t index, struct error *error)
{
    const char *own = plan->kernel->parameters[index].name;
    char *name = *own && word_is_identifier(own) ? format(plan, error, "%.100s", own)
                                                 : format(plan, error, "argument_%zu", index);
    bool allowed = false;
    while (name && name_is_allowed(name, &allowed, error) && (!allowed || is_taken(plan, name)))
        name = format(plan, error, "%s_", name);
    plan->arguments[index].name = name;
    return name && allowed;
}

/* What the source's own name of a type stands for, if that is known; else the name. NULL: out of memory. */
static const char *resolve_type(struct draft_plan *plan, const struct cuda_tokens *tokens, const char *name,
                                struct error *error)
{
    enum { NAMES_MOST = 8 };
    struct draft_type known;
    char type[KERNEL_TYPE_MOST + 1];
    const char *at = name;
    for (int i = 0; i < NAMES_MOST && at && !draft_type_find(at, &known) && kernel_alias_find(tokens, at, type); i++)
        at = format(plan, error, "%s", type);
    return !at || draft_type_find(at, &known) ? at : name;
}

static bool add_argument(struct draft_plan *plan, size_t index, const struct cuda_tokens *tokens, struct error *error)
{
    const struct kernel_parameter *parameter = &plan->kernel->parameters[index];
    struct draft_argument *argument = &plan->arguments[index];
    const char *own = plain_type(plan->kernel, parameter->type);
    const char *type = resolve_type(plan, tokens, own, error);
    if (!type)
        return false;
    if (type != own)
        fprintf(plan->notes.out, "parameter %zu of %s: the first definition of %s is %s\n", index + 1,
                plan->kernel->name, own, type);
    argument->type = *type ? type : "?";
    argument->texture = parameter->pointers == 0 && strcmp(type, "cudaTextureObject_t") == 0;
    if (argument->texture) {
        draft_type_find("float", &argument->element);
        argument->known = true, argument->role = DRAFT_BUFFER, argument->access = KERNEL_READS;
        return name_argument(plan, index, error);
    }
    argument->access = parameter->access;
    argument->flag = strcmp(type, "bool") == 0;
    argument->known = draft_type_find(type, &argument->element) && parameter->pointers < 2;
    bool whole = argument->known && argument->element.width == 1 && argument->element.integer && !argument->flag;
    bool wide = whole && !strstr(argument->element.name, "char") && !strstr(argument->element.name, "short");
    argument->role = parameter->pointers ? DRAFT_BUFFER : wide ? DRAFT_SIZE : DRAFT_VALUE;
    if (!argument->known)
        draft_type_find("uchar", &argument->element);
    if (!argument->known)
        fprintf(plan->notes.out, "parameter %zu of %s has the type %s%s, which is not known here\n", index + 1,
                plan->kernel->name, argument->type, parameter->pointers ? " *" : "");
    plan->size_count += argument->role == DRAFT_SIZE;
    return name_argument(plan, index, error);
}

/* ---- the launch ---- */

/* A block parameter for this axis: its own, or one for all of them. */
const struct draft_parameter *draft_plan_block(const struct draft_plan *plan, unsigned axis, long long *fixed)
{
    static const enum draft_purpose wanted[] = {DRAFT_BLOCK, DRAFT_TILE};
    *fixed = 1;
    for (size_t w = 0; axis < plan->kernel->dimensions && w < sizeof wanted / sizeof *wanted; w++) {
        for (int own = 1; own >= 0; own--) {
            for (size_t i = 0; i < plan->parameter_count; i++) {
                const struct draft_parameter *parameter = &plan->parameters[i];
                enum draft_axis meant = own ? (enum draft_axis)axis : DRAFT_NO_AXIS;
                if (parameter->purpose == wanted[w] && parameter->axis == meant)
                    return parameter;
            }
        }
    }
    return NULL;
}

bool draft_plan_multiplies(const struct draft_plan *plan, const struct draft_parameter *parameter, unsigned axis)
{
    long long fixed;
    bool items = parameter->purpose == DRAFT_ITEMS ||
                 (parameter->purpose == DRAFT_TILE && draft_plan_block(plan, axis, &fixed) != parameter);
    enum draft_axis meant = parameter->axis == DRAFT_NO_AXIS ? DRAFT_X : parameter->axis;
    return items && meant == (enum draft_axis)axis;
}

/* Every axis that the kernel uses needs a block; one that no macro says is the launch's alone. */
static bool add_blocks(struct draft_plan *plan, struct error *error)
{
    static const char *const names[DRAFT_AXES] = {"BLOCK_X", "BLOCK_Y", "BLOCK_Z"};
    for (unsigned axis = 0; axis < plan->kernel->dimensions; axis++) {
        long long fixed;
        const char *name = plan->kernel->dimensions == 1 ? "BLOCK" : names[axis];
        if (!draft_plan_block(plan, axis, &fixed) && !add_parameter(plan, name, (struct origin){0}, error))
            return false;
    }
    return true;
}

/* ---- sizes ---- */

/* Names that tell which axis a size belongs to: columns and widths lie along x. */
static enum draft_axis size_axis(const char *name)
{
    static const char *const x[] = {"width", "cols", "columns", "col", "nx", "w", "N", NULL};
    static const char *const y[] = {"height", "rows", "row", "ny", "h", "M", NULL};
    static const char *const z[] = {"depth", "nz", "d", NULL};
    static const char *const *const words[] = {x, y, z};
    for (unsigned axis = 0; axis < DRAFT_AXES; axis++) {
        for (const char *const *word = words[axis]; *word; word++) {
            if (strcmp(*word, name) == 0 || (strlen(*word) > 2 && strcasestr(name, *word)))
                return (enum draft_axis)axis;
        }
    }
    return DRAFT_NO_AXIS;
}

const char *draft_plan_size(const struct draft_plan *plan, unsigned axis)
{
    const char *nth = plan->size, *last = plan->size;
    size_t index = 0;
    for (size_t i = 0; i < plan->kernel->parameter_count; i++) {
        const struct draft_argument *argument = &plan->arguments[i];
        if (argument->role != DRAFT_SIZE)
            continue;
        if (plan->kernel->dimensions > 1 && size_axis(argument->name) == (enum draft_axis)axis)
            return argument->name;
        last = argument->name;
        if (index++ == axis)
            nth = argument->name;
    }
    return nth ? nth : last;
}

static bool name_size(struct draft_plan *plan, struct error *error)
{
    bool allowed;
    const char *name = "n";
    while (name && plan->size_count == 0 && is_taken(plan, name))
        name = format(plan, error, "%s_", name);
    if (!name || !name_is_allowed(name, &allowed, error))
        return false;
    plan->size = plan->size_count == 0 ? name : NULL;
    return true;
}

bool draft_plan_make(const struct kernel_signature *kernel, const struct kernel_macros *macros,
                     const struct cuda_tokens *tokens, struct draft_plan *plan, struct error *error)
{
    *plan = (struct draft_plan){.kernel = kernel};
    if (!text_stream_open(&plan->notes, error))
        return false;
    plan->parameters = arena_allocate(&plan->arena, PARAMETERS_MOST * sizeof *plan->parameters);
    plan->arguments = arena_allocate(&plan->arena, (kernel->parameter_count + 1) * sizeof *plan->arguments);
    if (!plan->parameters || !plan->arguments)
        return error_out_of_memory(error);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        if (!add_argument(plan, i, tokens, error))
            return false;
    }
    return name_size(plan, error) && add_generic(plan, error) && add_macros(plan, macros, error) &&
           add_blocks(plan, error);
}

void draft_plan_clear(struct draft_plan *plan)
{
    text_stream_discard(&plan->notes);
    arena_free(&plan->arena);
    *plan = (struct draft_plan){0};
}
