/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/collect.h"

#include "tuner/check/location.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Put the location of the second access into the text. */
static void fill_text(const struct raw_diagnostic *raw, const struct location *other, char *text, size_t size)
{
    const char *gap = strstr(raw->text, DIAGNOSTIC_OTHER);
    char place[600] = "an unknown location";
    if (other->line)
        snprintf(place, sizeof place, "%s:%u", other->file, other->line);
    if (gap)
        snprintf(text, size, "%.*s%s%s", (int)(gap - raw->text), raw->text, place, gap + strlen(DIAGNOSTIC_OTHER));
    else
        snprintf(text, size, "%s", raw->text);
}

static bool add(const struct check_origin *origin, const struct raw_diagnostic *raw, const struct location *here,
                const struct location *other, struct check_report *report, struct error *error)
{
    struct diagnostic diagnostic = {.kind = raw->kind, .line = here->line};
    bool device = raw->kind == DIAGNOSTIC_DIVERGENT_BARRIER || raw->kind == DIAGNOSTIC_FAULT;
    diagnostic.tool = device ? "the CPU device" : origin->tool;
    snprintf(diagnostic.file, sizeof diagnostic.file, "%s", here->line ? here->file : origin->path);
    if (!here->line && raw->line > 0)
        diagnostic.line = (unsigned)raw->line;
    snprintf(diagnostic.variable, sizeof diagnostic.variable, "%s", raw->variable);
    if (!raw->variable[0] && raw->column > 0)
        location_array_name(here, raw->column, diagnostic.variable, sizeof diagnostic.variable);
    fill_text(raw, other, diagnostic.text, sizeof diagnostic.text);
    return diagnostics_add(&report->diagnostics, &diagnostic, origin->number, origin->configuration, origin->size,
                           error);
}

/* If lines cannot be resolved the diagnostics are still worth having, and a note says so once. */
static bool resolve(const struct check_origin *origin, const struct raw_diagnostic *raw, size_t count,
                    struct location *locations, struct check_report *report, struct error *error)
{
    char module[PATH_MAX];
    struct error failure = {0};
    uint64_t *code = calloc(2 * count + 1, sizeof *code);
    if (!code)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        code[2 * i] = raw[i].code;
        code[2 * i + 1] = raw[i].other;
    }
    snprintf(module, sizeof module, "%s/" CHECK_MODULE_FILE, origin->folder);
    bool resolved = access(module, R_OK) != 0 || location_find(module, code, 2 * count, locations, &failure);
    free(code);
    if (!resolved && failure.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    if (!resolved && !report->lines_noted) {
        report->lines_noted = true;
        check_note(report, "line numbers: %s (%s)", failure.text, failure.hint);
    }
    return true;
}

static bool is_consequence_of_race(const struct raw_diagnostic *raw, size_t count,
                                   const struct raw_diagnostic *diagnostic)
{
    for (size_t i = 0; diagnostic->kind == DIAGNOSTIC_UNINITIALISED && i < count; i++) {
        if (raw[i].kind == DIAGNOSTIC_RACE && (raw[i].code == diagnostic->code || raw[i].other == diagnostic->code))
            return true;
    }
    return false;
}

bool collect_diagnostics(const struct check_origin *origin, struct check_report *report, size_t *count,
                         struct error *error)
{
    char path[PATH_MAX];
    struct raw_diagnostic *raw = NULL;
    snprintf(path, sizeof path, "%s/" CHECK_DIAGNOSTICS_FILE, origin->folder);
    if (!raw_diagnostics_read(path, &raw, count, error))
        return false;
    struct location *locations = calloc(2 * *count + 1, sizeof *locations);
    bool done = locations || error_out_of_memory(error);
    done = done && (*count == 0 || resolve(origin, raw, *count, locations, report, error));
    for (size_t i = 0; done && i < *count; i++)
        done = is_consequence_of_race(raw, *count, &raw[i]) ||
               add(origin, &raw[i], &locations[2 * i], &locations[2 * i + 1], report, error);
    free(locations);
    free(raw);
    return done;
}

bool collect_host_error(const struct check_origin *origin, const struct error *failure, struct check_report *report,
                        struct error *error)
{
    struct diagnostic diagnostic = {.kind = DIAGNOSTIC_HOST, .line = failure->line, .tool = "the template"};
    snprintf(diagnostic.file, sizeof diagnostic.file, "%s", failure->file[0] ? failure->file : origin->path);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s", failure->text);
    return diagnostics_add(&report->diagnostics, &diagnostic, origin->number, origin->configuration, origin->size,
                           error);
}

bool collect_text(const struct check_origin *origin, enum diagnostic_kind kind, const char *text,
                  struct check_report *report, struct error *error)
{
    const struct location unknown = {0};
    struct raw_diagnostic diagnostic = {.kind = kind};
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s", text);
    return add(origin, &diagnostic, &unknown, &unknown, report, error);
}
