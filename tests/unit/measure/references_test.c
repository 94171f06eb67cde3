/*
 * The references of the shipped templates against plain C loops in long double, at small odd sizes: what all kernels
 * are measured by is itself checked by something that shares no code with it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A template at given sizes, its buffers filled, its setup and reference carried out on the CPU device. */
struct fixture {
    struct template *template;
    struct problem *problem;
    struct job *job;
    struct bench bench;
    struct program_cache *programs;
    struct instance *instance;
};

static void must(bool done, const struct error *error)
{
    if (!done) {
        error_print(error, stderr);
        fail();
    }
}

static void set_up(struct fixture *fixture, const char *name, const struct size_setting *sizes, size_t size_count,
                   const char *configuration)
{
    struct error error = {0};
    char path[1024];
    snprintf(path, sizeof path, TUNE_SOURCE_FOLDER "/templates/%s", name);
    memset(fixture, 0, sizeof *fixture);
    must(bench_open(&fixture->bench, device_driver_find("cpu"), 0, &error), &error);
    must(template_read(path, &fixture->template, &error), &error);
    must(problem_from_configuration(fixture->template, &fixture->bench.description, sizes, size_count, configuration,
                                    &fixture->problem, &error),
         &error);
    must(job_lower(fixture->problem, 0, 1, &fixture->job, &error), &error);
    must(program_cache_create(&fixture->programs, &error), &error);
    must(instance_create(&fixture->bench, fixture->programs, fixture->job, JOB_TUNED, &fixture->instance, &error),
         &error);
}

static void tear_down(struct fixture *fixture)
{
    instance_free(&fixture->bench, fixture->instance);
    program_cache_free(fixture->programs, fixture->bench.driver, fixture->bench.device);
    job_free(fixture->job);
    problem_free(fixture->problem);
    template_free(fixture->template);
    bench_close(&fixture->bench);
}

static const struct instance_buffer *buffer_of(const struct fixture *fixture, const char *name)
{
    const struct job_case *one = &fixture->job->cases[JOB_TUNED];
    for (size_t i = 0; i < one->buffer_count; i++)
        if (strcmp(one->buffers[i].name, name) == 0)
            return &fixture->instance->buffers[i];
    fail_msg("there is no buffer %s", name);
    return NULL;
}

static void *fetch(const struct fixture *fixture, uint64_t address, size_t bytes)
{
    struct error error = {0};
    void *copy = malloc(bytes);
    assert_non_null(copy);
    must(fixture->bench.driver->download(fixture->bench.device, copy, address, bytes, &error), &error);
    return copy;
}

static float *input(const struct fixture *fixture, const char *name, size_t count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent, count);
    return fetch(fixture, buffer->memory.address, count * sizeof(float));
}

static double *reference(const struct fixture *fixture, const char *name, size_t count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent, count);
    assert_true(buffer->reference != 0);
    return fetch(fixture, buffer->reference, count * sizeof(double));
}

static double *magnitude(const struct fixture *fixture, const char *name, size_t count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_true(buffer->magnitude != 0);
    return fetch(fixture, buffer->magnitude, count * sizeof(double));
}

/* A sum of `terms` terms in double precision may differ by that many roundings, a few more for each term. */
static void assert_sum(double value, double absolute, long double expected, long double expected_absolute, int terms)
{
    double bound = (terms + 16) * 0x1p-52 * (double)expected_absolute;
    assert_true(expected_absolute > 0);
    assert_true(fabs(value - (double)expected) <= bound);
    assert_true(fabs(absolute - (double)expected_absolute) <= bound);
}

static void test_gemm(void **state)
{
    enum { M = 19, N = 13, K = 23 };
    const struct size_setting sizes[] = {{"M", M}, {"N", N}, {"K", K}};
    struct fixture f;
    (void)state;
    set_up(&f, "gemm", sizes, 3, "{\"VARIANT\":\"naive\",\"BLOCK_X\":16,\"BLOCK_Y\":4,\"UNROLL\":1}");
    float *a = input(&f, "A", M * K), *b = input(&f, "B", K * N);
    double *c = reference(&f, "C", M * N), *absolute = magnitude(&f, "C", M * N);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            long double sum = 0, total = 0;
            for (int p = 0; p < K; p++) {
                long double term = (long double)a[i * K + p] * b[p * N + j];
                sum += term;
                total += fabsl(term);
            }
            assert_sum(c[i * N + j], absolute[i * N + j], sum, total, K);
        }
    }
    free(a);
    free(b);
    free(c);
    free(absolute);
    tear_down(&f);
}

static void test_reduction(void **state)
{
    enum { COUNT = 10007 };
    const struct size_setting sizes[] = {{"n", COUNT}};
    struct fixture f;
    (void)state;
    set_up(&f, "reduction", sizes, 1,
           "{\"VARIANT\":\"interleaved\",\"FINISH\":\"two_pass\",\"BLOCK\":128,\"ITEMS\":1,\"VECTOR\":1}");
    float *x = input(&f, "x", COUNT);
    double *total = reference(&f, "total", 1), *absolute = magnitude(&f, "total", 1);
    long double sum = 0, sum_absolute = 0;
    for (int i = 0; i < COUNT; i++) {
        sum += x[i];
        sum_absolute += fabsl((long double)x[i]);
    }
    assert_sum(total[0], absolute[0], sum, sum_absolute, COUNT);
    free(x);
    free(total);
    free(absolute);
    tear_down(&f);
}

static void test_transpose(void **state)
{
    enum { ROWS = 11, COLUMNS = 37 };
    const struct size_setting sizes[] = {{"ROWS", ROWS}, {"COLUMNS", COLUMNS}};
    struct fixture f;
    (void)state;
    set_up(&f, "transpose", sizes, 2, "{\"VARIANT\":\"naive_read\",\"TILE_X\":16,\"TILE_Y\":4,\"ITEMS\":1}");
    float *a = input(&f, "A", ROWS * COLUMNS);
    double *b = reference(&f, "B", ROWS * COLUMNS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            assert_true(b[j * ROWS + i] == (double)a[i * COLUMNS + j]);
    free(a);
    free(b);
    tear_down(&f);
}

/* `nx` and `ny` are those of the grid as stored. */
static void check_dcs(const char *configuration, int nx, int ny)
{
    enum { NX = 13, NY = 7, NZ = 3, ATOMS = 29 };
    const struct size_setting sizes[] = {{"NX", NX}, {"NY", NY}, {"NZ", NZ}, {"ATOMS", ATOMS}};
    const double spacing = 0.5;
    struct fixture f;
    set_up(&f, "dcs", sizes, 4, configuration);
    size_t points = (size_t)nx * (size_t)ny * NZ;
    float *atoms = input(&f, "atoms", 4 * ATOMS);
    double *energy = reference(&f, "energy", points), *absolute = magnitude(&f, "energy", points);
    for (int n = 0; n < ATOMS; n++) {
        double height = (double)atoms[4 * n + 2] / spacing;
        assert_true(atoms[4 * n] >= 0 && atoms[4 * n] <= NX * spacing);
        assert_true(atoms[4 * n + 1] >= 0 && atoms[4 * n + 1] <= NY * spacing);
        assert_true(height > 0 && height < NZ);
        assert_true(fabs(height - round(height)) > 0.2499); /* clear of every slice */
        assert_true(fabsf(atoms[4 * n + 3]) <= 1);
    }
    for (int k = 0; k < NZ; k++) {
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < nx; i++) {
                long double sum = 0, total = 0;
                for (int n = 0; n < ATOMS; n++) {
                    const float *atom = &atoms[4 * n];
                    long double x = i * spacing - (double)atom[0], y = j * spacing - (double)atom[1];
                    long double term = atom[3] / hypotl(hypotl(x, y), k * spacing - (double)atom[2]);
                    sum += term;
                    total += fabsl(term);
                }
                size_t point = ((size_t)k * (size_t)ny + (size_t)j) * (size_t)nx + (size_t)i;
                assert_sum(energy[point], absolute[point], sum, total, ATOMS);
            }
        }
    }
    free(atoms);
    free(energy);
    free(absolute);
    tear_down(&f);
}

static void test_dcs(void **state)
{
    (void)state;
    check_dcs("{\"VARIANT\":\"gather\",\"BLOCK_X\":16,\"BLOCK_Y\":4,\"COARSEN\":1,\"UNROLL\":1,\"PADDED\":0}", 13, 7);
    check_dcs("{\"VARIANT\":\"gather\",\"BLOCK_X\":16,\"BLOCK_Y\":4,\"COARSEN\":1,\"UNROLL\":1,\"PADDED\":1}", 16, 8);
}

static void test_mri_fhd(void **state)
{
    enum { N = 17, M = 31, INPUTS = 10 };
    static const char *const names[INPUTS] = {"kx", "ky", "kz", "rphi", "iphi", "rd", "id", "x", "y", "z"};
    enum { KX, KY, KZ, RPHI, IPHI, RD, ID, X, Y, Z };
    const struct size_setting sizes[] = {{"N", N}, {"M", M}};
    const long double two_pi = 6.283185307179586476925286766559L;
    struct fixture f;
    float *in[INPUTS];
    (void)state;
    set_up(&f, "mri_fhd", sizes, 2,
           "{\"VARIANT\":\"gather\",\"TRIG\":\"precise\",\"BLOCK\":32,\"STAGGER\":0,\"VOXELS\":1}");
    for (int i = 0; i < INPUTS; i++)
        in[i] = input(&f, names[i], i < X ? M : N);
    double *real = reference(&f, "rfhd", N), *real_absolute = magnitude(&f, "rfhd", N);
    double *imaginary = reference(&f, "ifhd", N), *imaginary_absolute = magnitude(&f, "ifhd", N);
    for (int n = 0; n < N; n++) {
        long double re = 0, im = 0, total = 0;
        for (int m = 0; m < M; m++) {
            long double rr = (long double)in[RPHI][m] * in[RD][m], ii = (long double)in[IPHI][m] * in[ID][m];
            long double ri = (long double)in[RPHI][m] * in[ID][m], ir = (long double)in[IPHI][m] * in[RD][m];
            long double turns = (long double)in[KX][m] * in[X][n] + (long double)in[KY][m] * in[Y][n] +
                                (long double)in[KZ][m] * in[Z][n];
            long double angle = two_pi * turns;
            assert_true(fabsl(angle) < two_pi / 2); /* what the tolerance of the special function unit rests on */
            re += (rr + ii) * cosl(angle) - (ri - ir) * sinl(angle);
            im += (ri - ir) * cosl(angle) + (rr + ii) * sinl(angle);
            total += fabsl(rr) + fabsl(ii) + fabsl(ri) + fabsl(ir);
        }
        assert_sum(real[n], real_absolute[n], re, total, M);
        assert_sum(imaginary[n], imaginary_absolute[n], im, total, M);
    }
    for (int i = 0; i < INPUTS; i++)
        free(in[i]);
    free(real);
    free(real_absolute);
    free(imaginary);
    free(imaginary_absolute);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemm), cmocka_unit_test(test_reduction), cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_dcs),  cmocka_unit_test(test_mri_fhd),
    };
    return cmocka_run_group_tests_name("references", tests, NULL, NULL);
}
