/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/kept_inputs.h"

#include "tuner/data/market_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct keeping {
    const struct tune_answer *answer;
    const struct template *template;
    const struct variant *variant;
    const struct tune_buffer *buffers;
    const char *folder;
    json_t *paths;
};

/* ---- files ---- */

/* A file that is whole has a name, another one goes. Takes `path`. */
static void conclude(struct keeping *keeping, const char *name, char *path, FILE *file, bool whole)
{
    if (file && fclose(file) == 0 && whole)
        json_object_set_new(keeping->paths, name, json_string(path));
    else if (file)
        unlink(path);
    free(path);
}

/* A file that was not there; NULL: it cannot be made. */
static FILE *create(const struct keeping *keeping, const char *name, const char *ending, char **path)
{
    if (asprintf(path, "%s/%s.%s", keeping->folder, name, ending) < 0)
        *path = NULL;
    return *path ? fopen(*path, "wxe") : NULL;
}

/* ---- values ---- */

/* To be released with free(); NULL: they cannot be had. */
static void *download(const struct keeping *keeping, size_t index)
{
    const struct variant *variant = keeping->variant;
    const size_t bytes = (size_t)variant->passed.list[index].bytes;
    void *values = malloc(bytes + 1);
    if (values && variant->code->attached->driver->download(
                      variant->view, values, (uint64_t)(uintptr_t)keeping->buffers[index].address, bytes, NULL))
        return values;
    free(values);
    return NULL;
}

static void keep_raw(struct keeping *keeping, size_t index)
{
    const struct passed_buffer *passed = &keeping->variant->passed.list[index];
    const char *name = keeping->template->buffers[passed->buffer].name;
    void *values = download(keeping, index);
    char *path = NULL;
    FILE *file = values ? create(keeping, name, "raw", &path) : NULL;
    const bool whole = file && fwrite(values, 1, (size_t)passed->bytes, file) == passed->bytes;
    conclude(keeping, name, path, file, whole);
    free(values);
}

/* ---- matrices ---- */

static bool find_passed(const struct keeping *keeping, size_t buffer, size_t *index)
{
    const struct passed *passed = &keeping->variant->passed;
    for (*index = 0; *index < passed->count; ++*index) {
        if (passed->list[*index].buffer == buffer && passed->list[*index].role != TUNE_OUT)
            return true;
    }
    return false;
}

/* How many rows, columns and entries it has: what declares a size of them says so, else the buffer of columns. */
static bool measure(const struct keeping *keeping, const struct matrix_declaration *matrix, uint64_t capacity,
                    struct market_arrays *arrays)
{
    const struct problem *problem;
    int64_t rows, columns;
    if (!answer_problem(keeping->answer, &problem, NULL))
        return false;
    struct value *slots = calloc(scope_count(problem_configuration_space(problem, 0)->scope) + 1, sizeof *slots);
    const bool done = slots && problem_slots(problem, 0, false, slots, NULL) &&
                      expr_integer(matrix->rows, slots, &rows, NULL) &&
                      expr_integer(matrix->columns, slots, &columns, NULL);
    if (done) {
        arrays->rows = (uint64_t)rows;
        arrays->columns = (uint64_t)columns;
        arrays->count = matrix->size_count > 0 ? (uint64_t)slots[matrix->sizes[MATRIX_ENTRIES]].integer : capacity;
    }
    free(slots);
    return done;
}

/* Are the arrays, which have so many elements, as long as that takes? Their extents are the template's to say. */
static bool suffice(const struct market_arrays *arrays, const uint64_t elements[MATRIX_PARTS])
{
    const uint64_t places = arrays->by_rows ? arrays->rows + 1 : arrays->count;
    return elements[0] >= places && elements[1] >= arrays->count &&
           (!arrays->values.numbers || elements[2] >= arrays->count);
}

static void keep_matrix(struct keeping *keeping, const struct matrix_declaration *matrix)
{
    const struct passed *passed = &keeping->variant->passed;
    struct market_arrays arrays = {.by_rows = matrix->format == MATRIX_CSR};
    struct market_array *parts[MATRIX_PARTS] = {&arrays.places, &arrays.indices, &arrays.values};
    void *values[MATRIX_PARTS] = {NULL};
    uint64_t elements[MATRIX_PARTS] = {0};
    bool done = true;
    for (size_t i = 0; done && i < matrix->part_count; i++) {
        const struct layout *layout = keeping->template->buffers[matrix->parts[i]].type->layout;
        size_t index;
        done = find_passed(keeping, matrix->parts[i], &index) && (values[i] = download(keeping, index));
        elements[i] = done ? passed->list[index].bytes / layout->bytes : 0;
        *parts[i] = (struct market_array){values[i], layout->leaves[0].element};
        arrays.per_value = layout->leaf_count;
    }
    char *path = NULL;
    FILE *file = done && measure(keeping, matrix, elements[1], &arrays) && suffice(&arrays, elements)
                     ? create(keeping, matrix->name, "mtx", &path)
                     : NULL;
    conclude(keeping, matrix->name, path, file, file && market_write(&arrays, file));
    for (size_t i = 0; i < matrix->part_count; i++)
        free(values[i]);
}

/* ---- all of them ---- */

static void keep_all(struct keeping *keeping)
{
    const struct passed *passed = &keeping->variant->passed;
    for (size_t i = 0; i < passed->count; i++) {
        if (passed->list[i].role != TUNE_OUT && inputs_take(keeping->template, passed->list[i].buffer))
            keep_raw(keeping, i);
    }
    for (size_t i = 0; i < keeping->template->matrix_count; i++)
        keep_matrix(keeping, &keeping->template->matrices[i]);
}

json_t *keep_inputs(const struct tune_answer *answer, const struct variant *variant,
                    const struct tune_buffer *buffers, const char *folder)
{
    struct keeping keeping = {answer, answer->topic->own->template, variant, buffers, NULL, json_object()};
    char *made = NULL, *real = NULL; /* wherever the sweep is made */
    if (keeping.paths && asprintf(&made, "%s/XXXXXX", folder) >= 0 && (mkdir(folder, 0777) == 0 || errno == EEXIST) &&
        mkdtemp(made) && (real = realpath(made, NULL))) {
        keeping.folder = real;
        keep_all(&keeping);
    }
    free(made);
    free(real);
    if (json_object_size(keeping.paths) > 0)
        return keeping.paths;
    json_decref(keeping.paths);
    return NULL;
}
