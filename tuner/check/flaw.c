/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/flaw.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const flaw_kind_names[] = {
    [FLAW_OUT_OF_BOUNDS] = "out of bounds",
    [FLAW_UNINITIALISED] = "uninitialised read",
    [FLAW_RACE] = "race",
    [FLAW_DIVERGENT_BARRIER] = "divergent barrier",
    [FLAW_FAULT] = "fault",
    [FLAW_COMPILE] = "does not compile",
    [FLAW_TIMEOUT] = "timeout",
};

/* ---- from worker to parent ---- */

/* What JSON wants escaped becomes a blank or an apostrophe: there is nothing of the kind in names and numbers. */
static void harmless(char *text)
{
    for (char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            *c = '\'';
        else if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = ' ';
    }
}

bool raw_flaw_write(int file, const struct raw_flaw *flaw)
{
    char line[1024];
    struct raw_flaw safe = *flaw;
    harmless(safe.variable);
    harmless(safe.text);
    int length = snprintf(
        line, sizeof line,
        "{\"kind\":%d,\"code\":%llu,\"other\":%llu,\"line\":%d,\"column\":%d,\"variable\":\"%s\",\"text\":\"%s\"}\n",
        (int)safe.kind, (unsigned long long)safe.code, (unsigned long long)safe.other, safe.line, safe.column,
        safe.variable, safe.text);
    return length > 0 && (size_t)length < sizeof line && write(file, line, (size_t)length) == length;
}

static bool read_one(const char *line, struct raw_flaw *flaw)
{
    json_int_t code, other;
    int kind;
    const char *variable, *text;
    json_t *json = json_loads(line, 0, NULL);
    bool read =
        json &&
        json_unpack(json, "{s:i, s:I, s:I, s:i, s:i, s:s, s:s}", "kind", &kind, "code", &code, "other", &other,
                    "line", &flaw->line, "column", &flaw->column, "variable", &variable, "text", &text) == 0 &&
        kind >= 0 && kind < FLAW_KINDS;
    if (read) {
        flaw->kind = (enum flaw_kind)kind;
        flaw->code = (uint64_t)code;
        flaw->other = (uint64_t)other;
        snprintf(flaw->variable, sizeof flaw->variable, "%s", variable);
        snprintf(flaw->text, sizeof flaw->text, "%s", text);
    }
    json_decref(json);
    return read;
}

bool raw_flaws_read(const char *path, struct raw_flaw **list, size_t *count, struct error *error)
{
    enum { MOST = 4096 };
    char line[1024];
    *list = NULL;
    *count = 0;
    FILE *file = fopen(path, "re");
    if (!file && errno == ENOENT)
        return true;
    *list = file ? calloc(MOST, sizeof **list) : NULL;
    if (!*list) {
        if (file)
            fclose(file);
        return error_set(error, ERROR_SYSTEM, "cannot read what a check has found: %s", strerror(errno));
    }
    while (*count < MOST && fgets(line, sizeof line, file)) {
        if (read_one(line, &(*list)[*count]))
            (*count)++;
    }
    fclose(file);
    return true;
}

/* ---- gathered ---- */

static struct flaw *same(const struct flaws *list, const struct flaw *flaw)
{
    for (size_t i = 0; i < list->count; i++) {
        struct flaw *known = &list->list[i];
        if (known->kind == flaw->kind && known->line == flaw->line && strcmp(known->file, flaw->file) == 0 &&
            (flaw->line > 0 || strcmp(known->text, flaw->text) == 0))
            return known;
    }
    return NULL;
}

bool flaws_add(struct flaws *list, const struct flaw *flaw, size_t number, const char *example, const char *size,
               struct error *error)
{
    struct flaw *known = same(list, flaw);
    if (known) {
        known->configurations += known->last != number;
        if (!known->variable[0])
            snprintf(known->variable, sizeof known->variable, "%s", flaw->variable);
        known->last = number;
        return true;
    }
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        struct flaw *longer = realloc(list->list, room * sizeof *longer);
        if (!longer)
            return error_out_of_memory(error);
        list->list = longer;
        list->room = room;
    }
    struct flaw added = *flaw;
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
    const struct flaw *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (int)a->kind - (int)b->kind;
}

void flaws_sort(struct flaws *list)
{
    if (list->count)
        qsort(list->list, list->count, sizeof *list->list, compare);
}

void flaws_clear(struct flaws *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->list[i].example);
        free(list->list[i].size);
    }
    free(list->list);
    *list = (struct flaws){0};
}
