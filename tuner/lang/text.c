/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/text.h"

#include "tuner/error/input_file.h"
#include "tuner/error/utf8.h"

#include <stdlib.h>
#include <string.h>

struct place text_place(const struct text *text, size_t offset, size_t length)
{
    return (struct place){.file = text->file, .text = text->data, .offset = offset, .length = length};
}

unsigned text_line(const struct text *text, size_t offset)
{
    unsigned line = 1;
    for (size_t i = 0; i < offset && i < text->length; i++)
        line += text->data[i] == '\n';
    return line;
}

static bool check(const struct text *text, struct error *error)
{
    if (text->length > TEXT_LIMIT)
        return error_set(error, ERROR_INPUT, "%s is larger than %d MiB", text->file, TEXT_LIMIT / 1024 / 1024);
    for (size_t i = utf8_plain(text->data, text->length); i < text->length;) {
        if (text->data[i] == '\0') {
            error_at(error, ERROR_INPUT, text_place(text, i, 1), "byte %zu is zero: this is not a text file", i + 1);
            return error_hint(error, "expected plain text in UTF-8");
        }
        struct utf8_character character = utf8_decode(text->data + i, text->length - i);
        if (!character.valid) {
            error_at(error, ERROR_INPUT, text_place(text, i, 1), "byte %zu (0x%02x) is not valid UTF-8", i + 1,
                     (unsigned char)text->data[i]);
            return error_hint(error, "save the file as UTF-8");
        }
        i += character.bytes;
        i += utf8_plain(text->data + i, text->length - i);
    }
    return true;
}

bool text_copy(struct text *text, struct arena *arena, const char *file, const char *data, size_t length,
               struct error *error)
{
    text->file = arena_string(arena, file, strlen(file));
    text->data = arena_string(arena, data, length);
    text->length = length;
    if (!text->file || !text->data)
        return error_out_of_memory(error);
    return check(text, error);
}

bool text_read(struct text *text, struct arena *arena, const char *path, struct error *error)
{
    struct input_file file;
    input_file_read(path, TEXT_LIMIT, &file);
    if (file.state != INPUT_READ)
        return input_file_error(&file, path, error);
    text->length = file.length;
    text->file = arena_string(arena, path, strlen(path));
    text->data = arena_string(arena, file.bytes, file.length);
    free(file.bytes);
    if (!text->file || !text->data)
        return error_out_of_memory(error);
    return check(text, error);
}
