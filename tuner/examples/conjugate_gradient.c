/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conjugate_gradient.c - solve A x = b, where A is Poisson's equation on a square of N by N points, by conjugate
 * gradients; the product of matrix and vector is the shipped template spmv, as fast as it is known to be.
 *
 *     tune spmv --device cpu --size ROWS=4096,MEAN=5,SHAPE=1      # once: what is known for about this size
 *     cc conjugate_gradient.c -o conjugate_gradient $(pkg-config --cflags --libs tune) -lm
 *     ./conjugate_gradient 64
 *
 * With -DWITH_CUDA and -lcudart it runs on a GPU; there leave out --device.
 *
 * What it shows: sizes that follow from the program's own matrix; tune_prepare, once for a matrix, makes another
 * format of it where the configuration has one; tune_launch, again and again, with the same buffers; and what tuning
 * gains: tune_default has the configuration that is launched when nothing is known.
 *
 * spmv computes with floats. To solve to more digits than those have, corrections d are solved for, of A d = b - A x,
 * where x and this residual are doubles. So the residual that is printed at the end does not rely on spmv at all.
 */
#include "device_memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tune.h>

static void fail(const char *what)
{
    fprintf(stderr, "conjugate_gradient: %s\n", what);
    exit(1);
}

/* A call of libtune: errors are values, and most of them say what helps. */
static void must(enum tune_code code, const struct tune_error *error)
{
    if (code == TUNE_OK)
        return;
    fprintf(stderr, "conjugate_gradient: %s%s%s\n", error->text, error->hint[0] ? "\n    hint: " : "", error->hint);
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        fail("out of memory");
    return memory;
}

/* ---- the matrix, by rows: 4 on the diagonal, -1 for each neighbour in the square ---- */

enum { ROW_MOST = 5 }; /* entries of a row; at the edge there are fewer */

struct matrix {
    int rows, nonzeros, longest; /* of its rows */
    int *offsets, *columns;
    float *values;
    int *order; /* the rows, longest first: variants of spmv that sort rows start from it */
};

static void add(struct matrix *a, int column, float value)
{
    a->columns[a->nonzeros] = column;
    a->values[a->nonzeros++] = value;
}

/* In the order of their columns. */
static void add_row(struct matrix *a, int n, int i, int j)
{
    const int row = i * n + j;
    if (i > 0)
        add(a, row - n, -1);
    if (j > 0)
        add(a, row - 1, -1);
    add(a, row, 4);
    if (j < n - 1)
        add(a, row + 1, -1);
    if (i < n - 1)
        add(a, row + n, -1);
    a->offsets[row + 1] = a->nonzeros;
}

static void sort_rows(struct matrix *a)
{
    int count = 0;
    for (int length = ROW_MOST; length >= 0; length--) {
        for (int row = 0; row < a->rows; row++) {
            if (a->offsets[row + 1] - a->offsets[row] == length)
                a->order[count++] = row;
        }
    }
    a->longest = a->offsets[a->order[0] + 1] - a->offsets[a->order[0]];
}

static struct matrix poisson(int n)
{
    const size_t rows = (size_t)n * (size_t)n;
    struct matrix a = {.rows = n * n,
                       .offsets = allocate((rows + 1) * sizeof(int)),
                       .columns = allocate(ROW_MOST * rows * sizeof(int)),
                       .values = allocate(ROW_MOST * rows * sizeof(float)),
                       .order = allocate(rows * sizeof(int))};
    a.offsets[0] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            add_row(&a, n, i, j);
    }
    sort_rows(&a);
    return a;
}

/* r = b - A x in double precision, on the host; returns its norm. */
static double residual(const struct matrix *a, const double *x, const double *b, double *r)
{
    double square = 0;
    for (int row = 0; row < a->rows; row++) {
        r[row] = b[row];
        for (int i = a->offsets[row]; i < a->offsets[row + 1]; i++)
            r[row] -= (double)a->values[i] * x[a->columns[i]];
        square += r[row] * r[row];
    }
    return sqrt(square);
}

/* ---- the product, on the device ---- */

enum { OFFSETS, COLUMNS, VALUES, ORDER, X, Y, BUFFERS }; /* of the template; `tune show spmv` lists them */

static struct tune_buffer on_device(const void *data, size_t bytes)
{
    struct tune_buffer buffer = {device_new(bytes), bytes};
    if (!buffer.address || (data && !device_copy(buffer.address, data, bytes)))
        fail("the device has no room for the matrix");
    return buffer;
}

static void put_on_device(const struct matrix *a, struct tune_buffer buffers[BUFFERS])
{
    const size_t rows = (size_t)a->rows, nonzeros = (size_t)a->nonzeros;
    buffers[OFFSETS] = on_device(a->offsets, (rows + 1) * sizeof(int));
    buffers[COLUMNS] = on_device(a->columns, nonzeros * sizeof(int));
    buffers[VALUES] = on_device(a->values, nonzeros * sizeof(float));
    buffers[ORDER] = on_device(a->order, rows * sizeof(int));
    buffers[X] = on_device(NULL, rows * sizeof(float));
    buffers[Y] = on_device(NULL, rows * sizeof(float));
}

struct product {
    struct tune_kernel *kernel;
    const struct tune_buffer *buffers;
};

static void queue(const struct product *product)
{
    struct tune_error error;
    must(tune_launch(product->kernel, NULL, product->buffers, BUFFERS, &error), &error);
}

/* y = A x */
static void multiply(const struct product *product, const float *x, float *y)
{
    const struct tune_buffer *buffers = product->buffers;
    if (!device_copy(buffers[X].address, x, buffers[X].size))
        fail("the device failed");
    queue(product);
    if (!device_copy(y, buffers[Y].address, buffers[Y].size))
        fail("the device failed");
}

static double seconds(void)
{
    struct timespec now;
    if (!device_wait() || timespec_get(&now, TIME_UTC) != TIME_UTC)
        fail("the device failed");
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The shortest of some, in seconds. */
static double time_of(const struct product *product)
{
    enum { ROUNDS = 5, TIMES = 20 };
    double shortest = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = seconds();
        for (int i = 0; i < TIMES; i++)
            queue(product);
        shortest = fmin(shortest, (seconds() - start) / TIMES);
    }
    return shortest;
}

static struct product load(struct tune *tune, const struct tune_answer *answer, unsigned flags,
                           const struct tune_buffer *buffers)
{
    struct tune_error error;
    struct product product = {.buffers = buffers};
    const struct tune_load_options options = {.bytes = sizeof options, .flags = flags};
    must(tune_load(tune, answer, &options, &product.kernel, &error), &error);
    must(tune_prepare(product.kernel, NULL, buffers, BUFFERS, &error), &error);
    return product;
}

static void report(const char *name, const struct tune_answer *answer, const struct product *product)
{
    struct tune_answer_info info = {.bytes = sizeof info};
    tune_answer_describe(answer, &info);
    printf("%-8s %10.2f us a product  %s (%s)\n", name, 1e6 * time_of(product), info.configuration, info.origin);
}

/* ---- conjugate gradients ---- */

static double dot(const float *u, const float *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)u[i] * (double)v[i];
    return sum;
}

/* A d = r, until the residual is a thousandth of what it was; returns the number of steps. `work` has room for three
 * vectors. The host adds vectors here; a solver that is about speed has them on the device, too. */
static int correct(const struct product *product, int rows, const double *residual_of_x, float *d, float *work)
{
    float *const r = work, *const p = r + rows, *const q = p + rows;
    for (int i = 0; i < rows; i++) {
        d[i] = 0;
        p[i] = r[i] = (float)residual_of_x[i];
    }
    const double first = dot(r, r, rows);
    double square = first;
    int steps = 0;
    for (; square > 1e-6 * first && steps < rows; steps++) {
        multiply(product, p, q);
        const float alpha = (float)(square / dot(p, q, rows));
        for (int i = 0; i < rows; i++) {
            d[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const double next = dot(r, r, rows);
        for (int i = 0; i < rows; i++)
            p[i] = r[i] + (float)(next / square) * p[i];
        square = next;
    }
    return steps;
}

/* b is 1 everywhere: the height of an evenly loaded membrane. */
static void solve(const struct matrix *a, const struct product *product)
{
    const size_t rows = (size_t)a->rows;
    double *x = allocate(3 * rows * sizeof *x), *b = x + rows, *r = b + rows, norm;
    float *d = allocate(4 * rows * sizeof *d);
    int corrections = 0, steps = 0;
    for (size_t i = 0; i < rows; i++) {
        x[i] = 0;
        b[i] = 1;
    }
    while ((norm = residual(a, x, b, r) / sqrt((double)rows)) > 1e-9) {
        if (corrections++ == 10)
            fail("it does not converge");
        steps += correct(product, a->rows, r, d, d + rows);
        for (size_t i = 0; i < rows; i++)
            x[i] += (double)d[i];
    }
    printf("solved   %d equations in %d steps: |b - A x| / |b| = %.1e, x in the middle is %.6f\n", a->rows, steps,
           norm, x[rows / 2 + (size_t)sqrt((double)rows) / 2]);
    free(x);
    free(d);
}

int main(int count, char **arguments)
{
    const int n = count > 1 ? atoi(arguments[1]) : 64;
    if (n < 2 || n > 16384)
        fail("a side must have 2 to 16384 points");
    struct matrix a = poisson(n);
    struct tune_buffer buffers[BUFFERS];
    put_on_device(&a, buffers);

    /* NONZEROS and LONGEST say what this matrix has. MEAN and SHAPE are for those that spmv makes itself when it is
     * tuned; here they say which of them are most like this one: banded, with about as many nonzeros a row. */
    const struct tune_size sizes[] = {{"ROWS", a.rows}, {"COLUMNS", a.rows},      {"MEAN", ROW_MOST},
                                      {"SHAPE", 1},     {"NONZEROS", a.nonzeros}, {"LONGEST", a.longest}};
    const struct tune_problem problem = {.bytes = sizeof problem,
                                         .kernel = "spmv",
                                         .device = device_name,
                                         .sizes = sizes,
                                         .size_count = sizeof sizes / sizeof *sizes};
    struct tune_error error;
    struct tune *tune;
    struct tune_answer *best, *usual;
    must(tune_open(NULL, &tune, &error), &error);
    must(tune_best(tune, &problem, &best, &error), &error);
    must(tune_default(tune, best, &usual, &error), &error);

    struct product tuned = load(tune, best, 0, buffers);
    /* To compare with, and for nothing else: */
    struct product untuned = load(tune, usual, TUNE_LOAD_UNVALIDATED, buffers);
    solve(&a, &tuned);
    report("tuned", best, &tuned);
    report("default", usual, &untuned);

    tune_kernel_free(tuned.kernel);
    tune_kernel_free(untuned.kernel);
    tune_answer_free(best);
    tune_answer_free(usual);
    tune_close(tune);
    for (int i = 0; i < BUFFERS; i++)
        device_free(buffers[i].address);
    free(a.offsets);
    free(a.columns);
    free(a.values);
    free(a.order);
    return 0;
}
