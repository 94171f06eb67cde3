/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of dcs: energy(i, j, k) = sum over atoms of charge / distance. */
#include "tests/unit/measure/references.h"

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
        cmocka_unit_test(dcs),
    };
    return cmocka_run_group_tests_name("references of dcs", tests, open_kernels, close_kernels);
}
