/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cusparse_spmv - how long cuSPARSE's SpMV takes for the matrices of the template `spmv`.
 *
 *     cusparse_spmv ROWS=N,COLUMNS=N,MEAN=N,SHAPE=N [samples]
 *
 * The template's own setup makes the matrix, and its reference judges what cuSPARSE computes. Times each algorithm
 * for rows (CSR), tuples (COO) and slices of 32 padded rows (SELL, unless padding makes the matrix four times as
 * large), after cusparseSpMV_preprocess; peer.h says how. Prints a line for each, and the fastest last, with bytes a
 * second as `work` of the template counts them for rows.
 */
#include "tests/bench/peer.h"

#include "tuner/measure/steps.h"
#include "tuner/space/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 0, INTEGERS = 2, PLAIN = 0, SLICE = 32 }; /* cuSPARSE's names for them are longer */

static struct {
    int (*create)(void **);
    int (*version)(void *, int *);
    int (*vector)(void **, int64_t, uint64_t, int);
    int (*by_rows)(void **, int64_t, int64_t, int64_t, uint64_t, uint64_t, uint64_t, int, int, int, int);
    int (*by_tuples)(void **, int64_t, int64_t, int64_t, uint64_t, uint64_t, uint64_t, int, int, int);
    int (*by_slices)(void **, int64_t, int64_t, int64_t, int64_t, int64_t, uint64_t, uint64_t, uint64_t, int, int,
                     int, int);
    int (*room)(void *, int, const void *, void *, void *, const void *, void *, int, int, size_t *);
    int (*prepare)(void *, int, const void *, void *, void *, const void *, void *, int, int, uint64_t);
    int (*multiply)(void *, int, const void *, void *, void *, const void *, void *, int, int, uint64_t);
} api;

static const struct peer_symbol symbols[] = {
    {"cusparseCreate", &api.create},        {"cusparseGetVersion", &api.version},
    {"cusparseCreateDnVec", &api.vector},   {"cusparseCreateCsr", &api.by_rows},
    {"cusparseCreateCoo", &api.by_tuples},  {"cusparseCreateSlicedEll", &api.by_slices},
    {"cusparseSpMV_bufferSize", &api.room}, {"cusparseSpMV_preprocess", &api.prepare},
    {"cusparseSpMV", &api.multiply},
};

static const char *const libraries[] = {"libcusparse.so.12", "libcusparse.so", "/usr/local/cuda/lib64/libcusparse.so",
                                        NULL};

/* ---- the matrix, from the template ------------------------------------------------------------------------------
 */

static struct validation_kernels kernels;
static struct instance *instance;

static void must(bool done, const struct error *error)
{
    if (!done) {
        error_print(error, stderr);
        exit(1);
    }
}

static const struct instance_buffer *buffer_of(const char *name)
{
    for (size_t i = 0; i < instance->buffer_count; i++)
        if (strcmp(instance->buffers[i].name, name) == 0)
            return &instance->buffers[i];
    fprintf(stderr, "spmv has no buffer %s\n", name);
    exit(1);
}

static uint64_t address_of(const char *name)
{
    return buffer_of(name)->memory.address;
}

static void *fetch(uint64_t address, size_t bytes)
{
    struct error error = {0};
    void *copy = malloc(bytes);
    peer_check(!copy, "malloc");
    must(kernels.driver->download(kernels.device, copy, address, bytes, &error), &error);
    return copy;
}

static uint64_t send(const void *from, size_t bytes)
{
    struct error error = {0};
    uint64_t address = peer_allocate(bytes);
    must(kernels.driver->upload(kernels.device, address, from, bytes, &error), &error);
    return address;
}

static void open_matrix(const struct size_setting *sizes, size_t size_count)
{
    struct error error = {0};
    struct template *template;
    struct space *space;
    struct problem *problem;
    struct job *job;
    struct program_cache *programs;
    const struct device_driver *driver = device_driver_find("cuda");
    peer_check(!driver, "looking for CUDA");
    must(validation_kernels_open(&kernels, driver, 0, NULL, &error), &error);
    must(template_read(TUNE_SOURCE_FOLDER "/templates/spmv", &template, &error), &error);
    must(space_read(TUNE_SOURCE_FOLDER "/spaces/spmv/csr_thread.space", template, &space, &error), &error);
    must(problem_create(template, space, &kernels.description, sizes, size_count, &problem, &error), &error);
    must(job_lower(problem, 0, 1, &job, &error), &error);
    must(program_cache_create(&programs, &error), &error);
    must(instance_create(&kernels, programs, job, JOB_TUNED, &instance, &error), &error);
}

/* ---- cuSPARSE's forms of it -------------------------------------------------------------------------------------
 */

struct matrix {
    int64_t rows, columns, nonzeros;
    int *offsets;
};

static void *rows_of(const struct matrix *a)
{
    void *made;
    peer_check(api.by_rows(&made, a->rows, a->columns, a->nonzeros, address_of("offsets"), address_of("columns"),
                           address_of("values"), INTEGERS, INTEGERS, 0, FLOATS),
               "cusparseCreateCsr");
    return made;
}

static void *tuples_of(const struct matrix *a)
{
    void *made;
    int *row = malloc((size_t)a->nonzeros * sizeof *row);
    peer_check(!row, "malloc");
    for (int i = 0; i < a->rows; i++)
        for (int k = a->offsets[i]; k < a->offsets[i + 1]; k++)
            row[k] = i;
    uint64_t sent = send(row, (size_t)a->nonzeros * sizeof *row);
    free(row);
    peer_check(api.by_tuples(&made, a->rows, a->columns, a->nonzeros, sent, address_of("columns"),
                             address_of("values"), INTEGERS, 0, FLOATS),
               "cusparseCreateCoo");
    return made;
}

struct slices {
    int count, *offsets, *columns;
    float *values;
};

/* Where slices begin; false if they take too much. */
static bool measure_slices(const struct matrix *a, struct slices *slices)
{
    int64_t places = 0;
    slices->count = (int)((a->rows + SLICE - 1) / SLICE);
    slices->offsets = malloc(((size_t)slices->count + 1) * sizeof *slices->offsets);
    peer_check(!slices->offsets, "malloc");
    for (int s = 0; s < slices->count && places <= 4 * a->nonzeros && places < INT32_MAX; s++) {
        int width = 0;
        for (int i = s * SLICE; i < (s + 1) * SLICE && i < a->rows; i++)
            if (a->offsets[i + 1] - a->offsets[i] > width)
                width = a->offsets[i + 1] - a->offsets[i];
        slices->offsets[s] = (int)places;
        places += (int64_t)width * SLICE;
    }
    slices->offsets[slices->count] = (int)places;
    return places <= 4 * a->nonzeros && places < INT32_MAX;
}

/* Column by column, with column -1 where a row has no more. */
static void fill_slices(const struct matrix *a, struct slices *slices)
{
    int *columns = fetch(address_of("columns"), (size_t)a->nonzeros * sizeof *columns);
    float *values = fetch(address_of("values"), (size_t)a->nonzeros * sizeof *values);
    for (int i = 0; i < slices->count * SLICE; i++) {
        int to = slices->offsets[i / SLICE] + i % SLICE, end = slices->offsets[i / SLICE + 1];
        int from = i < a->rows ? a->offsets[i] : 0, last = i < a->rows ? a->offsets[i + 1] : 0;
        for (; to < end; to += SLICE, from++) {
            slices->columns[to] = from < last ? columns[from] : -1;
            slices->values[to] = from < last ? values[from] : 0;
        }
    }
    free(values);
    free(columns);
}

static void *slices_of(const struct matrix *a)
{
    void *made;
    struct slices slices;
    if (!measure_slices(a, &slices)) {
        free(slices.offsets);
        return NULL;
    }
    size_t places = (size_t)slices.offsets[slices.count];
    slices.columns = malloc(places * sizeof *slices.columns);
    slices.values = malloc(places * sizeof *slices.values);
    peer_check(!slices.columns || !slices.values, "malloc");
    fill_slices(a, &slices);
    peer_check(api.by_slices(&made, a->rows, a->columns, a->nonzeros, (int64_t)places, SLICE,
                             send(slices.offsets, ((size_t)slices.count + 1) * sizeof(int)),
                             send(slices.columns, places * sizeof(int)), send(slices.values, places * sizeof(float)),
                             INTEGERS, INTEGERS, 0, FLOATS),
               "cusparseCreateSlicedEll");
    free(slices.offsets);
    free(slices.columns);
    free(slices.values);
    return made;
}

/* ---- times ------------------------------------------------------------------------------------------------------
 */

static const struct algorithm {
    const char *name;
    void *(*form)(const struct matrix *);
    int number;
} algorithms[] = {
    {"csr_default", rows_of, 0}, {"csr_alg1", rows_of, 2},   {"csr_alg2", rows_of, 3},
    {"coo_alg1", tuples_of, 1},  {"coo_alg2", tuples_of, 4}, {"sell_alg1", slices_of, 5},
};

enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

struct run {
    void *cusparse, *matrix, *x, *y;
    int algorithm;
    uint64_t room;
};

static const float one = 1, zero = 0;

static int try_multiply(const struct run *run)
{
    return api.multiply(run->cusparse, PLAIN, &one, run->matrix, run->x, &zero, run->y, FLOATS, run->algorithm,
                        run->room);
}

static void multiply(void *argument)
{
    peer_check(try_multiply(argument), "cusparseSpMV");
}

/* False: this version has no such algorithm. Not every algorithm has something to prepare. */
static bool prepare(struct run *run)
{
    size_t bytes = 0;
    if (api.room(run->cusparse, PLAIN, &one, run->matrix, run->x, &zero, run->y, FLOATS, run->algorithm, &bytes))
        return false;
    run->room = peer_allocate(bytes ? bytes : 1);
    (void)api.prepare(run->cusparse, PLAIN, &one, run->matrix, run->x, &zero, run->y, FLOATS, run->algorithm,
                      run->room);
    return try_multiply(run) == 0;
}

/* By the template's reference and tolerance. */
static void check_result(const struct matrix *a, uint64_t y, const char *name)
{
    const struct instance_buffer *buffer = buffer_of("y");
    float *got = fetch(y, (size_t)a->rows * sizeof *got);
    double *right = fetch(buffer->reference, (size_t)a->rows * sizeof *right);
    double *magnitude = fetch(buffer->magnitude, (size_t)a->rows * sizeof *magnitude);
    for (int64_t i = 0; i < a->rows; i++)
        if (!(fabs(got[i] - right[i]) <= 1.02 * 0x1p-24 * magnitude[i])) {
            fprintf(stderr, "%s: y[%lld] is %.9g, not %.9g\n", name, (long long)i, got[i], right[i]);
            exit(1);
        }
    free(got);
    free(right);
    free(magnitude);
}

static void print_time(const struct matrix *a, const char *name, const char *sizes, double time, int version)
{
    int64_t of_x = a->columns < a->nonzeros ? a->columns : a->nonzeros;
    double bytes = 8.0 * (double)a->nonzeros + 8.0 * (double)a->rows + 4.0 * (double)of_x;
    printf("{\"what\": \"cuSPARSE\", \"algorithm\": \"%s\", \"version\": %d, \"size\": \"%s\", \"nonzeros\": %lld, "
           "\"time_ms\": %.6f, \"gigabytes_per_second\": %.1f}\n",
           name, version, sizes, (long long)a->nonzeros, time, 1e-6 * bytes / time);
    fflush(stdout);
}

static void time_all(const struct matrix *a, const char *sizes, int samples)
{
    struct run run;
    int version, best = -1;
    double least = INFINITY;
    uint64_t y = peer_allocate((size_t)a->rows * sizeof(float));
    peer_check(api.create(&run.cusparse), "cusparseCreate");
    peer_check(api.version(run.cusparse, &version), "cusparseGetVersion");
    peer_check(api.vector(&run.x, a->columns, address_of("x"), FLOATS), "cusparseCreateDnVec");
    peer_check(api.vector(&run.y, a->rows, y, FLOATS), "cusparseCreateDnVec");
    for (int i = 0; i < ALGORITHMS; i++) {
        run.matrix = algorithms[i].form(a);
        run.algorithm = algorithms[i].number;
        if (!run.matrix || !prepare(&run))
            continue;
        double time = peer_time(multiply, &run, samples);
        check_result(a, y, algorithms[i].name);
        print_time(a, algorithms[i].name, sizes, time, version);
        if (time < least) {
            least = time;
            best = i;
        }
    }
    peer_check(best < 0, "looking for an algorithm");
    print_time(a, algorithms[best].name, sizes, least, version);
}

/* "NAME=N,..." */
static size_t read_sizes(char *text, struct size_setting *sizes, size_t most)
{
    size_t count = 0;
    char *place = NULL;
    for (char *word = strtok_r(text, ",", &place); word && count < most; word = strtok_r(NULL, ",", &place)) {
        char *equals = strchr(word, '=');
        peer_check(!equals, word);
        *equals = '\0';
        sizes[count++] = (struct size_setting){.name = word, .value = strtoll(equals + 1, NULL, 10)};
    }
    return count;
}

int main(int count, char **arguments)
{
    enum { MOST_SIZES = 4 };
    struct size_setting sizes[MOST_SIZES];
    long samples = count > 2 ? strtol(arguments[2], NULL, 10) : 30;
    if (count < 2 || samples < 1 || samples > PEER_MOST_SAMPLES) {
        fprintf(stderr, "usage: cusparse_spmv ROWS=N,COLUMNS=N,MEAN=N,SHAPE=N [samples]\n");
        return 2;
    }
    char *text = strdup(arguments[1]);
    peer_check(!text, "strdup");
    open_matrix(sizes, read_sizes(text, sizes, MOST_SIZES));
    free(text);
    peer_open(libraries, symbols, sizeof symbols / sizeof *symbols);
    struct matrix a = {.rows = (int64_t)buffer_of("y")->extent,
                       .columns = (int64_t)buffer_of("x")->extent,
                       .nonzeros = (int64_t)buffer_of("values")->extent};
    a.offsets = fetch(address_of("offsets"), ((size_t)a.rows + 1) * sizeof(int));
    time_all(&a, arguments[1], (int)samples);
    free(a.offsets);
    return 0;
}
