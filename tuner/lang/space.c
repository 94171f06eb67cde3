/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading spaces: files, the members of unions, hashes.
 */
#include "tuner/lang/space.h"
#include "tuner/lang/entry.h"
#include "tuner/lang/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNION_DEPTH = 16,
    UNION_SPACES = 1000, /* read for one union, through all levels */
};

/* A space and what it owns. */
struct document {
    struct space space;
    struct arena arena;
    struct text text;
};

/* The spaces being read, each a member of the next; innermost first. */
struct reading {
    const struct reading *outer;
    const char *name;
    unsigned depth;
    unsigned *spaces; /* read so far */
};

static bool read_document(const char *path, const struct template *template, const struct reading *reading,
                          struct space **result, struct error *error);

/* Refuse members that contain themselves, and unions that are too deep or too large. */
static bool check_member(const struct reading *reading, const struct union_member *member, struct error *error)
{
    for (const struct reading *outer = reading; outer; outer = outer->outer) {
        if (strcmp(outer->name, member->name) == 0)
            return error_at(error, ERROR_INPUT, member->place, "union %s contains itself", member->name);
    }
    if (reading->depth >= UNION_DEPTH)
        return error_at(error, ERROR_INPUT, member->place, "unions are nested more than %d levels deep", UNION_DEPTH);
    if (++*reading->spaces > UNION_SPACES)
        return error_at(error, ERROR_INPUT, member->place, "this union reads more than %d spaces", UNION_SPACES);
    return true;
}

/* FOLDER/NAME.space, in the arena */
static char *member_path(struct document *document, const char *name)
{
    const char *path = document->text.file;
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    size_t size = folder + strlen(name) + sizeof ".space";
    char *member = arena_allocate(&document->arena, size);
    if (member)
        snprintf(member, size, "%.*s%s.space", (int)folder, path, name);
    return member;
}

static bool read_member(struct document *document, const struct template *template, const struct reading *reading,
                        const struct union_member *member, struct space **result, struct error *error)
{
    const char *path = member_path(document, member->name);
    if (!path)
        return error_out_of_memory(error);
    struct reading inner = {reading, member->name, reading->depth + 1, reading->spaces};
    if (!read_document(path, template, &inner, result, error)) {
        if (error && !error->file[0] &&
            error->code != ERROR_OUT_OF_MEMORY) { /* the file cannot be read: point at its name */
            char text[sizeof error->text];
            memcpy(text, error->text, sizeof text);
            error_at(error, error->code, member->place, "%s", text);
        }
        return false;
    }
    return strcmp((*result)->name, member->name) == 0 ||
           error_at(error, ERROR_INPUT, member->place, "%s defines a space named %s, not %s", path, (*result)->name,
                    member->name);
}

/* Members that were read belong to the space even when a later one fails. */
static bool read_members(struct document *document, const struct template *template, const struct reading *reading,
                         const struct list *members, struct error *error)
{
    struct space *space = &document->space;
    unsigned spaces = 0;
    struct reading outermost = {NULL, space->name, 0, &spaces};
    if (!reading)
        reading = &outermost;
    struct space **read = arena_allocate(&document->arena, members->count * sizeof(struct space *));
    if (!read)
        return error_out_of_memory(error);
    space->members = read;
    for (size_t i = 0; i < members->count; i++) {
        const struct union_member *member = (const struct union_member *)members->items + i;
        bool good =
            check_member(reading, member, error) && read_member(document, template, reading, member, &read[i], error);
        space->member_count += read[i] != NULL;
        if (!good)
            return false;
    }
    return true;
}

static bool hash_document(struct document *document, struct error *error)
{
    struct space *space = &document->space;
    struct hash *hash = hash_create();
    if (!hash)
        return error_out_of_memory(error);
    hash_tokens(hash, &document->text);
    for (size_t i = 0; i < space->member_count; i++)
        hash_bytes(hash, space->members[i]->hash, sizeof space->members[i]->hash);
    hash_digits(hash, space->hash);
    hash_free(hash);
    return true;
}

static struct document *document_create(struct error *error)
{
    struct document *document = calloc(1, sizeof *document);
    if (!document)
        error_out_of_memory(error);
    return document;
}

void space_free(struct space *space)
{
    struct document *document = (struct document *)space;
    if (!document)
        return;
    for (size_t i = 0; i < space->member_count; i++)
        space_free(space->members[i]);
    arena_free(&document->arena);
    free(document);
}

/* Finish a document whose text has been read, or free it. */
static bool finish(struct document *document, const struct template *template, const struct reading *reading,
                   struct space **result, struct error *error)
{
    struct space *space = &document->space;
    struct list members = {0};
    space->path = document->text.file;
    space->text = document->text.data;
    if (!parse_space(&document->text, &document->arena, template, space, &members, error) ||
        !read_members(document, template, reading, &members, error) || !hash_document(document, error)) {
        space_free(space);
        return false;
    }
    *result = space;
    return true;
}

static bool read_document(const char *path, const struct template *template, const struct reading *reading,
                          struct space **result, struct error *error)
{
    struct document *document = document_create(error);
    if (!document)
        return false;
    if (text_read(&document->text, &document->arena, path, error))
        return finish(document, template, reading, result, error);
    space_free(&document->space);
    return false;
}

bool space_read(const char *path, const struct template *template, struct space **result, struct error *error)
{
    return read_document(path, template, NULL, result, error);
}

bool space_parse(const char *path, const char *text, size_t length, const struct template *template,
                 struct space **result, struct error *error)
{
    struct document *document = document_create(error);
    if (!document)
        return false;
    if (text_copy(&document->text, &document->arena, path, text, length, error))
        return finish(document, template, NULL, result, error);
    space_free(&document->space);
    return false;
}
