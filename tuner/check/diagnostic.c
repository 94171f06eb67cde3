/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/diagnostic.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const diagnostic_kind_names[] = {
    [DIAGNOSTIC_OUT_OF_BOUNDS] = "out of bounds",
    [DIAGNOSTIC_UNINITIALISED] = "uninitialised read",
    [DIAGNOSTIC_MISALIGNED] = "misaligned access",
    [DIAGNOSTIC_RACE] = "race",
    [DIAGNOSTIC_DIVERGENT_BARRIER] = "divergent barrier",
    [DIAGNOSTIC_FAULT] = "fault",
    [DIAGNOSTIC_COMPILE] = "does not compile",
    [DIAGNOSTIC_HOST] = "failing expression",
    [DIAGNOSTIC_TIMEOUT] = "timeout",
    [DIAGNOSTIC_RESULT] = "wrong result",
};

/* ---- raw diagnostics ---- */

/* Replace what JSON would have to escape; names and numbers contain none of it. */
static void sanitize(char *text)
{
    for (char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            *c = '\'';
        else if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = ' ';
    }
}

bool raw_diagnostic_write(int file, const struct raw_diagnostic *diagnostic)
{
    char line[1024];
    struct raw_diagnostic safe = *diagnostic;
    sanitize(safe.variable);
    sanitize(safe.text);
    int length = snprintf(
        line, sizeof line,
        "{\"kind\":%d,\"code\":%llu,\"other\":%llu,\"line\":%d,\"column\":%d,\"variable\":\"%s\",\"text\":\"%s\"}\n",
        (int)safe.kind, (unsigned long long)safe.code, (unsigned long long)safe.other, safe.line, safe.column,
        safe.variable, safe.text);
    return length > 0 && (size_t)length < sizeof line && write(file, line, (size_t)length) == length;
}

static bool parse_line(const char *line, struct raw_diagnostic *diagnostic)
{
    json_int_t code, other;
    int kind;
    const char *variable, *text;
    json_t *json = json_loads(line, 0, NULL);
    bool read = json &&
                json_unpack(json, "{s:i, s:I, s:I, s:i, s:i, s:s, s:s}", "kind", &kind, "code", &code, "other",
                            &other, "line", &diagnostic->line, "column", &diagnostic->column, "variable", &variable,
                            "text", &text) == 0 &&
                kind >= 0 && kind < DIAGNOSTIC_KINDS && code >= 0 && other >= 0;
    if (read) {
        diagnostic->kind = (enum diagnostic_kind)kind;
        diagnostic->code = (uint64_t)code;
        diagnostic->other = (uint64_t)other;
        snprintf(diagnostic->variable, sizeof diagnostic->variable, "%s", variable);
        snprintf(diagnostic->text, sizeof diagnostic->text, "%s", text);
    }
    json_decref(json);
    return read;
}

/* A line is written whole unless the process died in between, so one that ends must parse. */
static bool read_lines(FILE *file, struct raw_diagnostic *list, size_t capacity, size_t *count, struct error *error)
{
    char line[1024];
    while (*count < capacity && fgets(line, sizeof line, file)) {
        if (!strchr(line, '\n'))
            break;
        if (!parse_line(line, &list[*count]))
            return error_set(error, ERROR_SYSTEM, "a check left a malformed diagnostic, or memory ran out: %s", line);
        ++*count;
    }
    return true;
}

bool raw_diagnostics_read(const char *path, struct raw_diagnostic **list, size_t *count, struct error *error)
{
    enum { MOST = 4096 };
    *list = NULL;
    *count = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ||
               error_set(error, ERROR_SYSTEM, "cannot read the diagnostics of a check: %s", strerror(errno));
    *list = calloc(MOST, sizeof **list);
    bool read = *list ? read_lines(file, *list, MOST, count, error) : error_out_of_memory(error);
    fclose(file);
    if (!read) {
        free(*list);
        *list = NULL;
        *count = 0;
    }
    return read;
}

/* ---- merged diagnostics ---- */

static struct diagnostic *find_same(const struct diagnostics *list, const struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < list->count; i++) {
        struct diagnostic *known = &list->list[i];
        if (known->kind == diagnostic->kind && known->line == diagnostic->line &&
            strcmp(known->file, diagnostic->file) == 0 &&
            (diagnostic->line > 0 || strcmp(known->text, diagnostic->text) == 0))
            return known;
    }
    return NULL;
}

bool diagnostics_add(struct diagnostics *list, const struct diagnostic *diagnostic, size_t number,
                     const char *example, const char *size, struct error *error)
{
    struct diagnostic *known = find_same(list, diagnostic);
    if (known) {
        known->configurations += known->last != number;
        if (!known->variable[0])
            snprintf(known->variable, sizeof known->variable, "%s", diagnostic->variable);
        known->last = number;
        return true;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        struct diagnostic *grown = realloc(list->list, capacity * sizeof *grown);
        if (!grown)
            return error_out_of_memory(error);
        list->list = grown;
        list->capacity = capacity;
    }
    struct diagnostic added = *diagnostic;
    added.configurations = 1;
    added.last = number;
    added.example = strdup(example);
    added.size = strdup(size);
    if (!added.example || !added.size) {
        free(added.example);
        free(added.size);
        return error_out_of_memory(error);
    }
    list->list[list->count++] = added;
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct diagnostic *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (int)a->kind - (int)b->kind;
}

void diagnostics_sort(struct diagnostics *list)
{
    if (list->count)
        qsort(list->list, list->count, sizeof *list->list, compare);
}

void diagnostics_clear(struct diagnostics *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->list[i].example);
        free(list->list[i].size);
    }
    free(list->list);
    *list = (struct diagnostics){0};
}
