/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/recording_file.h"

#include "tuner/error/input_file.h"
#include "tuner/formats/database_read.h"
#include "tuner/formats/file_text.h"
#include "tuner/formats/kernel_tuner_read.h"
#include "tuner/formats/ktt_read.h"
#include "tuner/formats/t4_read.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char format_hint[] =
    "a recording is a T4 file, a Kernel Tuner cache, results of KTT (.json or .json.gz) or "
    "a tune database; 'tune import' also takes T1 files";

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

/* The length of the complete part of an unfinished cache: up to the comma behind the last entry, or with `drop_line`
 * to the end of the line before an entry that was cut off. */
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

/* Kernel Tuner writes the two closing braces when it ends: they are missing before, and after it was killed.
 * `*document` is NULL if that is not what is wrong. False: out of memory. */
static bool parse_unfinished(const char *text, size_t length, json_t **document, struct error *error)
{
    *document = NULL;
    if (!memmem(text, length, "\"cache\"", strlen("\"cache\"")))
        return true;
    for (int drop_line = 0; drop_line < 2 && !*document; drop_line++) {
        size_t whole = whole_length(text, length, drop_line);
        char *closed = malloc(whole + 3);
        if (!closed)
            return error_out_of_memory(error);
        memcpy(closed, text, whole);
        memcpy(closed + whole, "}}", 3);
        bool parsed = json_parse(closed, whole + 2, 0, NULL, "", document, error);
        free(closed);
        if (!parsed && error->code == ERROR_OUT_OF_MEMORY)
            return false;
    }
    return true;
}

static json_t *parse_document(const char *path, const char *text, size_t length, struct error *error)
{
    json_t *document, *unfinished;
    struct error reason;
    if (text[strspn(text, " \t\r\n")] == '<') {
        error_set(error, ERROR_INPUT, "%s is XML, not JSON", path);
        error_hint(error, "of KTT's results only those in JSON are read: "
                          "tuner.SaveResults(results, file, ktt::OutputFormat::JSON)");
        return NULL;
    }
    if (json_parse(text, length, 0, path, "invalid JSON", &document, error) || error->code != ERROR_INPUT)
        return document;
    if (!parse_unfinished(text, length, &unfinished, &reason))
        *error = reason;
    else if (!unfinished)
        error_hint(error, format_hint);
    return unfinished;
}

static bool read_document(const char *path, const json_t *document, struct recording_builder *builder,
                          struct error *error)
{
    if (json_object_get(document, "results"))
        return t4_read(path, document, builder, error);
    if (json_object_get(document, "cache"))
        return kernel_tuner_read(path, document, builder, error);
    if (json_object_get(document, "Results") && json_object_get(document, "Metadata"))
        return ktt_read(path, document, builder, error);
    if (json_object_get(document, "ConfigurationSpace")) {
        error_set(error, ERROR_INPUT, "%s is a T1 file, which describes a kernel and holds no results", path);
        return error_hint(error, "'tune import' turns it into a template and a space");
    }
    error_set(error, ERROR_INPUT,
              "%s is not a recording: it has neither \"results\" (T4) nor \"cache\" (Kernel Tuner) nor \"Results\" "
              "(KTT)",
              path);
    return error_hint(error, format_hint);
}

bool recording_parse(const char *path, const char *text, size_t length, struct recording **result,
                     struct error *error)
{
    *result = NULL;
    struct recording_builder builder = {0};
    char *name = name_of(path);
    json_t *document = parse_document(path, text, length, error);
    bool done = document && (name || error_out_of_memory(error)) && recording_builder_create(&builder, name, error) &&
                read_document(path, document, &builder, error) && recording_builder_finish(&builder, result, error);
    recording_builder_clear(&builder);
    json_decref(document);
    free(name);
    return done;
}

/* SQLite's "Magic Header String", its NUL included (www.sqlite.org/fileformat.html). */
static bool is_database(const char *path, bool *database, struct error *error)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    bool regular;
    int file = input_file_open(path, &regular, error);
    if (file < 0)
        return false;
    *database = regular && pread(file, head, sizeof head, 0) == sizeof head && memcmp(head, magic, sizeof magic) == 0;
    close(file);
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
