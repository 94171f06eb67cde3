/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of mri_fhd: F^H d (n) = sum over m of mu(m) exp(i 2 pi k(m) . x(n)), mu = conj(phi) d. */
#include "tests/unit/measure/references.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mri_fhd),
    };
    return cmocka_run_group_tests_name("references of mri_fhd", tests, open_kernels, close_kernels);
}
