/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_files.h - files of known results in the scratch folder, changed, loaded and imported.
 */
#ifndef TESTS_UNIT_DB_KNOWN_FILES_H
#define TESTS_UNIT_DB_KNOWN_FILES_H

#include "fixture.h"

#include <jansson.h>
#include <sys/stat.h>

struct known {
    char folder[128], file[160], again[160], target[160];
};

static inline struct known known_paths(struct fixture *f)
{
    struct known k;
    snprintf(k.folder, sizeof k.folder, "%s/known", f->folder);
    snprintf(k.file, sizeof k.file, "%s/gemm-imaginary.json", k.folder);
    snprintf(k.again, sizeof k.again, "%s/again.json", f->folder);
    snprintf(k.target, sizeof k.target, "%s/other.db", f->folder);
    assert_int_equal(mkdir(k.folder, 0700), 0);
    return k;
}

static inline struct store *open_target(struct fixture *f, const struct known *k)
{
    strcpy(f->path, k->target);
    return fixture_open(f);
}

static inline void load(struct fixture *f, struct store *store, const struct known *k)
{
    if (!store_known_load(store, k->folder, &f->error))
        fail_msg("%s: %s", f->error.file, f->error.text);
}

/* Change one member of a shipped file; numbers in `path` are array indices. */
static inline void corrupt(const struct known *k, const char *to, const char *const *path, size_t depth,
                           const char *value)
{
    json_t *json = json_load_file(k->file, 0, NULL), *at = json;
    assert_non_null(json);
    for (size_t i = 0; i + 1 < depth; i++)
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(path[i])) : json_object_get(at, path[i]);
    if (json_is_array(at))
        json_array_set_new(at, (size_t)atoi(path[depth - 1]), json_loads(value, JSON_DECODE_ANY, NULL));
    else if (value)
        json_object_set_new(at, path[depth - 1], json_loads(value, JSON_DECODE_ANY, NULL));
    else
        json_object_del(at, path[depth - 1]);
    assert_int_equal(json_dump_file(json, to, JSON_PRESERVE_ORDER), 0);
    json_decref(json);
}

struct refusals {
    size_t count;
    struct error last;
};

static inline void note(const struct error *why, void *context)
{
    struct refusals *refusals = context;
    refusals->count++;
    refusals->last = *why;
}

static inline bool import_file(struct fixture *f, struct store *store, const char *path, struct refusals *refusals,
                               struct store_known_counts *counts)
{
    static char text[1 << 17];
    size_t length = fixture_read(path, text, sizeof text - 1);
    text[length] = '\0';
    *refusals = (struct refusals){0};
    assert_true(store_known_is(text, length));
    return store_known_import(store, path, text, length, note, refusals, counts, &f->error);
}

#endif
