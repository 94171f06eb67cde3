/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of dcs_cutoff: energy(i, j, k) = sum of charge / r (1 - r^2 / cutoff^2)^2 over the atoms within the
 * cutoff, by looking at all of them.
 */
#include "tests/unit/measure/references.h"

static const long double spacing = 0.5L;

/* One atom as a point sees it. */
struct view {
    long double square; /* of the distance over the cutoff */
    long double potential;
};

static struct view look(const float *atom, long double cutoff, int i, int j, int k)
{
    long double dx = i * spacing - atom[0], dy = j * spacing - atom[1], dz = k * spacing - atom[2];
    long double r = hypotl(hypotl(dx, dy), dz);
    return (struct view){(dx * dx + dy * dy + dz * dz) / (cutoff * cutoff), atom[3] / r};
}

/* Inside the grid, and far enough from every slice that no distance is nearly 0; some of them without charge. */
static void check_atoms(const struct fixture *fixture, const float *atoms, int atom_count)
{
    int neutral = 0;
    for (int n = 0; n < atom_count; n++) {
        const float *atom = &atoms[4 * n];
        long double height = atom[2] / spacing;
        assert_true(atom[0] >= 0 && atom[0] <= spacing * size_of(fixture, "NX"));
        assert_true(atom[1] >= 0 && atom[1] <= spacing * size_of(fixture, "NY"));
        assert_true(height > 0 && height < size_of(fixture, "NZ"));
        assert_true(fabsl(height - roundl(height)) > 0.2499L);
        assert_true(fabsf(atom[3]) <= 1);
        neutral += atom[3] == 0;
    }
    assert_true(neutral >= atom_count / 32 && neutral <= atom_count / 16);
}

/* Whether every atom is in the quarter of the box that belongs to its cluster; atoms that are anywhere are not. */
static bool in_clusters(const struct fixture *fixture, const float *atoms, int atom_count, int clusters)
{
    const char *const extents[] = {"NX", "NY", "NZ"};
    for (int n = clusters; n < atom_count; n++)
        for (int axis = 0; axis < 3; axis++) {
            long double quarter = spacing * (size_of(fixture, extents[axis]) / 4.0L + 1);
            if (fabsl((long double)atoms[4 * n + axis] - atoms[4 * (n % clusters) + axis]) > quarter)
                return false;
        }
    return true;
}

/* What one point is to be: its value, and by how many units of 2^-24 single precision may miss it. */
struct right {
    struct sum sum;
    long double allowed, doubtful; /* allowed by atoms that are, or may be, at the cutoff */
    int terms, at_cutoff;
};

static void add_atom(struct right *right, struct view view)
{
    long double size = fabsl(view.potential);
    if (view.square < 1) {
        long double t = 1 - view.square;
        add(&right->sum, view.potential * t * t, size * t * t);
        right->allowed += 12 * t * size;
    }
    right->at_cutoff += view.square == 1;
    if (view.square < 1 + 0x1p-20L) {
        right->terms++;
        right->doubtful += 0x1p-17L * size;
    }
}

static int check_point(const struct expected *energy, int index, const struct right *right, int atom_count)
{
    long double unit = (atom_count + 8) * 0x1p-53L;
    long double allowed = right->allowed + right->doubtful + 10 * sqrtl(right->terms) * right->sum.absolute;
    /* t = 1 - s has the error of s, which where t is small is that of all of |q| / r, and doubles in the square */
    assert_within("value", energy, index, energy->values[index], right->sum.value,
                  unit * (right->sum.absolute + right->allowed));
    assert_within("magnitude", energy, index, energy->magnitudes[index], allowed, 0x1p-30L * allowed);
    return right->at_cutoff;
}

static int pairs_at_cutoff;

static void check_cutoff(const struct fixture *fixture)
{
    int nx = size_of(fixture, "NX"), ny = size_of(fixture, "NY"), nz = size_of(fixture, "NZ");
    int atom_count = size_of(fixture, "ATOMS");
    long double cutoff = size_of(fixture, "CUTOFF") * spacing / 4;
    float *atoms = fetch_input(fixture, "atoms", 4 * atom_count);
    struct expected energy = fetch_expected(fixture, "energy", nx * ny * nz, false);
    check_atoms(fixture, atoms, atom_count);
    if (atom_count > 200)
        assert_true(in_clusters(fixture, atoms, atom_count, 2) == (size_of(fixture, "CLUSTERS") == 2));
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                struct right right = {0};
                for (int n = 0; n < atom_count; n++)
                    add_atom(&right, look(&atoms[4 * n], cutoff, i, j, k));
                pairs_at_cutoff += check_point(&energy, (k * ny + j) * nx + i, &right, atom_count);
            }
    free_expected(&energy);
    free(atoms);
}

/* Single points, a cutoff below the spacing and one beyond the box; and, at the awkward size, pairs exactly at it. */
static void dcs_cutoff(void **state)
{
    const struct size_setting odd[] = {{"NX", 13}, {"NY", 7}, {"NZ", 19}, {"ATOMS", 229}, {"CUTOFF", 17}},
                              far[] = {{"NX", 11}, {"NY", 23}, {"NZ", 5}, {"ATOMS", 31}, {"CUTOFF", 999}},
                              near[] = {{"NX", 17}, {"NY", 9}, {"NZ", 3}, {"ATOMS", 40}, {"CUTOFF", 3}};
    (void)state;
    check_template("dcs_cutoff", NULL, 0, check_cutoff);
    assert_true(pairs_at_cutoff > 0);
    check_template("dcs_cutoff", odd, 5, check_cutoff);
    check_template("dcs_cutoff", far, 5, check_cutoff);
    check_template("dcs_cutoff", near, 5, check_cutoff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dcs_cutoff),
    };
    return cmocka_run_group_tests_name("references of dcs_cutoff", tests, open_kernels, close_kernels);
}
