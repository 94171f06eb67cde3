/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The references of the shipped templates, which decide what is right, against plain loops in long double that share
 * no code with them: at sizes of 1, at small odd sizes, and at the templates' awkward sizes.
 *
 * The bounds are those of double precision: a term that passes through r roundings on its way into a result is off by
 * at most gamma(r) = r u / (1 - r u) of its absolute value, u = 2**-53 (Higham, "Accuracy and Stability of Numerical
 * Algorithms", 3.1). The loops' own error is 2**-11 of that.
 */
#include "tests/unit/measure/shipped.h"
#include "tuner/measure/instance.h"

#include <math.h>

static struct validation_kernels kernels;
static struct program_cache *programs;
static struct error error;

static int open_kernels(void **state)
{
    (void)state;
    must(validation_kernels_open(&kernels, device_driver_find("cpu"), 0, NULL, &error));
    must(program_cache_create(&programs, &error));
    return 0;
}

static int close_kernels(void **state)
{
    (void)state;
    program_cache_free(programs, kernels.driver, kernels.device);
    validation_kernels_close(&kernels);
    return 0;
}

/* ---- a template's inputs and references ------------------------------------------------------------------------ */

/* One size of a template: its buffers filled, its setup and reference carried out. */
struct fixture {
    const struct job_case *sizes;
    struct instance *instance;
};

static int size_of(const struct fixture *fixture, const char *name)
{
    size_t length = strlen(name);
    const char *at = fixture->sizes->size_text; /* "M=4,N=3" */
    while (at && !(strncmp(at, name, length) == 0 && at[length] == '=')) {
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    if (!at)
        fail_msg("there is no size %s in %s", name, fixture->sizes->size_text);
    return atoi(at + length + 1);
}

static const struct instance_buffer *buffer_of(const struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->sizes->buffer_count; i++)
        if (strcmp(fixture->sizes->buffers[i].name, name) == 0)
            return &fixture->instance->buffers[i];
    fail_msg("there is no buffer %s", name);
    return NULL;
}

static void *fetch(uint64_t address, size_t bytes)
{
    void *copy = malloc(bytes);
    assert_non_null(copy);
    assert_true(address != 0);
    must(kernels.driver->download(kernels.device, copy, address, bytes, &error));
    return copy;
}

static float *fetch_input(const struct fixture *fixture, const char *name, int count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent, count);
    assert_int_equal(buffer->element, ELEMENT_FLOAT);
    return fetch(buffer->memory.address, (size_t)count * sizeof(float));
}

/* An output as the reference has it. */
struct expected {
    const char *name;
    double *values, *magnitudes; /* magnitudes: NULL for an exact check */
    int count;
};

static struct expected fetch_expected(const struct fixture *fixture, const char *name, int count, bool exact)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    struct expected expected = {.name = name, .count = count};
    assert_int_equal(buffer->extent, count);
    expected.values = fetch(buffer->reference, (size_t)count * sizeof(double));
    if (!exact)
        expected.magnitudes = fetch(buffer->magnitude, (size_t)count * sizeof(double));
    return expected;
}

static void free_expected(struct expected *expected)
{
    free(expected->values);
    free(expected->magnitudes);
}

/* What the plain loop finds for one element. */
struct sum {
    long double value, absolute;
};

static void add(struct sum *sum, long double term, long double absolute)
{
    sum->value += term;
    sum->absolute += absolute;
}

static void assert_within(const char *what, const struct expected *expected, int index, double got, long double right,
                          long double bound)
{
    if (!(fabsl(got - right) <= bound)) /* NaN fails too */
        fail_msg("%s of %s[%d] is %.17g, not %.17Lg: off by %.3Lg, allowed are %.3Lg", what, expected->name, index,
                 got, right, fabsl(got - right), bound);
}

/* Every term passes through at most `roundings`. */
static void assert_sum(const struct expected *expected, int index, struct sum sum, int roundings)
{
    long double unit = roundings * 0x1p-53L, bound = unit / (1 - unit) * sum.absolute;
    assert_true(index < expected->count);
    assert_true(sum.absolute > 0);
    assert_within("value", expected, index, expected->values[index], sum.value, bound);
    assert_within("magnitude", expected, index, expected->magnitudes[index], sum.absolute, bound);
}

/* ---- running a template ---------------------------------------------------------------------------------------- */

typedef void check_function(const struct fixture *fixture);

static void check_job(const struct job *job, check_function *check)
{
    assert_true(job->has_awkward);
    for (size_t which = 0; which < JOB_CASES; which++) {
        struct fixture fixture = {.sizes = &job->cases[which]};
        must(instance_create(&kernels, programs, job, which, &fixture.instance, &error));
        check(&fixture);
        instance_free(&kernels, fixture.instance);
    }
}

static void check_configuration(const struct shipped *shipped, size_t index, check_function *check)
{
    struct job *job;
    must(job_lower(shipped->problem, index, 1, &job, &error));
    check_job(job, check);
    job_free(job);
}

/* At the sizes given, and at the awkward ones. The reference does not ask which configuration it is for. */
static void check_template(const char *name, const struct size_setting *sizes, size_t size_count,
                           check_function *check)
{
    struct shipped shipped;
    shipped_open(&shipped, name, "full", &kernels.description, sizes, size_count);
    check_configuration(&shipped, 0, check);
    shipped_close(&shipped);
}

/* ---- gemm: C = A B --------------------------------------------------------------------------------------------- */

static void check_gemm(const struct fixture *fixture)
{
    int m = size_of(fixture, "M"), n = size_of(fixture, "N"), k = size_of(fixture, "K");
    float *a = fetch_input(fixture, "A", m * k), *b = fetch_input(fixture, "B", k * n);
    struct expected c = fetch_expected(fixture, "C", m * n, false);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            struct sum sum = {0};
            for (int p = 0; p < k; p++) {
                long double term = (long double)a[i * k + p] * b[p * n + j]; /* exact, also in double */
                add(&sum, term, fabsl(term));
            }
            assert_sum(&c, i * n + j, sum, k);
        }
    }
    free_expected(&c);
    free(a);
    free(b);
}

static void gemm(void **state)
{
    const struct size_setting odd[] = {{"M", 19}, {"N", 13}, {"K", 23}}, row[] = {{"N", 67}, {"K", 5}};
    (void)state;
    check_template("gemm", NULL, 0, check_gemm);
    check_template("gemm", odd, 3, check_gemm);
    check_template("gemm", row, 2, check_gemm);
}

/* ---- reduction: the sum of x ----------------------------------------------------------------------------------- */

static void check_reduction(const struct fixture *fixture)
{
    int n = size_of(fixture, "n");
    float *x = fetch_input(fixture, "x", n);
    struct expected total = fetch_expected(fixture, "total", 1, false);
    struct sum sum = {0};
    for (int i = 0; i < n; i++)
        add(&sum, x[i], fabsl((long double)x[i]));
    assert_sum(&total, 0, sum, n);
    free_expected(&total);
    free(x);
}

static void reduction(void **state)
{
    static const int64_t counts[] = {1, 2, 333, 4095, 4096, 4097, 70001};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        check_template("reduction", &(struct size_setting){"n", counts[i]}, 1, check_reduction);
}

/* ---- transpose: B[j][i] = A[i][j], to the bit -------------------------------------------------------------------
 */

static void check_transpose(const struct fixture *fixture)
{
    int rows = size_of(fixture, "ROWS"), columns = size_of(fixture, "COLUMNS");
    float *a = fetch_input(fixture, "A", rows * columns);
    struct expected b = fetch_expected(fixture, "B", rows * columns, true);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            assert_within("value", &b, j * rows + i, b.values[j * rows + i], a[i * columns + j], 0);
    assert_true(fixture->sizes->check_count == 1 && fixture->sizes->checks[0].exact);
    assert_true(buffer_of(fixture, "B")->magnitude == 0);
    free_expected(&b);
    free(a);
}

static void transpose(void **state)
{
    const struct size_setting odd[] = {{"ROWS", 37}, {"COLUMNS", 11}}, column[] = {{"ROWS", 131}};
    (void)state;
    check_template("transpose", NULL, 0, check_transpose);
    check_template("transpose", odd, 2, check_transpose);
    check_template("transpose", column, 1, check_transpose);
}

/* ---- mri_fhd: F^H d (n) = sum over m of mu(m) exp(i 2 pi k(m) . x(n)), mu = conj(phi) d --------------------------
 */

enum { KX, KY, KZ, RPHI, IPHI, RD, ID, X, Y, Z, MRI_INPUTS };

static void fhd_of_voxel(float *const in[], int n, int samples, struct sum *real, struct sum *imaginary)
{
    const long double two_pi = 6.283185307179586476925286766559L;
    for (int m = 0; m < samples; m++) {
        long double rr = (long double)in[RPHI][m] * in[RD][m], ii = (long double)in[IPHI][m] * in[ID][m];
        long double ri = (long double)in[RPHI][m] * in[ID][m], ir = (long double)in[IPHI][m] * in[RD][m];
        long double mu_real = rr + ii, mu_imaginary = ri - ir;
        long double angle = two_pi * ((long double)in[KX][m] * in[X][n] + (long double)in[KY][m] * in[Y][n] +
                                      (long double)in[KZ][m] * in[Z][n]);
        long double absolute = fabsl(rr) + fabsl(ii) + fabsl(ri) + fabsl(ir);
        assert_true(fabsl(angle) <= 2.83L); /* what the template's tolerance rests on */
        add(real, mu_real * cosl(angle) - mu_imaginary * sinl(angle), absolute);
        add(imaginary, mu_imaginary * cosl(angle) + mu_real * sinl(angle), absolute);
    }
}

/*
 * The roundings of a term beside those of the sum: the phase, at most 2.83, suffers one in each of two sums, in 2 pi
 * and in the product with it, which move sine and cosine by less than 12 u; they are off by 2 u themselves; mu, its
 * product with either and the sum of both come to three.
 */
static void check_mri_fhd(const struct fixture *fixture)
{
    static const char *const names[MRI_INPUTS] = {"kx", "ky", "kz", "rphi", "iphi", "rd", "id", "x", "y", "z"};
    int voxels = size_of(fixture, "N"), samples = size_of(fixture, "M");
    float *in[MRI_INPUTS];
    for (int i = 0; i < MRI_INPUTS; i++)
        in[i] = fetch_input(fixture, names[i], i < X ? samples : voxels);
    struct expected rfhd = fetch_expected(fixture, "rfhd", voxels, false);
    struct expected ifhd = fetch_expected(fixture, "ifhd", voxels, false);
    for (int n = 0; n < voxels; n++) {
        struct sum real = {0}, imaginary = {0};
        fhd_of_voxel(in, n, samples, &real, &imaginary);
        assert_sum(&rfhd, n, real, samples + 12 + 2 + 3);
        assert_sum(&ifhd, n, imaginary, samples + 12 + 2 + 3);
    }
    free_expected(&rfhd);
    free_expected(&ifhd);
    for (int i = 0; i < MRI_INPUTS; i++)
        free(in[i]);
}

static void mri_fhd(void **state)
{
    const struct size_setting odd[] = {{"N", 17}, {"M", 31}}, one_voxel[] = {{"M", 997}};
    (void)state;
    check_template("mri_fhd", NULL, 0, check_mri_fhd);
    check_template("mri_fhd", odd, 2, check_mri_fhd);
    check_template("mri_fhd", one_voxel, 1, check_mri_fhd);
}

/* ---- dcs: energy(i, j, k) = sum over atoms of charge / distance -------------------------------------------------
 */

static const long double spacing = 0.5L;

/* What setup makes: inside the grid, and far enough from every slice that no distance is nearly 0. */
static void check_atoms(const struct fixture *fixture, const float *atoms, int atom_count)
{
    long double width = spacing * size_of(fixture, "NX"), depth = spacing * size_of(fixture, "NY");
    for (int n = 0; n < atom_count; n++) {
        const float *atom = &atoms[4 * n];
        long double height = atom[2] / spacing;
        assert_true(atom[0] >= 0 && atom[0] <= width);
        assert_true(atom[1] >= 0 && atom[1] <= depth);
        assert_true(height > 0 && height < size_of(fixture, "NZ"));
        assert_true(fabsl(height - roundl(height)) > 0.2499L);
        assert_true(fabsf(atom[3]) <= 1);
    }
}

static struct sum potential(const float *atoms, int atom_count, int i, int j, int k)
{
    struct sum sum = {0};
    for (int n = 0; n < atom_count; n++) {
        const float *atom = &atoms[4 * n];
        long double distance = hypotl(hypotl(i * spacing - atom[0], j * spacing - atom[1]), k * spacing - atom[2]);
        add(&sum, atom[3] / distance, fabsl(atom[3] / distance));
    }
    return sum;
}

/*
 * The roundings of a term beside those of the sum: one in each difference, hence three in its square and five in the
 * sum of the squares; the root halves them and adds its own, and so does the division: less than five. The grid as
 * stored has `stored_x` points in a row and `stored_y` rows, not fewer than asked for.
 */
static void check_potential(const struct fixture *fixture, int stored_x, int stored_y)
{
    int slices = size_of(fixture, "NZ"), atom_count = size_of(fixture, "ATOMS");
    float *atoms = fetch_input(fixture, "atoms", 4 * atom_count);
    struct expected energy = fetch_expected(fixture, "energy", stored_x * stored_y * slices, false);
    check_atoms(fixture, atoms, atom_count);
    for (int k = 0; k < slices; k++)
        for (int j = 0; j < stored_y; j++)
            for (int i = 0; i < stored_x; i++)
                assert_sum(&energy, (k * stored_y + j) * stored_x + i, potential(atoms, atom_count, i, j, k),
                           atom_count + 5);
    free_expected(&energy);
    free(atoms);
}

static void check_dcs(const struct fixture *fixture)
{
    check_potential(fixture, size_of(fixture, "NX"), size_of(fixture, "NY"));
}

static int64_t value_of(const struct shipped *shipped, size_t index, const char *name)
{
    struct value *slots = shipped_slots(shipped, index);
    size_t slot;
    assert_true(scope_find(shipped->template->scope, name, &slot));
    assert_int_equal(slots[slot].kind, VALUE_INTEGER);
    int64_t value = slots[slot].integer;
    free(slots);
    return value;
}

/* The multiples that sides of the padded grid are rounded up to, for check_padded_dcs. */
static int padded_x, padded_y;

static void check_padded_dcs(const struct fixture *fixture)
{
    int x = size_of(fixture, "NX"), y = size_of(fixture, "NY");
    check_potential(fixture, (x + padded_x - 1) / padded_x * padded_x, (y + padded_y - 1) / padded_y * padded_y);
}

/* The grid may be stored as asked for or enlarged to whole blocks. */
static void check_both_grids(const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    size_t plain = 0, padded = 0;
    shipped_open(&shipped, "dcs", "coarsened", &kernels.description, sizes, size_count);
    size_t count = problem_configuration_count(shipped.problem);
    while (plain < count && value_of(&shipped, plain, "PADDED") != 0)
        plain++;
    while (padded < count && value_of(&shipped, padded, "PADDED") != 1)
        padded++;
    assert_true(plain < count && padded < count);
    check_configuration(&shipped, plain, check_dcs);
    padded_x = (int)(value_of(&shipped, padded, "BLOCK_X") * value_of(&shipped, padded, "COARSEN"));
    padded_y = (int)value_of(&shipped, padded, "BLOCK_Y");
    check_configuration(&shipped, padded, check_padded_dcs);
    shipped_close(&shipped);
}

static void dcs(void **state)
{
    const struct size_setting odd[] = {{"NX", 13}, {"NY", 7}, {"NZ", 3}, {"ATOMS", 29}},
                              one_point[] = {{"ATOMS", 997}};
    (void)state;
    check_both_grids(NULL, 0);
    check_both_grids(odd, 4);
    check_both_grids(one_point, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),    cmocka_unit_test(reduction), cmocka_unit_test(transpose),
        cmocka_unit_test(mri_fhd), cmocka_unit_test(dcs),
    };
    return cmocka_run_group_tests_name("references", tests, open_kernels, close_kernels);
}
