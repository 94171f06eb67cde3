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

/* Where to complain: a definition, or without one the end of the source. */
struct spot {
    const char *path, *subject;
    unsigned line;
};

static void write_assertion(FILE *stream, const struct parameter *p, struct spot spot)
{
    fprintf(stream, "#ifdef %.*s\n", p->name_length, p->name);
    line_directive(stream, spot.line, spot.path);
    fputs("static_assert(", stream);
    write_comparison(stream, p);
    fprintf(stream,
            ", \"parameter %.*s is %.*s in this configuration, but %s makes it '\" TUNE_PARAMETER_TEXT(%.*s) \"'; "
            "remove it, or put it inside #ifndef %.*s\");\n#endif\n",
            p->name_length, p->name, p->value_length, p->value, spot.subject, p->name_length, p->name, p->name_length,
            p->name);
}

/* A definition that is gone by the end of a file which nothing can be inserted into. */
static void write_failure(FILE *stream, const struct parameter *p, const struct macro_event *event)
{
    line_directive(stream, event->line, event->path);
    fprintf(stream,
            "static_assert(false, \"parameter %.*s is %.*s in this configuration, but this #define, which is removed "
            "again, can make it something else; remove both, or use another name\");\n",
            p->name_length, p->name, p->value_length, p->value);
}

/* A check under way. */
struct checking {
    const struct compile_request *request;
    const char *text; /* the source as it is compiled */
    size_t length;
    const struct parameter *parameters;
    size_t count;
    struct define_scan scan;
    FILE *stream;
};

static unsigned lines_before(const struct checking *checking, size_t end)
{
    unsigned count = 1;
    for (size_t i = 0; i < end; i++)
        count += checking->text[i] == '\n';
    return count;
}

static struct spot spot_of(const struct macro_event *event)
{
    return (struct spot){.path = event->path, .subject = "this #define", .line = event->line};
}

/* Behind a #define of the source, or an #include of files that define parameters: compare what is new since the event
 * `first`. */
static void write_insertion(const struct checking *checking, size_t first, const struct macro_event *here)
{
    bool any = false;
    for (const struct macro_event *event = checking->scan.events + first; event <= here; event++) {
        if (event->kind != MACRO_DEFINED || event->in_source != (here->kind == MACRO_DEFINED))
            continue;
        fputs(any || (here->end > 0 && checking->text[here->end - 1] == '\n') ? "" : "\n", checking->stream);
        write_assertion(checking->stream, &checking->parameters[event->name], spot_of(event));
        any = true;
    }
    if (any)
        line_directive(checking->stream, lines_before(checking, here->end), checking->request->path);
}

/* Is the R at `at`, before a quote, all of a word or behind u8, u, U or L? Otherwise a name ends there. */
static bool is_raw_prefix(const char *text, const char *at)
{
    if (at - text >= 2 && at[-2] == 'u' && at[-1] == '8')
        at -= 2;
    else if (at > text && strchr("uUL", at[-1]))
        at--;
    return at == text || !is_word(at[-1]);
}

/* Nothing can be inserted into a raw string, which may look like a directive. */
static bool can_insert(const struct checking *checking)
{
    const char *end = checking->text + checking->length, *at = checking->text;
    while ((at = memmem(at, (size_t)(end - at), "R\"", 2))) {
        if (is_raw_prefix(checking->text, at))
            return false;
        at++;
    }
    return true;
}

static void write_text(const struct checking *checking)
{
    const struct define_scan *scan = &checking->scan;
    size_t written = 0, first = 0;
    for (size_t i = 0; i < scan->count && can_insert(checking); i++) {
        const struct macro_event *event = &scan->events[i];
        if (!event->in_source)
            continue;
        if (event->kind != MACRO_REMOVED) {
            fwrite(checking->text + written, 1, event->end - written, checking->stream);
            written = event->end;
            write_insertion(checking, first, event);
        }
        first = i + 1;
    }
    fwrite(checking->text + written, 1, checking->length - written, checking->stream);
    fputc('\n', checking->stream);
}

/* And nothing was inserted between the two. */
static bool is_removed_later(const struct checking *checking, size_t index)
{
    const struct define_scan *scan = &checking->scan;
    const struct macro_event *event = &scan->events[index];
    bool inserts = can_insert(checking);
    if (event->kind != MACRO_DEFINED || event->is_default || (event->in_source && inserts))
        return false;
    for (size_t i = index + 1; i < scan->count; i++) {
        const struct macro_event *later = &scan->events[i];
        if (later->kind == MACRO_REMOVED && later->name == event->name &&
            (later->in_source == event->in_source || !inserts))
            return true;
    }
    return false;
}

/* The definition that is most likely the one in force at the end: the last that is no default, or the last. */
static const struct macro_event *last_definition(const struct define_scan *scan, size_t name)
{
    const struct macro_event *last = NULL;
    for (size_t i = 0; i < scan->count; i++) {
        const struct macro_event *event = &scan->events[i];
        if (event->kind == MACRO_DEFINED && event->name == name && (!last || last->is_default || !event->is_default))
            last = event;
    }
    return last;
}

static void write_end(const struct checking *checking)
{
    const struct define_scan *scan = &checking->scan;
    unsigned last_line = lines_before(checking, checking->length);
    for (size_t i = 0; i < scan->count; i++) {
        if (is_removed_later(checking, i))
            write_failure(checking->stream, &checking->parameters[scan->events[i].name], &scan->events[i]);
    }
    for (size_t i = 0; i < checking->count; i++) {
        const struct macro_event *definition = last_definition(scan, i);
        const struct spot end = {checking->request->path, "an included file", last_line};
        if (!scan->complete || definition)
            write_assertion(checking->stream, &checking->parameters[i], definition ? spot_of(definition) : end);
    }
    if (scan->count > 0 || !scan->complete)
        line_directive(checking->stream, last_line, checking->request->path);
}

static bool check_all(struct checking *checking)
{
    const struct compile_request *request = checking->request;
    struct macro_name *names = calloc(checking->count + 1, sizeof *names);
    if (!names)
        return false;
    for (size_t i = 0; i < checking->count; i++)
        names[i] = (struct macro_name){checking->parameters[i].name, (size_t)checking->parameters[i].name_length};
    bool done = define_scan(request->path, checking->text, checking->length, request->folder, names, checking->count,
                            &checking->scan);
    if (done) {
        if (checking->count > 0 && (checking->scan.count > 0 || !checking->scan.complete)) {
            line_directive(checking->stream, 1, "parameters");
            fputs(words, checking->stream);
        }
        line_directive(checking->stream, 1, request->path);
        write_text(checking);
        if (checking->count > 0)
            write_end(checking);
    }
    define_scan_clear(&checking->scan);
    free(names);
    return done;
}

bool parameter_check_write(const struct compile_request *request, const char *text, size_t length, FILE *stream)
{
    struct checking checking = {.request = request, .text = text, .length = length, .stream = stream};
    struct parameter *parameters = read_defines(request->defines ? request->defines : "", &checking.count);
    checking.parameters = parameters;
    bool done = parameters && check_all(&checking);
    free(parameters);
    return done;
}
