/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/failure_advice.h"

#include "tuner/cli/configuration_choice.h"
#include "tuner/error/text_stream.h"
#include "tuner/error/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the line ---- */

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += line_length(line);
    return line + (*line == '\n');
}

static const char *find_in_line(const char *line, const char *what)
{
    const char *found = strstr(line, what);
    return found && found < line + line_length(line) ? found : NULL;
}

/* Where an error's own text begins: "error: ..." of gcc, clang and NVRTC, or a linker's words; NULL: it is none. */
static const char *error_in_line(const char *line)
{
    static const char *const marks[] = {"error: ", "error #", "undefined reference", "undefined symbol",
                                        "cannot find -l"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = find_in_line(line, marks[i]);
        if (found && !find_in_line(line, "ld returned "))
            return found;
    }
    return NULL;
}

/* "FOLDER/..." with a line number, "file:12" or "file(12)"; its length, or 0. "In file included from" may precede. */
static size_t users_place(const char *line, const char *folder, const char **start)
{
    *start = find_in_line(line, folder);
    if (!*start || (*start != line && (*start)[-1] != ' ') || (*start)[strlen(folder)] != '/')
        return 0;
    size_t length = strcspn(*start, " \n");
    while (length > 0 && strchr(":,", (*start)[length - 1]))
        length--;
    const char *digit = *start + strcspn(*start, ":(\n") + 1;
    return digit < *start + length && *digit >= '0' && *digit <= '9' ? length : 0;
}

char *failure_line(const char *message, const char *folder)
{
    const char *what = NULL, *line = message, *place;
    char *text;
    for (; *line && !(what = error_in_line(line)); line = next_line(line)) {
    }
    if (!what)
        return strndup(message, line_length(message));
    if (users_place(line, folder, &place) || strchr(" \n", *line))
        return strndup(line, line_length(line));
    /* Of several, the last above the error: what was included or instantiated from where. */
    size_t length = 0;
    const char *best = NULL;
    for (const char *other = message; *other && (other <= line || !best); other = next_line(other)) {
        size_t found = users_place(other, folder, &place);
        if (found) {
            length = found;
            best = place;
        }
    }
    if (!best)
        return strndup(line, line_length(line));
    return asprintf(&text, "%.*s: %.*s", (int)length, best, (int)line_length(what), what) < 0 ? NULL : text;
}

const char *failure_note(const char *message, size_t *length)
{
    static const char *const marks[] = {"note: ", "hint: "};
    for (const char *line = message; *line; line = next_line(line)) {
        *length = line_length(line);
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            if (strncmp(line, marks[i], strlen(marks[i])) == 0)
                return line;
        }
    }
    return NULL;
}

/* ---- the command ---- */

/* In quotes unless a shell takes it as it is. */
static void print_quoted(FILE *stream, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.,:/=+-@";
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, stream);
        return;
    }
    fputc('\'', stream);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, stream);
    fputc('\'', stream);
}

static void print_option(FILE *stream, const char *name, const char *value)
{
    if (!value)
        return;
    visible_printf(stream, " --%s ", name);
    print_quoted(stream, value);
}

/* What a sanitizer or the race check may see. */
static bool can_be_checked(enum outcome outcome)
{
    return outcome == OUTCOME_FAULT || outcome == OUTCOME_WRONG_RESULT || outcome == OUTCOME_NOT_FINITE ||
           outcome == OUTCOME_OUT_OF_BOUNDS || outcome == OUTCOME_CRASH || outcome == OUTCOME_LAUNCH_ERROR;
}

/* The size that the message ends in, ", at size n=1007, after ...". Allocated. */
static char *size_of(const struct failure_check *check, const struct failure *failure)
{
    static const char mark[] = ", at size ";
    const char *size = failure->message, *found = NULL;
    while ((size = strstr(size, mark)))
        found = size += strlen(mark);
    if (found) {
        size_t length = strcspn(found, " \n");
        return strndup(found, length - (length > 0 && found[length - 1] == ','));
    }
    return strdup(failure->awkward[0] && strchr(failure->awkward, '=') ? failure->awkward : check->size);
}

bool failure_check_command(const struct failure_check *check, const struct failure *failure, char **text)
{
    struct text_stream stream;
    *text = NULL;
    if (!can_be_checked(failure->outcome))
        return true;
    char *size = size_of(check, failure), *configuration = configuration_choice_text(failure->configuration);
    if (size && configuration && text_stream_open(&stream, NULL)) {
        print_quoted(stream.out, check->program);
        fputs(" check ", stream.out);
        print_quoted(stream.out, check->subject);
        print_option(stream.out, "space", check->space);
        print_option(stream.out, "device", check->device);
        if (*size)
            print_option(stream.out, "size", size);
        for (size_t i = 0; i < check->input_count; i++) {
            visible_printf(stream.out, " --input %s=", check->inputs[i].buffer);
            print_quoted(stream.out, check->inputs[i].file);
        }
        print_option(stream.out, "configuration", configuration);
        *text = text_stream_close(&stream, NULL);
    }
    free(size);
    free(configuration);
    return *text != NULL;
}
