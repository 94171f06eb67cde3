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

/* ---- gemm_aat: C = A Aᵀ ---------------------------------------------------------------------------------------- */

static void check_gemm_aat(const struct fixture *fixture)
{
    int n = size_of(fixture, "N"), k = size_of(fixture, "K");
    float *a = fetch_input(fixture, "A", n * k);
    struct expected c = fetch_expected(fixture, "C", n * n, false);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            struct sum sum = {0};
            for (int p = 0; p < k; p++) {
                long double term = (long double)a[i * k + p] * a[j * k + p];
                add(&sum, term, fabsl(term));
            }
            assert_sum(&c, i * n + j, sum, k);
            assert_sum(&c, j * n + i, sum, k);
        }
    }
    free_expected(&c);
    free(a);
}

static void gemm_aat(void **state)
{
    const struct size_setting odd[] = {{"N", 19}, {"K", 23}}, row[] = {{"K", 5}};
    (void)state;
    check_template("gemm_aat", NULL, 0, check_gemm_aat);
    check_template("gemm_aat", odd, 2, check_gemm_aat);
    check_template("gemm_aat", row, 1, check_gemm_aat);
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

/* ---- stencil7: sweeps, each a weighted sum of a point and its neighbours, zero outside of the grid --------------
 */

struct grid {
    int nx, ny, nz;
};

/* The offsets of what a point is the sum of, and their weights. */
static const struct {
    int x, y, z;
    long double weight;
} stencil[] = {
    {0, 0, 0, 0.25L},   {-1, 0, 0, 0.078125L}, {1, 0, 0, 0.15625L}, {0, -1, 0, 0.0625L},
    {0, 1, 0, 0.1875L}, {0, 0, -1, 0.125L},    {0, 0, 1, 0.09375L},
};

/* Spreads each point over those that it is a neighbour of: the opposite direction of the kernels'. */
static void spread(struct grid grid, const struct sum *from, struct sum *to)
{
    memset(to, 0, (size_t)(grid.nx * grid.ny * grid.nz) * sizeof *to);
    for (int index = 0; index < grid.nx * grid.ny * grid.nz; index++) {
        for (size_t i = 0; i < sizeof stencil / sizeof stencil[0]; i++) {
            int x = index % grid.nx - stencil[i].x, y = index / grid.nx % grid.ny - stencil[i].y;
            int z = index / grid.nx / grid.ny - stencil[i].z;
            if (x >= 0 && x < grid.nx && y >= 0 && y < grid.ny && z >= 0 && z < grid.nz)
                add(&to[(z * grid.ny + y) * grid.nx + x], stencil[i].weight * from[index].value,
                    stencil[i].weight * from[index].absolute);
        }
    }
}

static void check_stencil7(const struct fixture *fixture)
{
    struct grid grid = {size_of(fixture, "NX"), size_of(fixture, "NY"), size_of(fixture, "NZ")};
    int points = grid.nx * grid.ny * grid.nz, sweeps = size_of(fixture, "SWEEPS");
    float *before = fetch_input(fixture, "before", points);
    struct expected after = fetch_expected(fixture, "after", points, false);
    struct sum *sums = calloc((size_t)points, sizeof *sums), *swept = calloc((size_t)points, sizeof *swept);
    assert_non_null(sums);
    assert_non_null(swept);
    for (int i = 0; i < points; i++)
        add(&sums[i], before[i], fabsl((long double)before[i]));
    for (int i = 0; i < sweeps; i++) {
        struct sum *old = sums;
        spread(grid, sums, swept);
        sums = swept;
        swept = old;
    }
    for (int i = 0; i < points; i++)
        assert_sum(&after, i, sums[i], 7 * sweeps);
    free(sums);
    free(swept);
    free_expected(&after);
    free(before);
}

static void stencil7(void **state)
{
    const struct size_setting odd[] = {{"NX", 13}, {"NY", 5}, {"NZ", 7}, {"SWEEPS", 2}},
                              pencil[] = {{"NZ", 31}, {"SWEEPS", 3}}, row[] = {{"NX", 67}, {"SWEEPS", 4}};
    (void)state;
    check_template("stencil7", NULL, 0, check_stencil7);
    check_template("stencil7", odd, 4, check_stencil7);
    check_template("stencil7", pencil, 2, check_stencil7);
    check_template("stencil7", row, 2, check_stencil7);
}

/* ---- copy: y = x, to the bit ----------------------------------------------------------------------------------- */

static void check_copy(const struct fixture *fixture)
{
    int n = size_of(fixture, "n");
    float *x = fetch_input(fixture, "x", n);
    struct expected y = fetch_expected(fixture, "y", n, true);
    for (int i = 0; i < n; i++)
        assert_within("value", &y, i, y.values[i], x[i], 0);
    assert_true(fixture->sizes->check_count == 1 && fixture->sizes->checks[0].exact);
    free_expected(&y);
    free(x);
}

static void copy(void **state)
{
    (void)state;
    check_template("copy", NULL, 0, check_copy);
    check_template("copy", &(struct size_setting){"n", 4099}, 1, check_copy);
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

/* What setup makes: rows along x, evenly spaced to the last bit, each with one y and one z. */
static void check_rows(const float *x, const float *y, const float *z, int voxels)
{
    enum { ROW = 64 };
    for (int n = 0; n < voxels; n++) {
        int first = n / ROW * ROW;
        assert_true(x[n] == x[first] + (float)(n - first) / 128.0F);
        assert_true(y[n] == y[first] && z[n] == z[first]);
        assert_true(n == first || first == 0 || y[n] != y[first - 1]);
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
    check_rows(in[X], in[Y], in[Z], voxels);
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

/* ---- conv1d, conv2d: each input goes to the outputs around it, weighted -----------------------------------------
 */

/* The mask's middle, `radius` rows and columns from its edge, is on the output; `radius_y` is 0 in one dimension. */
static void check_convolution(const struct fixture *fixture, int height, int width, int radius_y, int radius)
{
    int mask_width = 2 * radius + 1, mask_height = 2 * radius_y + 1, count = height * width;
    float *input = fetch_input(fixture, "input", count);
    float *mask = fetch_input(fixture, "weights", mask_width * mask_height);
    struct expected output = fetch_expected(fixture, "output", count, false);
    struct sum *sums = calloc((size_t)count, sizeof *sums);
    assert_non_null(sums);
    for (int at = 0; at < count; at++) {
        for (int weight = 0; weight < mask_width * mask_height; weight++) {
            int row = at / width + radius_y - weight / mask_width, column = at % width + radius - weight % mask_width;
            long double term = (long double)input[at] * mask[weight];
            if (row >= 0 && row < height && column >= 0 && column < width)
                add(&sums[row * width + column], term, fabsl(term));
        }
    }
    for (int i = 0; i < count; i++)
        assert_sum(&output, i, sums[i], mask_width * mask_height);
    free(sums);
    free_expected(&output);
    free(mask);
    free(input);
}

static void check_conv1d(const struct fixture *fixture)
{
    check_convolution(fixture, 1, size_of(fixture, "N"), 0, size_of(fixture, "MASK") / 2);
}

static void conv1d(void **state)
{
    const struct size_setting odd[] = {{"N", 101}, {"MASK", 7}}, wide[] = {{"N", 5}, {"MASK", 15}};
    (void)state;
    check_template("conv1d", NULL, 0, check_conv1d);
    check_template("conv1d", odd, 2, check_conv1d);
    check_template("conv1d", wide, 2, check_conv1d);
}

static void check_conv2d(const struct fixture *fixture)
{
    int radius = size_of(fixture, "MASK") / 2;
    check_convolution(fixture, size_of(fixture, "HEIGHT"), size_of(fixture, "WIDTH"), radius, radius);
}

static void conv2d(void **state)
{
    const struct size_setting odd[] = {{"HEIGHT", 19}, {"WIDTH", 23}, {"MASK", 5}},
                              wide[] = {{"HEIGHT", 3}, {"WIDTH", 11}, {"MASK", 9}};
    (void)state;
    check_template("conv2d", NULL, 0, check_conv2d);
    check_template("conv2d", odd, 3, check_conv2d);
    check_template("conv2d", wide, 3, check_conv2d);
}

/* ---- nearest_neighbor: the nearest other point, of several the first ---------------------------------------------
 */

/* How near another point must be to be taken for the nearest, d (1 + relative) + absolute, off the lattice. */
static long double near_relative, near_absolute;

static void check_points(const float *points, int count, int lattice)
{
    for (int i = 0; i < 3 * count; i++) {
        assert_true(points[i] >= 0 && points[i] <= (float)(lattice > 1 ? lattice - 1 : 1));
        assert_true(lattice == 1 || points[i] == floorf(points[i]));
    }
}

/* From the last point to the first, so that the first of several has the last word. */
static int nearest_of(const float *points, int count, int query, long double *best, long double *second)
{
    int nearest = -1;
    *best = *second = HUGE_VALL;
    for (int j = count - 1; j >= 0; j--) {
        long double d = 0;
        for (int axis = 0; axis < 3; axis++)
            d += powl((long double)points[3 * j + axis] - points[3 * query + axis], 2);
        if (j != query && d <= *best) {
            *second = *best;
            *best = d;
            nearest = j;
        } else if (j != query && d < *second) {
            *second = d;
        }
    }
    return nearest;
}

static void check_nearest(const struct fixture *fixture)
{
    int count = size_of(fixture, "N"), lattice = size_of(fixture, "LATTICE"), doubtful = 0;
    float *points = fetch_input(fixture, "points", 3 * count);
    struct expected index = fetch_expected(fixture, "index", count, false);
    struct expected distance = fetch_expected(fixture, "distance", count, false);
    long double relative = lattice > 1 ? 0 : near_relative, absolute = lattice > 1 ? 0 : near_absolute;
    check_points(points, count, lattice);
    for (int q = 0; q < count; q++) {
        long double best, second;
        int nearest = nearest_of(points, count, q, &best, &second);
        bool rival = lattice == 1 && count > 2 && second <= best * (1 + relative) + absolute;
        doubtful += rival;
        best = count > 1 ? best : 0;
        assert_within("magnitude", &index, q, index.magnitudes[q], rival ? count : 0, 0);
        if (!rival)
            assert_within("value", &index, q, index.values[q], nearest, 0);
        assert_within("value", &distance, q, distance.values[q], best, 8 * 0x1p-53L * best);
        long double magnitude = count > 1 && lattice == 1 ? best + absolute / relative : best;
        assert_within("magnitude", &distance, q, distance.magnitudes[q], magnitude, 0x1p-40L * magnitude);
    }
    assert_true(doubtful <= count / 10); /* else the check of the index would mean little */
    free_expected(&distance);
    free_expected(&index);
    free(points);
}

static void check_formula(const char *space, const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    shipped_open(&shipped, "nearest_neighbor", space, &kernels.description, sizes, size_count);
    check_configuration(&shipped, 0, check_nearest);
    shipped_close(&shipped);
}

static void nearest_neighbor(void **state)
{
    const struct size_setting cube[] = {{"N", 701}}, pair[] = {{"N", 2}}, lattice[] = {{"N", 333}, {"LATTICE", 5}};
    const long double unit = 0x1p-24L;
    (void)state;
    near_relative = 17 * unit / (1 - 17 * unit);
    for (int expanded = 0; expanded < 2; expanded++) {
        const char *space = expanded ? "expanded" : "chunked";
        near_absolute = expanded ? 13 * 6 * unit / (1 - 6 * unit) : 0;
        check_formula(space, NULL, 0);
        check_formula(space, cube, 1);
        check_formula(space, pair, 1);
        check_formula(space, lattice, 2);
    }
}

/* ---- convnet: y[n][m][i][j] = sum over c, r, s of x[n][c][i + r][j + s] w[m][c][r][s] ---- */

/* A layer and its inputs. */
struct layer {
    int images, channels, height, width, maps, side;
    float *x, *w;
};

static struct layer fetch_layer(const struct fixture *fixture)
{
    struct layer layer = {
        .images = size_of(fixture, "N"),
        .channels = size_of(fixture, "C"),
        .height = size_of(fixture, "H"),
        .width = size_of(fixture, "W"),
        .maps = size_of(fixture, "M"),
        .side = size_of(fixture, "K"),
    };
    layer.x = fetch_input(fixture, "x", layer.images * layer.channels * layer.height * layer.width);
    layer.w = fetch_input(fixture, "w", layer.maps * layer.channels * layer.side * layer.side);
    return layer;
}

static void free_layer(struct layer *layer)
{
    free(layer->x);
    free(layer->w);
}

/* An element of y, or where in y it lies. */
struct pixel {
    int image, map, row, column;
};

static struct pixel pixel_of(const struct layer *layer, int index)
{
    int rows = layer->height - layer->side + 1, columns = layer->width - layer->side + 1;
    return (struct pixel){index / columns / rows / layer->maps, index / columns / rows % layer->maps,
                          index / columns % rows, index % columns};
}

static int pixel_count(const struct layer *layer)
{
    return layer->images * layer->maps * (layer->height - layer->side + 1) * (layer->width - layer->side + 1);
}

static long double input_at(const struct layer *layer, int image, int channel, int row, int column)
{
    if (row >= layer->height || column >= layer->width)
        return 0;
    return layer->x[((image * layer->channels + channel) * layer->height + row) * layer->width + column];
}

static long double filter_at(const struct layer *layer, int map, int channel, int row, int column)
{
    return layer->w[((map * layer->channels + channel) * layer->side + row) * layer->side + column];
}

static struct sum convolved(const struct layer *layer, struct pixel at)
{
    struct sum sum = {0};
    for (int i = 0; i < layer->channels * layer->side * layer->side; i++) {
        int channel = i / (layer->side * layer->side), r = i / layer->side % layer->side, s = i % layer->side;
        long double term = input_at(layer, at.image, channel, at.row + r, at.column + s) *
                           filter_at(layer, at.map, channel, r, s); /* exact, also in double */
        add(&sum, term, fabsl(term));
    }
    return sum;
}

static void check_convnet(const struct fixture *fixture)
{
    struct layer layer = fetch_layer(fixture);
    struct expected y = fetch_expected(fixture, "y", pixel_count(&layer), false);
    for (int i = 0; i < y.count; i++)
        assert_sum(&y, i, convolved(&layer, pixel_of(&layer, i)), layer.channels * layer.side * layer.side);
    free_expected(&y);
    free_layer(&layer);
}

/*
 * Minimal filtering F(m x m, 3 x 3) as published: A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural
 * Networks", CVPR 2016, section 4.
 */
enum { MOST_ALPHA = 6 };

static const struct minimal {
    int m, alpha;
    long double a[4][MOST_ALPHA], g[MOST_ALPHA][3], b[MOST_ALPHA][MOST_ALPHA]; /* A^T, G, B^T */
} minimals[] = {
    {.m = 2,
     .alpha = 4,
     .a = {{1, 1, 1, 0}, {0, 1, -1, -1}},
     .g = {{1, 0, 0}, {0.5L, 0.5L, 0.5L}, {0.5L, -0.5L, 0.5L}, {0, 0, 1}},
     .b = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}}},
    {.m = 4,
     .alpha = 6,
     .a = {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}},
     .g = {{1 / 4.0L, 0, 0},
           {-1 / 6.0L, -1 / 6.0L, -1 / 6.0L},
           {-1 / 6.0L, 1 / 6.0L, -1 / 6.0L},
           {1 / 24.0L, 1 / 12.0L, 1 / 6.0L},
           {1 / 24.0L, -1 / 12.0L, 1 / 6.0L},
           {0, 0, 1}},
     .b = {{4, 0, -5, 0, 1, 0},
           {0, -4, -4, 1, 1, 0},
           {0, 4, -4, -1, 1, 0},
           {0, -2, -1, 2, 1, 0},
           {0, 2, -1, -2, 1, 0},
           {0, 4, 0, -5, 0, 1}}},
};

/* (G g G^T)[k][l] and (B^T d B)[k][l], for the tile that starts at `tile`; the sums of their terms' absolute values.
 */
struct factors {
    struct sum u, v;
};

static struct factors factors(const struct minimal *minimal, const struct layer *layer, struct pixel tile,
                              int channel, int k, int l)
{
    struct factors factors = {0};
    for (int i = 0; i < 9; i++) {
        long double u =
            minimal->g[k][i / 3] * minimal->g[l][i % 3] * filter_at(layer, tile.map, channel, i / 3, i % 3);
        add(&factors.u, u, fabsl(u));
    }
    for (int i = 0; i < minimal->alpha * minimal->alpha; i++) {
        int row = i / minimal->alpha, column = i % minimal->alpha;
        long double v = minimal->b[k][row] * minimal->b[l][column] *
                        input_at(layer, tile.image, channel, tile.row + row, tile.column + column);
        add(&factors.v, v, fabsl(v));
    }
    return factors;
}

/* A pixel from its tile, and the magnitude that the template's comment derives. */
static struct sum filtered(const struct minimal *minimal, const struct layer *layer, struct pixel at)
{
    const long double u = 0x1p-24L, terms = layer->channels + 1;
    long double transforms = 13 * u / (1 - 13 * u), outer = 11 * u / (1 - 11 * u);
    long double share = transforms / (expl(10 * sqrtl(terms) * u + terms * u * u / (1 - u)) - 1 + outer);
    int i = at.row % minimal->m, j = at.column % minimal->m;
    struct pixel tile = {at.image, at.map, at.row - i, at.column - j};
    struct sum sum = {0};
    for (int k = 0; k < minimal->alpha; k++) {
        for (int l = 0; l < minimal->alpha; l++) {
            long double factor = minimal->a[i][k] * minimal->a[j][l];
            for (int c = 0; c < layer->channels && factor != 0; c++) {
                struct factors of = factors(minimal, layer, tile, c, k, l);
                long double absolute = fabsl(of.u.value * of.v.value) + share * (of.u.absolute * fabsl(of.v.value) +
                                                                                 fabsl(of.u.value) * of.v.absolute);
                add(&sum, factor * of.u.value * of.v.value, fabsl(factor) * absolute);
            }
        }
    }
    return sum;
}

static const struct minimal *minimal_used; /* by check_winograd */

/*
 * The reference's values are those of the definition; the long double loop through the transforms is off by 2**-11 of
 * a rounding in double per operation, relative to the magnitude. The magnitude has fewer than 100 roundings, beside
 * those of the sum: some 15 in a coefficient, of which a term has six, and sums of six.
 */
static void check_winograd(const struct fixture *fixture)
{
    struct layer layer = fetch_layer(fixture);
    struct expected y = fetch_expected(fixture, "y", pixel_count(&layer), false);
    for (int i = 0; i < y.count; i++)
        assert_sum(&y, i, filtered(minimal_used, &layer, pixel_of(&layer, i)), layer.channels * 9 + 100);
    free_expected(&y);
    free_layer(&layer);
}

/* Magnitudes depend on the tiles, and values do not. */
static void check_minimal_filtering(const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    shipped_open(&shipped, "convnet", "winograd", &kernels.description, sizes, size_count);
    for (size_t i = 0; i < sizeof minimals / sizeof *minimals; i++) {
        size_t index = 0, count = problem_configuration_count(shipped.problem);
        while (index < count && value_of(&shipped, index, "OUT_TILE") != minimals[i].m)
            index++;
        assert_true(index < count);
        minimal_used = &minimals[i];
        check_configuration(&shipped, index, check_winograd);
    }
    shipped_close(&shipped);
}

static void convnet(void **state)
{
    const struct size_setting odd[] = {{"N", 2}, {"C", 3}, {"H", 11}, {"W", 7}, {"M", 5}, {"K", 5}};
    const struct size_setting one_pixel[] = {{"C", 2}, {"H", 3}, {"W", 3}, {"M", 2}, {"K", 3}};
    (void)state;
    check_template("convnet", NULL, 0, check_convnet);
    check_template("convnet", odd, 6, check_convnet);
    check_minimal_filtering(one_pixel, 5);
}

/* ---- ceilings: what each probe repeats, step by step ------------------------------------------------------------
 */

enum { PROBE_CHAINS = 64 }; /* on the CPU device */

static void *fetch_words(const struct fixture *fixture, const char *name, int *count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    *count = (int)buffer->extent;
    assert_true(*count > 0);
    return fetch(buffer->memory.address, (size_t)*count * sizeof(uint32_t));
}

/* v = v a + b, and sums of reciprocal roots. */
static void check_fp32_probe(const struct fixture *fixture)
{
    int threads, steps = 16 * size_of(fixture, "STEPS");
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected real = fetch_expected(fixture, "real", threads, false);
    for (int t = 0; t < threads; t++) {
        struct sum sum = {0};
        for (int c = 0; c < PROBE_CHAINS; c++) {
            long double start = 2 + seed[t] / 1024.0L + c, v = start;
            for (int i = 0; i < steps; i++)
                v = v * (1 - 0x1p-12L) + 0x1p-12L;
            add(&sum, v, start);
        }
        assert_sum(&real, t, sum, 16 + PROBE_CHAINS); /* the power, four operations with it, and the sum */
    }
    free_expected(&real);
    free(seed);
}

static void check_special_probe(const struct fixture *fixture)
{
    int threads, terms = 2 * size_of(fixture, "STEPS") * PROBE_CHAINS;
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected real = fetch_expected(fixture, "real", threads, true);
    for (int t = 0; t < threads; t++) {
        long double sum = 0, unit = (terms + 2) * 0x1p-53L;
        for (int i = 0; i < terms; i++)
            sum += 1 / sqrtl(seed[t] + i);
        assert_within("value", &real, t, real.values[t], sum, unit / (1 - unit) * sum);
    }
    free_expected(&real);
    free(seed);
}

static void check_integer_probe(const struct fixture *fixture)
{
    int threads, steps = 4 * size_of(fixture, "STEPS") + 1;
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected whole = fetch_expected(fixture, "whole", threads, true);
    for (int t = 0; t < threads; t++) {
        uint32_t sum = 0;
        for (int c = 0; c < PROBE_CHAINS; c++) {
            uint32_t x = UINT32_C(0x9e3779b9) * ((uint32_t)seed[t] + (uint32_t)c);
            for (int i = 0; i < steps; i++)
                x = x ^ x / 128;
            sum += x;
        }
        assert_true(whole.values[t] == sum);
    }
    free_expected(&whole);
    free(seed);
}

static int probe_block, probe_unroll; /* of the configuration at hand */

static void check_shared_probe(const struct fixture *fixture)
{
    int threads, steps = 4 * size_of(fixture, "STEPS");
    int32_t *seed = fetch_words(fixture, "seed", &threads);
    struct expected whole = fetch_expected(fixture, "whole", threads, true);
    for (int t = 0; t < threads; t++) {
        uint32_t sum = 0;
        for (int i = 0; i < steps; i++) {
            int place = (t % probe_block + 32 * i) % probe_block;
            for (uint32_t word = 0; word < 4; word++)
                sum += (2 * word + 1) * (uint32_t)seed[t - t % probe_block + place];
        }
        assert_true(whole.values[t] == sum);
    }
    free_expected(&whole);
    free(seed);
}

static void check_copy_probe(const struct fixture *fixture)
{
    int n;
    uint32_t *from = fetch_words(fixture, "from", &n);
    struct expected whole = fetch_expected(fixture, "whole", n, true);
    assert_int_equal(n, size_of(fixture, "N"));
    for (int i = 0; i < n; i++)
        assert_true(whole.values[i] == from[i]);
    free_expected(&whole);
    free(from);
}

/* A tile of the words belongs to a block; in it every BLOCK-th one to the same thread, and so to the same warp. */
static void check_read_probe(const struct fixture *fixture)
{
    int n, warps = (int)buffer_of(fixture, "whole")->extent;
    uint32_t *from = fetch_words(fixture, "from", &n), *all = calloc((size_t)warps, sizeof *all);
    struct expected whole = fetch_expected(fixture, "whole", warps, true);
    assert_non_null(all);
    for (int i = 0; i < n; i++) {
        int thread = i / (probe_block * probe_unroll) * probe_block + i % probe_block;
        assert_true(thread / 32 < warps);
        all[thread / 32] ^= from[i];
    }
    for (int w = 0; w < warps; w++)
        assert_true(whole.values[w] == all[w]);
    free_expected(&whole);
    free(from);
    free(all);
}

static const struct {
    const char *text;
    check_function *check;
} probes[] = {
    {"\"PIPE\":\"fp32\"", check_fp32_probe},       {"\"PIPE\":\"special\"", check_special_probe},
    {"\"PIPE\":\"integer\"", check_integer_probe}, {"\"PIPE\":\"shared\"", check_shared_probe},
    {"\"PIPE\":\"copy\"", check_copy_probe},       {"\"PIPE\":\"read\"", check_read_probe},
};

static void check_probes(const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    size_t checked = 0;
    shipped_open(&shipped, "ceilings", "full", &kernels.description, sizes, size_count);
    for (size_t index = 0; index < problem_configuration_count(shipped.problem); index++) {
        char *text = problem_configuration_text(shipped.problem, index);
        for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
            if (!strstr(text, probes[i].text))
                continue;
            probe_block = (int)value_of(&shipped, index, "BLOCK");
            probe_unroll = (int)value_of(&shipped, index, "UNROLL");
            check_configuration(&shipped, index, probes[i].check);
            checked |= (size_t)1 << i;
        }
        free(text);
    }
    assert_int_equal(checked, (1 << sizeof probes / sizeof *probes) - 1);
    shipped_close(&shipped);
}

static void ceilings(void **state)
{
    const struct size_setting sizes[] = {{"STEPS", 1}, {"N", 4099}};
    (void)state;
    check_probes(sizes, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),      cmocka_unit_test(reduction),
        cmocka_unit_test(transpose), cmocka_unit_test(mri_fhd),
        cmocka_unit_test(dcs),       cmocka_unit_test(stencil7),
        cmocka_unit_test(copy),      cmocka_unit_test(conv1d),
        cmocka_unit_test(conv2d),    cmocka_unit_test(nearest_neighbor),
        cmocka_unit_test(gemm_aat),  cmocka_unit_test(convnet),
        cmocka_unit_test(ceilings),
    };
    return cmocka_run_group_tests_name("references", tests, open_kernels, close_kernels);
}
