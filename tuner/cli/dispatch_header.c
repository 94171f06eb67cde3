/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/dispatch_output.h"

#include "tuner/error/visible.h"
#include "tuner/job/literal.h"
#include "tuner/source/word.h"
#include "tuner/space/configuration.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- names */

/* The template's name as an identifier. */
static bool make_prefix(const char *name, char *prefix, size_t size)
{
    size_t length = 0;
    if (isdigit((unsigned char)name[0]))
        prefix[length++] = '_';
    for (const char *c = name; *c && length + 1 < size; c++)
        prefix[length++] = isalnum((unsigned char)*c) ? *c : '_';
    prefix[length] = '\0';
    return length > 0;
}

static void make_upper(const char *prefix, char *upper)
{
    size_t length = strlen(prefix);
    for (size_t i = 0; i < length; i++)
        upper[i] = (char)toupper((unsigned char)prefix[i]);
    upper[length] = '\0';
}

static bool refuse(const char *name, struct error *error)
{
    return error_set(error, ERROR_INPUT, "--c: the database's dispatch cannot be a C header: %s", name);
}

/* ---- configurations */

/* One parameter as #defines, with `end` behind each: as in the header of one configuration. */
static bool print_parameter(FILE *stream, const char *name, const json_t *value, const char *begin, const char *end,
                            struct error *error)
{
    const char *word = json_string_value(value);
    bool fits = word ? word_is_identifier(word) : json_is_number(value) || json_is_boolean(value);
    if (!word_is_identifier(name) || !fits)
        return refuse(name, error);
    if (word) {
        fprintf(stream, "%s#define %s %s%s%s#define %s_%s 1%s", begin, name, word, end, begin, name, word, end);
        return true;
    }
    fprintf(stream, "%s#define %s ", begin, name);
    literal_write(stream, configuration_value(value));
    fputs(end, stream);
    return true;
}

static bool print_configuration(FILE *stream, const char *configuration, const char *begin, const char *end,
                                struct error *error)
{
    const char *name;
    json_t *value, *object = json_loads(configuration, 0, NULL);
    bool done = object || error_out_of_memory(error);
    json_object_foreach(object, name, value)
    {
        done = done && print_parameter(stream, name, value, begin, end, error);
    }
    json_decref(object);
    return done;
}

static bool print_defines(const struct dispatch *dispatch, const char *upper, FILE *stream, struct error *error)
{
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        fprintf(stream, "#%sif %s_CONFIGURATION == %zu\n", i ? "el" : "", upper, i);
        if (!print_configuration(stream, dispatch->configurations[i], "", "\n", error))
            return false;
    }
    fprintf(stream, "#else\n#error \"%s_CONFIGURATION must be below %zu\"\n#endif\n", upper,
            dispatch->configuration_count);
    return true;
}

static bool print_texts(const struct dispatch *dispatch, const char *prefix, FILE *stream, struct error *error)
{
    fprintf(stream,
            "\n/* Its #defines, to put before the kernel's source. */\n"
            "static inline const char *%s_defines(int configuration)\n{\n"
            "    static const char *const defines[] = {\n",
            prefix);
    for (size_t i = 0; i < dispatch->configuration_count; i++) {
        if (!print_configuration(stream, dispatch->configurations[i], "        \"", "\\n\"\n", error))
            return false;
        fprintf(stream, "        \"\",\n");
    }
    fprintf(stream, "    };\n    return defines[configuration];\n}\n");
    return true;
}

/* ---- the tree */

/* A size as a parameter: its name alone might be a keyword, or a macro where the header is included. */
#define SIZE "size_%s"

static void print_feature(const struct dispatch *dispatch, const struct feature *feature, FILE *stream)
{
    const char *a = dispatch->names[feature->a], *b = dispatch->names[feature->b];
    if (feature->kind == FEATURE_SIZE)
        fprintf(stream, "(double)" SIZE, a);
    else if (feature->kind == FEATURE_UNIT)
        fprintf(stream, "(double)((" SIZE " & -" SIZE ") > %d ? %d : (" SIZE " & -" SIZE "))", a, a,
                FEATURE_UNIT_MOST, FEATURE_UNIT_MOST, a, a);
    else
        fprintf(stream, "(double)" SIZE " %c (double)" SIZE, a, feature->kind == FEATURE_RATIO ? '/' : '*', b);
}

static void print_node(const struct dispatch *dispatch, size_t number, int depth, FILE *stream)
{
    const struct tree_node *node = &dispatch->tree.nodes[number];
    int indent = 4 * depth;
    if (node->is_leaf) {
        fprintf(stream, "%*sreturn %zu;\n", indent, "", node->configuration);
        return;
    }
    fprintf(stream, "%*sif (", indent, "");
    print_feature(dispatch, &node->feature, stream);
    fprintf(stream, " < %.17g) {\n", node->below);
    print_node(dispatch, node->then, depth + 1, stream);
    fprintf(stream, "%*s} else {\n", indent, "");
    print_node(dispatch, node->otherwise, depth + 1, stream);
    fprintf(stream, "%*s}\n", indent, "");
}

static bool print_function(const struct dispatch *dispatch, const char *prefix, FILE *stream, struct error *error)
{
    fprintf(
        stream,
        "\n/* The number of the configuration for these sizes, all above 0. */\nstatic inline int %s_configuration(",
        prefix);
    for (size_t i = 0; i < dispatch->dimensions; i++) {
        if (!word_is_identifier(dispatch->names[i]))
            return refuse(dispatch->names[i], error);
        fprintf(stream, "%slong long " SIZE, i ? ", " : "", dispatch->names[i]);
    }
    fprintf(stream, ")\n{\n");
    for (size_t i = 0; i < dispatch->dimensions; i++) /* the tree need not ask for all of them */
        fprintf(stream, "    (void)" SIZE ";\n", dispatch->names[i]);
    print_node(dispatch, 0, 1, stream);
    fprintf(stream, "}\n");
    return true;
}

/* ---- the header */

/* A text of the database must not end the comment that it is in. */
static bool print_comment(const char *text, FILE *stream)
{
    char *shown = visible_text(text, VISIBLE_ONE_LINE);
    fputs("/* ", stream);
    for (const char *c = shown; c && *c; c++)
        fputc((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*') ? ' ' : *c, stream);
    fputs(" */\n", stream);
    free(shown);
    return shown != NULL;
}

/* What the header is for. */
static void print_use(const char *prefix, const char *upper, const char *macros, FILE *stream)
{
    fprintf(
        stream,
        "/* %s_configuration() returns the number, below %s_CONFIGURATIONS, of the configuration for a\n"
        " * problem's sizes. To compile that configuration, define %s_CONFIGURATION as its number before including\n"
        " * this header, which then is nothing but #defines.",
        prefix, upper, upper);
    if (*macros)
        fprintf(
            stream,
            "\n *\n * The kernel's source sees these sizes as macros, too: %s. They are not in here: define them as"
            "\n * the problem's, and compile a configuration anew where they differ.",
            macros);
    fprintf(stream, " */\n");
}

bool dispatch_header(const struct dispatch *dispatch, const char *template_name, const char *comment,
                     const char *macros, FILE *stream, struct error *error)
{
    char prefix[128] = "", upper[128] = "";
    if (!make_prefix(template_name, prefix, sizeof prefix))
        return refuse("the template has no name", error);
    make_upper(prefix, upper);
    if (!print_comment(comment, stream))
        return error_out_of_memory(error);
    print_use(prefix, upper, macros, stream);
    fprintf(stream, "#ifdef %s_CONFIGURATION\n", upper);
    if (!print_defines(dispatch, upper, stream, error))
        return false;
    fprintf(stream, "#elif !defined %s_DISPATCH_H\n#define %s_DISPATCH_H\n\n#define %s_CONFIGURATIONS %zu\n", upper,
            upper, upper, dispatch->configuration_count);
    if (!print_function(dispatch, prefix, stream, error) || !print_texts(dispatch, prefix, stream, error))
        return false;
    fprintf(stream, "\n#endif\n");
    return true;
}
