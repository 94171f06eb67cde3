/* SPDX-License-Identifier: Apache-2.0 */
/* From a file to recordings: what kind it is, its text, JSON, the reader. */
#include "tuner/formats/file_text.h"
#include "tuner/formats/recording_builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char format_hint[] = "a recording is a T4 or Kernel Tuner cache file (.json, .json.gz) or a database of "
                                  "tune; 'tune import' takes T1 files as well";

/* The file's name without folders and endings: "convolution_A100" of "/data/convolution_A100_T4.json.gz". */
static char *name_of(const char *path)
{
    static const char *const endings[] = {".gz", ".json", "_T4", "-T4", "_kerneltuner_cache"};
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash ? slash + 1 : path);
    for (size_t i = 0; name && i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(name), ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
            name[length - ending] = '\0';
    }
    return name;
}

static size_t trimmed(const char *text, size_t length)
{
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    return length;
}

/* How much of an unfinished cache is whole: up to the comma behind the last entry, or the end of the line before an
 * entry that was cut off. */
static size_t whole_length(const char *text, size_t length, bool drop_line)
{
    length = trimmed(text, length);
    if (drop_line) {
        while (length && text[length - 1] != '\n')
            length--;
        length = trimmed(text, length);
    }
    return length && text[length - 1] == ',' ? length - 1 : length;
}

/* Kernel Tuner closes its cache when it ends; before, and after it was killed, two braces are missing. */
static json_t *parse_unfinished(const char *text, size_t length)
{
    if (!memmem(text, length, "\"cache\"", strlen("\"cache\"")))
        return NULL;
    json_t *document = NULL;
    for (int drop_line = 0; drop_line < 2 && !document; drop_line++) {
        size_t whole = whole_length(text, length, drop_line);
        char *closed = malloc(whole + 3);
        if (!closed)
            return NULL;
        memcpy(closed, text, whole);
        memcpy(closed + whole, "}}", 3);
        document = json_loadb(closed, whole + 2, 0, NULL);
        free(closed);
    }
    return document;
}

static json_t *parse_json(const char *path, const char *text, size_t length, struct error *error)
{
    json_error_t problem;
    json_t *document = json_loadb(text, length, 0, &problem);
    if (!document)
        document = parse_unfinished(text, length);
    if (document)
        return document;
    size_t offset = problem.position > 0 && (size_t)problem.position <= length ? (size_t)problem.position : 0;
    struct place place = {path, text, offset, 1};
    error_at(error, ERROR_INPUT, place, "this is not JSON: %s", problem.text);
    error_hint(error, format_hint);
    return NULL;
}

static bool read_document(const char *path, const json_t *document, struct recording_builder *builder,
                          struct error *error)
{
    if (json_object_get(document, "results"))
        return t4_read(path, document, builder, error);
    if (json_object_get(document, "cache"))
        return kernel_tuner_read(path, document, builder, error);
    if (json_object_get(document, "ConfigurationSpace")) {
        error_set(error, ERROR_INPUT, "%s declares a kernel (T1); it has no results", path);
        return error_hint(error, "'tune import' makes a template and a space of it");
    }
    error_set(error, ERROR_INPUT, "%s is no recording: it has neither \"results\" (T4) nor \"cache\" (Kernel Tuner)",
              path);
    return error_hint(error, format_hint);
}

bool recording_parse(const char *path, const char *text, size_t length, struct recording **result,
                     struct error *error)
{
    *result = NULL;
    struct recording_builder builder = {0};
    char *name = name_of(path);
    json_t *document = parse_json(path, text, length, error);
    bool done = document && (name || error_out_of_memory(error)) && recording_builder_create(&builder, name, error) &&
                read_document(path, document, &builder, error) && recording_builder_finish(&builder, result, error);
    recording_builder_clear(&builder);
    json_decref(document);
    free(name);
    return done;
}

/* How SQLite's files begin, by the end NUL included (www.sqlite.org/fileformat.html, "Magic Header String"). */
static bool is_database(const char *path, bool *database, struct error *error)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(error, ERROR_INPUT, "cannot open %s: %s", path, strerror(errno));
    *database = fread(head, sizeof head, 1, file) == 1 && memcmp(head, magic, sizeof magic) == 0;
    fclose(file);
    return true;
}

bool recordings_read(const char *path, struct recordings *recordings, struct error *error)
{
    bool database;
    if (!is_database(path, &database, error))
        return false;
    if (database)
        return database_read(path, recordings, error);
    struct file_text text = {0};
    struct recording *recording = NULL;
    bool done = file_text_read(path, &text, error) &&
                recording_parse(path, text.bytes, text.length, &recording, error) &&
                recordings_append(recordings, recording, error);
    free(text.bytes);
    return done;
}
