/* SPDX-License-Identifier: Apache-2.0 */
/* Load shipped knowledge: each content once, each file in one transaction. */
#include "db/evaluations.h"
#include "db/objects.h"
#include "tuner/error/text_stream.h"
#include "tuner/json/json_text.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { FORMAT = 1 };

struct content {
    char *text;
    size_t length;
    char hash[33]; /* XXH3, 128 bits */
};

static bool read_content(const char *path, struct content *content, struct error *error)
{
    *content = (struct content){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(error, ERROR_SYSTEM, "cannot open %s: %s", path, strerror(errno));
    struct text_stream memory;
    char block[1 << 14];
    size_t length;
    if (!text_stream_open(&memory, error)) {
        fclose(file);
        return false;
    }
    while ((length = fread(block, 1, sizeof block, file)) > 0)
        fwrite(block, 1, length, memory.out);
    bool read = !ferror(file);
    fclose(file);
    if (!read) {
        text_stream_discard(&memory);
        return error_set(error, ERROR_SYSTEM, "cannot read %s", path);
    }
    content->text = text_stream_close(&memory, error);
    content->length = memory.length;
    if (!content->text)
        return false;
    XXH128_hash_t hash = XXH3_128bits(content->text, content->length);
    snprintf(content->hash, sizeof content->hash, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}

static bool is_loaded(struct store *store, const char *hash, bool *loaded, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, "SELECT count(*) FROM known_file WHERE hash = ?", error))
        return false;
    query_bind_text(&query, hash);
    int64_t count = 0;
    bool done = query_integer(&query, "answer", &count, error);
    *loaded = count > 0;
    return done;
}

/* `added` is false if another program has loaded this content meanwhile. */
static bool remember(struct store *store, const char *hash, const char *name, bool *added, struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "INSERT INTO known_file (hash, name, loaded_at) "
                    "VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ON CONFLICT DO NOTHING",
                    error))
        return false;
    query_bind_text(&query, hash);
    query_bind_text(&query, name);
    bool done = query_run(&query, error);
    *added = sqlite3_changes(store->sqlite) > 0;
    return done;
}

/* A required text that must not be empty. */
static bool member_text(const json_t *object, const char *name, const char **text, struct error *error)
{
    *text = json_string_value(json_object_get(object, name));
    return (*text && **text) || error_set(error, ERROR_INPUT, "\"%s\" must be a non-empty string", name);
}

static bool member_array(const json_t *object, const char *name, const json_t **array, struct error *error)
{
    *array = json_object_get(object, name);
    return json_is_array(*array) || error_set(error, ERROR_INPUT, "\"%s\" must be an array", name);
}

static bool copy_text(const json_t *object, const char *name, char *to, size_t size, struct error *error)
{
    const char *text;
    if (!member_text(object, name, &text, error))
        return false;
    if (strlen(text) >= size)
        return error_set(error, ERROR_INPUT, "\"%s\" is longer than %zu bytes", name, size - 1);
    strcpy(to, text);
    return true;
}

static bool read_number(const json_t *object, const struct evaluation_number *number, struct evaluation *evaluation,
                        struct error *error)
{
    char *at = (char *)evaluation + number->offset;
    const json_t *value = json_object_get(object, number->document);
    if (number->integer) {
        *(int64_t *)(void *)at = value ? json_integer_value(value) : -1;
        return !value || json_is_integer(value) ||
               error_set(error, ERROR_INPUT, "\"%s\" must be an integer", number->document);
    }
    *(double *)(void *)at = value ? json_number_value(value) : -1;
    return !value || json_is_number(value) ||
           error_set(error, ERROR_INPUT, "\"%s\" must be a number", number->document);
}

static bool load_evaluation(struct store *store, int64_t problem, const json_t *object, struct error *error)
{
    struct evaluation evaluation = {.outcome = OUTCOME_OK};
    for (size_t i = 0; i < evaluation_number_count; i++) {
        if (!read_number(object, &evaluation_numbers[i], &evaluation, error))
            return false;
    }
    if (!(evaluation.time_ns > 0))
        return error_set(error, ERROR_INPUT, "\"time_ns\" must be a positive number");
    const json_t *configuration = json_object_get(object, "configuration");
    if (!json_is_object(configuration))
        return error_set(error, ERROR_INPUT, "\"configuration\" must be an object");
    const char *measured_at;
    if (!member_text(object, "measured_at", &measured_at, error))
        return false;
    char *text = json_text(configuration, JSON_COMPACT);
    if (!text)
        return error_out_of_memory(error);
    int64_t id;
    bool done = evaluation_write(store, problem, text, &evaluation, ORIGIN_SHIPPED, measured_at, &id, error);
    free(text);
    return done;
}

static bool load_problem(struct store *store, const json_t *object, struct store_problem *problem,
                         struct device_description *device, struct error *error)
{
    const json_t *evaluations;
    if (!member_text(object, "size", &problem->size, error) ||
        !copy_text(object, "driver", device->driver, sizeof device->driver, error) ||
        !copy_text(object, "compiler", device->compiler, sizeof device->compiler, error) ||
        !member_array(object, "evaluations", &evaluations, error))
        return false;
    problem->inputs = json_string_value(json_object_get(object, "inputs")); /* may be missing */
    problem->input_files = json_string_value(json_object_get(object, "data"));
    for (size_t i = 0; i < WORK_COUNT; i++)
        problem->work.of[i] = json_number_value(json_object_get(object, work_kinds[i].column));
    int64_t id;
    bool done = problem_ensure(store, problem, ORIGIN_SHIPPED, &id, error);
    for (size_t i = 0; done && i < json_array_size(evaluations); i++)
        done = load_evaluation(store, id, json_array_get(evaluations, i), error);
    return done;
}

static bool load_document(struct store *store, const json_t *json, struct error *error)
{
    json_int_t format = json_integer_value(json_object_get(json, "format"));
    if (format != FORMAT)
        return error_set(
            error, ERROR_INPUT,
            "\"format\" must be %d: this is not a file of shipped knowledge, or it is newer than this tune", FORMAT);
    struct device_description device;
    struct store_problem problem = {.device = &device};
    const json_t *problems;
    if (!member_text(json, "template", &problem.template_name, error) ||
        !member_text(json, "template_hash", &problem.template_hash, error) ||
        !device_description_from_json(json_object_get(json, "device"), &device, error) ||
        !member_array(json, "problems", &problems, error))
        return false;
    const json_t *descriptions = json_object_get(json, "descriptions"); /* may be missing */
    char *text = descriptions ? json_text(descriptions, JSON_COMPACT) : NULL;
    if (descriptions && !text)
        return error_out_of_memory(error);
    problem.template_descriptions = text;
    bool done = true;
    for (size_t i = 0; done && i < json_array_size(problems); i++)
        done = load_problem(store, json_array_get(problems, i), &problem, &device, error);
    free(text);
    return done;
}

static bool load_content(struct store *store, const char *path, const char *name, const struct content *content,
                         struct error *error)
{
    json_t *json;
    if (!json_parse(content->text, content->length, JSON_REJECT_DUPLICATES, path, "not shipped knowledge", &json,
                    error))
        return false;
    bool done = transaction_begin(store, error);
    if (done) {
        bool added = false;
        done = remember(store, content->hash, name, &added, error) && (!added || load_document(store, json, error));
        if (!done && error && error->code == ERROR_INPUT && !error->file[0])
            snprintf(error->file, sizeof error->file, "%s", path);
        done = transaction_end(store, done, error);
    }
    json_decref(json);
    return done;
}

static bool load_path(struct store *store, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct content content;
    bool loaded = false;
    bool done = read_content(path, &content, error) && is_loaded(store, content.hash, &loaded, error) &&
                (loaded || load_content(store, path, slash ? slash + 1 : path, &content, error));
    free(content.text);
    return done;
}

static bool load_file(struct store *store, const char *folder, const char *name, struct error *error)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return error_out_of_memory(error);
    bool done = load_path(store, path, error);
    free(path);
    return done;
}

static int is_json(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && strcmp(dot, ".json") == 0;
}

/* By bytes, so that the order does not depend on the user's locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool store_known_load(struct store *store, const char *folder, struct error *error)
{
    struct dirent **entries;
    struct stat status;
    if (stat(folder, &status) == 0 && S_ISREG(status.st_mode))
        return load_path(store, folder, error);
    int count = scandir(folder, &entries, is_json, by_name);
    if (count < 0) {
        return errno == ENOENT ||
               error_set(error, ERROR_SYSTEM, "cannot read the folder %s: %s", folder, strerror(errno));
    }
    bool done = true;
    for (int i = 0; i < count; i++) {
        struct error own;
        if (!load_file(store, folder, entries[i]->d_name, &own) && done) {
            done = false;
            if (error)
                *error = own;
        }
        free(entries[i]);
    }
    free(entries);
    return done;
}
