/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/compiler_error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The number before the first ": " that ends `place`, as of "a.cu:12", "a.cu:12:3" or "a.cu(12)", and where the
 * file's name ends. */
static unsigned read_line(const char *place, size_t length, size_t *file)
{
    unsigned line = 0;
    if (length > 0 && place[length - 1] == ')')
        length--;
    for (int number = 0; number < 2; number++) {
        size_t start = length;
        while (start > 0 && isdigit((unsigned char)place[start - 1]))
            start--;
        if (start == length || start < 2 || (place[start - 1] != ':' && place[start - 1] != '('))
            break;
        line = (unsigned)strtoul(place + start, NULL, 10);
        *file = length = start - 1;
    }
    return line;
}

static bool read_error(const char *text, size_t length, struct diagnostic *diagnostic)
{
    static const char *const marks[] = {": error: ", ": fatal error: ", ": catastrophic error: "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *mark = memmem(text, length, marks[i], strlen(marks[i]));
        size_t file = 0;
        unsigned line = mark ? read_line(text, (size_t)(mark - text), &file) : 0;
        if (!line)
            continue;
        const char *message = mark + strlen(marks[i]), *end = text + length;
        while (end > message && end[-1] == ':') /* of a list that follows */
            end--;
        snprintf(diagnostic->file, sizeof diagnostic->file, "%.*s", (int)file, text);
        snprintf(diagnostic->text, sizeof diagnostic->text, "%.*s", (int)(end - message), message);
        diagnostic->line = line;
        return true;
    }
    return false;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

const char *compiler_error_note(const char *log, size_t *length)
{
    static const char start[] = "note: ";
    while (*log && strncmp(log, start, sizeof start - 1) != 0)
        log = next_line(log);
    log += *log ? sizeof start - 1 : 0;
    *length = strcspn(log, "\n");
    return log;
}

static void add_note(const char *log, struct diagnostic *diagnostic)
{
    size_t length, before = strlen(diagnostic->text);
    const char *note = compiler_error_note(log, &length);
    if (length > 0)
        snprintf(diagnostic->text + before, sizeof diagnostic->text - before, " (%.*s)", (int)length, note);
}

void compiler_error_first(const char *log, struct diagnostic *diagnostic)
{
    for (const char *line = log; *line; line = next_line(line)) {
        if (read_error(line, strcspn(line, "\n"), diagnostic)) {
            add_note(log, diagnostic);
            return;
        }
    }
    snprintf(diagnostic->text, sizeof diagnostic->text, "%s", log);
}
