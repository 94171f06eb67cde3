/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/location.h"

#include "tuner/check/program_output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AT_ONCE = 64, SECONDS = 60 };

/* What stands ahead of and behind the user's source. */
static bool is_own(const char *file)
{
    static const char *const names[] = {"cuda_words.hpp", "kernel_abi.h", "defines",
                                        "kernels and symbols that the template asks for", "??"};
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Relative to the current folder if it is below it: as short as the user would write it. */
static void keep_file(const char *file, char *kept, size_t size)
{
    char folder[512];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (length > 1 && strncmp(file, folder, length) == 0 && file[length] == '/')
        file += length + 1;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    snprintf(kept, size, "%s", file);
}

/* One line of an answer, "FILE:LINE" or "FILE:LINE (discriminator 2)". Innermost functions come first. */
static void read_line(char *line, struct location *location)
{
    char *colon = strrchr(line, ':');
    if (location->line > 0 || !colon)
        return;
    *colon = '\0';
    unsigned long number = strtoul(colon + 1, NULL, 10);
    if (number == 0 || is_own(line))
        return;
    keep_file(line, location->file, sizeof location->file);
    location->line = (unsigned)number;
}

static bool ask(char *const *arguments, char **output, struct error *error)
{
    if (program_output(arguments, NULL, SECONDS, output, NULL))
        return true;
    char *others[AT_ONCE + 8];
    size_t count = 0;
    for (; arguments[count]; count++)
        others[count] = arguments[count];
    others[count] = NULL;
    others[0] = (char *)"llvm-addr2line";
    if (program_output(others, NULL, SECONDS, output, NULL))
        return true;
    error_set(error, ERROR_WORK, "there is no addr2line on PATH, which finds the lines of findings");
    return error_hint(error, "install it: apt-get install binutils");
}

static bool find_some(const char *module, const uint64_t *code, size_t count, struct location *locations,
                      struct error *error)
{
    char numbers[AT_ONCE][32], *output = NULL;
    char *arguments[AT_ONCE + 8] = {(char *)"addr2line", (char *)"-a", (char *)"-i", (char *)"-e",
                                    (char *)(uintptr_t)module};
    for (size_t i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "0x%" PRIx64, code[i] ? code[i] - 1 : 0);
        arguments[5 + i] = numbers[i];
    }
    if (!ask(arguments, &output, error))
        return false;
    size_t next = 0; /* an address begins the lines of its place */
    char *rest = NULL;
    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "0x", 2) == 0 && !strchr(line, ':'))
            next++;
        else if (next >= 1 && next <= count)
            read_line(line, &locations[next - 1]);
    }
    free(output);
    return true;
}

bool location_find(const char *module, const uint64_t *code, size_t count, struct location *locations,
                   struct error *error)
{
    bool found = true;
    memset(locations, 0, count * sizeof *locations);
    for (size_t first = 0; found && first < count; first += AT_ONCE) {
        size_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        found = find_some(module, code + first, some, locations + first, error);
    }
    return found;
}

/* ---- names of arrays ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the bracket that closes the one at `at`, or NULL. */
static const char *after_bracket(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '[') - (*at == ']');
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

void location_array_name(const struct location *location, int column, char *name, size_t size)
{
    char *text = NULL;
    size_t room = 0;
    name[0] = '\0';
    FILE *file = fopen(location->file, "re");
    ssize_t length = -1;
    for (unsigned line = 0; file && line < location->line; line++)
        length = getline(&text, &room, file);
    if (file)
        fclose(file);
    /* The name whose brackets, one behind the other, hold the column. */
    for (const char *at = text; length > 0 && *at; at++) {
        if (!is_word(*at) || (at > text && is_word(at[-1])))
            continue;
        const char *end = at;
        while (is_word(*end))
            end++;
        const char *after = end;
        while (after && *after == '[')
            after = after_bracket(after);
        if (after && after > end && column > at - text && column <= after - text)
            snprintf(name, size, "%.*s", (int)(end - at), at);
    }
    free(text);
}
