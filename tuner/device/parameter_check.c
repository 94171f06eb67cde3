/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/parameter_check.h"

#include "tuner/device/define_scan.h"
#include "tuner/device/line_directive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A line "#define NAME value". */
struct parameter {
    const char *name, *value;
    int name_length, value_length;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* False for a line of another kind: a macro with arguments, or without a value. */
static bool read_define(const char *line, size_t length, struct parameter *parameter)
{
    static const char start[] = "#define ";
    const size_t before = sizeof start - 1;
    if (length < before || memcmp(line, start, before) != 0)
        return false;
    size_t name = before;
    while (name < length && is_word(line[name]))
        name++;
    if (name == before || name + 1 >= length || line[name] != ' ')
        return false;
    *parameter = (struct parameter){line + before, line + name + 1, (int)(name - before), (int)(length - name - 1)};
    return true;
}

/* The caller frees the list. NULL: out of memory. */
static struct parameter *read_defines(const char *lines, size_t *count)
{
    size_t most = 1;
    for (const char *c = lines; *c; c++)
        most += *c == '\n';
    struct parameter *parameters = calloc(most, sizeof *parameters);
    *count = 0;
    while (parameters && *lines) {
        size_t length = strcspn(lines, "\n");
        *count += read_define(lines, length, &parameters[*count]);
        lines += length + (lines[length] == '\n');
    }
    return parameters;
}

/*
 * Texts are compared by halves, so that long ones do not nest deep. NVRTC requires the word __device__; the CPU
 * device defines it. No name here can be one of a parameter.
 */
static const char words[] = "#define TUNE_PARAMETER_QUOTE(...) #__VA_ARGS__\n"
                            "#define TUNE_PARAMETER_TEXT(...) TUNE_PARAMETER_QUOTE(__VA_ARGS__)\n"
                            "__device__ constexpr bool tune_parameter_same(const char *tune_a, const char *tune_b, "
                            "unsigned long long tune_n)\n"
                            "{\n"
                            "    return tune_n < 2 ? tune_n == 0 || *tune_a == *tune_b\n"
                            "                      : tune_parameter_same(tune_a, tune_b, tune_n / 2) &&\n"
                            "                            tune_parameter_same(tune_a + tune_n / 2, tune_b + tune_n / "
                            "2, tune_n - tune_n / 2);\n"
                            "}\n";

/*
 * Numbers are compared by value; `+ 0` makes an empty macro one as well. Real ones are compared without ==, of which
 * compilers can warn. Names are compared as texts, both with their macros expanded.
 */
static void write_comparison(FILE *stream, const struct parameter *p)
{
    int name = p->name_length, value = p->value_length;
    if (isalpha((unsigned char)*p->value) || *p->value == '_')
        fprintf(stream,
                "sizeof TUNE_PARAMETER_TEXT(%.*s) == sizeof TUNE_PARAMETER_TEXT(%.*s) && "
                "tune_parameter_same(TUNE_PARAMETER_TEXT(%.*s), TUNE_PARAMETER_TEXT(%.*s), "
                "sizeof TUNE_PARAMETER_TEXT(%.*s))",
                name, p->name, value, p->value, name, p->name, value, p->value, name, p->name);
    else
        fprintf(stream, "(%.*s + 0) <= (%.*s) && (%.*s + 0) >= (%.*s)", name, p->name, value, p->value, name, p->name,
                value, p->value);
}

static void write_assertion(FILE *stream, const struct parameter *p, const struct macro_definition *definition,
                            const char *path, unsigned last_line)
{
    bool found = definition->path != NULL;
    fprintf(stream, "#ifdef %.*s\n", p->name_length, p->name);
    line_directive(stream, found ? definition->line : last_line, found ? definition->path : path);
    fputs("static_assert(", stream);
    write_comparison(stream, p);
    fprintf(stream,
            ", \"parameter %.*s is %.*s in this configuration, but %s makes it '\" TUNE_PARAMETER_TEXT(%.*s) \"'; "
            "remove it, or put it inside #ifndef %.*s\");\n#endif\n",
            p->name_length, p->name, p->value_length, p->value, found ? "this #define" : "an included file",
            p->name_length, p->name, p->name_length, p->name);
}

static unsigned line_count(const struct compile_request *request)
{
    unsigned count = 1;
    for (size_t i = 0; i < request->length; i++)
        count += request->text[i] == '\n';
    return count;
}

static void write_assertions(const struct compile_request *request, const struct parameter *parameters, size_t count,
                             const struct macro_definition *definitions, bool complete, FILE *stream)
{
    unsigned last_line = line_count(request);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (complete && !definitions[i].path)
            continue;
        if (!any) {
            line_directive(stream, 1, "parameters");
            fputs(words, stream);
        }
        any = true;
        write_assertion(stream, &parameters[i], &definitions[i], request->path, last_line);
    }
    if (any)
        line_directive(stream, last_line, request->path);
}

static bool check_all(const struct compile_request *request, const struct parameter *parameters, size_t count,
                      FILE *stream)
{
    bool complete;
    struct macro_definition *definitions = calloc(count, sizeof *definitions);
    if (!definitions)
        return false;
    for (size_t i = 0; i < count; i++) {
        definitions[i].name = parameters[i].name;
        definitions[i].name_length = (size_t)parameters[i].name_length;
    }
    bool done =
        define_scan(request->path, request->text, request->length, request->folder, definitions, count, &complete);
    if (done)
        write_assertions(request, parameters, count, definitions, complete, stream);
    for (size_t i = 0; i < count; i++)
        free(definitions[i].path);
    free(definitions);
    return done;
}

bool parameter_check_write(const struct compile_request *request, FILE *stream)
{
    size_t count;
    struct parameter *parameters = read_defines(request->defines ? request->defines : "", &count);
    bool done = parameters && (count == 0 || check_all(request, parameters, count, stream));
    free(parameters);
    return done;
}
