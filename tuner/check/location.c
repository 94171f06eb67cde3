/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/location.h"

#include "tuner/check/program_output.h"
#include "tuner/device/known_headers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AT_ONCE = 64, SECONDS = 60 };

/* What the program adds before and after the user's source. */
static bool is_generated(const char *file)
{
    static const char *const names[] = {"cuda_words.hpp",
                                        "texture_words.hpp",
                                        "kernel_abi.h",
                                        "defines",
                                        "kernels and symbols that the template asks for",
                                        "??"};
    if (known_header_is_file(file))
        return true;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Make the path relative to the current folder if it is inside. */
static void shorten(const char *file, char *shortened, size_t size)
{
    char folder[512];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (length > 1 && strncmp(file, folder, length) == 0 && file[length] == '/')
        file += length + 1;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    snprintf(shortened, size, "%s", file);
}

/* A line of output, "FILE:LINE" or "FILE:LINE (discriminator 2)". The innermost function comes first; take the first
 * line that is the user's. */
static void read_line(char *line, struct location *location)
{
    char *colon = strrchr(line, ':');
    if (location->line > 0 || !colon)
        return;
    *colon = '\0';
    unsigned long number = strtoul(colon + 1, NULL, 10);
    if (number == 0 || is_generated(line))
        return;
    shorten(line, location->file, sizeof location->file);
    location->line = (unsigned)number;
}

static bool run_addr2line(char *const *arguments, char **output, struct error *error)
{
    char *others[AT_ONCE + 8] = {(char *)"llvm-addr2line"};
    for (size_t i = 1; arguments[i]; i++)
        others[i] = arguments[i];
    struct error failure = {0};
    if (program_output(arguments, NULL, SECONDS, output, &failure) ||
        (failure.code == ERROR_WORK && program_output(others, NULL, SECONDS, output, &failure)))
        return true;
    if (failure.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    error_set(error, ERROR_WORK, "addr2line is not on PATH");
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
    if (!run_addr2line(arguments, &output, error))
        return false;
    size_t next = 0; /* an address precedes its lines */
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

/* ---- array names ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Past the bracket that closes the one at `at`, or NULL. */
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
    /* Find the name followed by brackets, one pair after another, that contain the column. */
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
