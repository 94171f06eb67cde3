/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/text.h"

#include "tuner/error/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    for (size_t i = 0; i < text->length;) {
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

static bool fail(struct error *error, const char *path, int reason)
{
    if (reason == ENOMEM)
        return error_out_of_memory(error);
    enum error_code code = reason == EIO || reason == ENFILE || reason == EMFILE ? ERROR_SYSTEM : ERROR_INPUT;
    return error_set(error, code, "cannot read %s: %s", path, strerror(reason));
}

/* Read up to `*length` bytes; the file may have shrunk since it was measured. */
static bool read_all(int file, char *data, size_t *length, const char *path, struct error *error)
{
    size_t got = 0;
    while (got < *length) {
        ssize_t n = read(file, data + got, *length - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(error, path, errno);
        if (n == 0)
            break;
        got += (size_t)n;
    }
    *length = got;
    return true;
}

bool text_read_raw(struct text *text, struct arena *arena, const char *path, struct error *error)
{
    bool good = false;
    struct stat status;
    /* O_NONBLOCK: opening a pipe without a writer must not block */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail(error, path, errno);
    if (fstat(file, &status) != 0) {
        fail(error, path, errno);
        goto end;
    }
    if (!S_ISREG(status.st_mode)) {
        error_set(error, ERROR_INPUT, "cannot read %s: %s", path,
                  S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
        goto end;
    }
    if (status.st_size > TEXT_LIMIT) {
        error_set(error, ERROR_INPUT, "%s is larger than %d MiB", path, TEXT_LIMIT / 1024 / 1024);
        goto end;
    }
    text->length = (size_t)status.st_size;
    text->file = arena_string(arena, path, strlen(path));
    char *data = arena_allocate(arena, text->length + 1);
    text->data = data;
    if (!text->file || !data) {
        error_out_of_memory(error);
        goto end;
    }
    good = read_all(file, data, &text->length, path, error);
end:
    close(file);
    return good;
}

bool text_read(struct text *text, struct arena *arena, const char *path, struct error *error)
{
    return text_read_raw(text, arena, path, error) && check(text, error);
}
